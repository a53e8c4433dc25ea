#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <cuda/device/reduce_params.hpp>
#include <cuda/fusion/jit_source.hpp>
#include <cuda/fusion/step_source.hpp>
#include <cuda/fusion/word_source.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// In a kernel whose threads have neighbouring elements.
enum class value_form : std::uint8_t {
  number,    ///< one for all of a thread's elements
  elements,  ///< computed one by one
  word       ///< bytes that are computed four at a time
};

bool is_byte(dtype d) { return itemsize(d) == 1; }

/// Whether byte_words.cuh has the function.
bool is_of_words(ufunc f) {
  static constexpr ufunc all[] = {
      ufunc::add,         ufunc::subtract,      ufunc::multiply,    ufunc::square,     ufunc::negative,
      ufunc::positive,    ufunc::absolute,      ufunc::bitwise_and, ufunc::bitwise_or, ufunc::bitwise_xor,
      ufunc::invert,      ufunc::equal,         ufunc::not_equal,   ufunc::less,       ufunc::less_equal,
      ufunc::greater,     ufunc::greater_equal, ufunc::logical_and, ufunc::logical_or, ufunc::logical_xor,
      ufunc::logical_not, ufunc::maximum,       ufunc::minimum,     ufunc::fmax,       ufunc::fmin,
      ufunc::where,       ufunc::clip,          ufunc::cast};
  return std::find(std::begin(all), std::end(all), f) != std::end(all);
}

/// How each value of the kernel comes.
std::vector<value_form> forms_of(const kernel_key& key) {
  std::vector<value_form> forms;
  for (int i = 0; i < key.n_inputs; ++i) {
    const operand_class& in = key.inputs[i];
    const bool is_number = in.mode == access::constant_bits || in.mode == access::row_value;
    forms.push_back(is_number                                           ? value_form::number
                    : is_byte(in.type) && in.mode == access::contiguous ? value_form::word
                                                                        : value_form::elements);
  }
  for (int s = 0; s < key.n_steps; ++s) {
    const kernel_step& step = key.steps[s];
    bool of_words = is_of_words(step.op) && is_byte(step.loop), has_word = false,
         is_number = step.op != ufunc::load;
    for (int i = 0; i < arity(step); ++i) {
      const int v = step.args[static_cast<std::size_t>(i)];
      of_words = of_words && is_byte(value_type(key, v));
      has_word = has_word || forms[static_cast<std::size_t>(v)] == value_form::word;
      is_number = is_number && forms[static_cast<std::size_t>(v)] == value_form::number;
    }
    // To join elements takes as many instructions as a step for each of them.
    forms.push_back(is_number              ? value_form::number
                    : of_words && has_word ? value_form::word
                                           : value_form::elements);
  }
  return forms;
}

/// Value number k is v<k>, four elements, and w<k>, a word; what is wanted of these is made when it is. The
/// bytes of an operand are b<k>.
class word_writer {
 public:
  word_writer(const kernel_key& key, const std::string& struct_name)
      : key_(key), struct_name_(struct_name), forms_(forms_of(key)), has_other_(forms_.size()) {}

  std::string text() {
    for (int i = 0; i < key_.n_inputs; ++i)
      if (form(i) == value_form::word)
        text_ += fmt::format("    const words::word w{0} = words::loaded(b{0});\n", i);
    for (int s = 0; s < key_.n_steps; ++s) add_step(s);
    for (int k = 0; k < key_.n_stores; ++k)
      store(key_.stores[k], fmt::format("s{}", k), value_type(key_, key_.stores[k]));
    store(key_.n_inputs + key_.n_steps - 1, "results", key_.out);
    return text_;
  }
  std::string parameters() const {
    std::string list = fmt::format("{}* results", type_name(key_.out));
    for (int i = 0; i < key_.n_inputs; ++i)
      list += fmt::format(", const {}* {}{}", type(i), form(i) == value_form::word ? "b" : "v", i);
    for (int k = 0; k < key_.n_stores; ++k) list += fmt::format(", {}* s{}", type(key_.stores[k]), k);
    return list;
  }

 private:
  value_form form(int v) const { return forms_[static_cast<std::size_t>(v)]; }
  const char* type(int v) const { return type_name(value_type(key_, v)); }

  /// Whether this is the first time that the form is wanted that a value does not come in.
  bool is_new(int v) {
    const bool is = !has_other_[static_cast<std::size_t>(v)];
    has_other_[static_cast<std::size_t>(v)] = true;
    return is;
  }
  /// The name of the value's word.
  std::string word(int v) {
    if (form(v) == value_form::number && is_new(v))
      text_ += fmt::format("    const words::word w{0} = words::repeated(*v{0});\n", v);
    else if (form(v) == value_form::elements && is_new(v))
      text_ += fmt::format("    const words::word w{0} = words::joined(v{0});\n", v);
    return fmt::format("w{}", v);
  }
  /// Afterwards the value's elements have names.
  void need_elements(int v) {
    if (form(v) == value_form::word && is_new(v))
      text_ += fmt::format("    {0} v{1}[4];\n    words::split(v{1}, w{1});\n", type(v), v);
  }

  void add_step(int s) {
    const kernel_step& step = key_.steps[s];
    const int v = key_.n_inputs + s;
    if (form(v) == value_form::word) {
      const std::string call = word_call(step);
      text_ += fmt::format("    const words::word w{} = {};\n", v, call);
      return;
    }
    for (int i = 0; i < arity(step); ++i) need_elements(step.args[static_cast<std::size_t>(i)]);
    text_ += fmt::format("    {} v{}[4];\n#pragma unroll\n    for (int k = 0; k < 4; ++k) v{}[k] = {};\n",
                         type(v), v, v, step_call(key_, s, struct_name_, false, "[k]"));
  }

  std::string word_call(const kernel_step& step) {
    const int a = step.args[0];
    if (step.op == ufunc::cast)
      return fmt::format("words::cast<{}, {}>({})", type_name(step.loop), type(a), word(a));
    if (step.op == ufunc::multiply) {
      const int b = step.args[1];
      if (form(a) == value_form::number || form(b) == value_form::number) {
        const int number = form(a) == value_form::number ? a : b;
        return fmt::format("words::multiply_by<{}>({}, *v{})", type_name(step.loop),
                           word(number == a ? b : a), number);
      }
    }
    std::string arguments;
    for (int i = 0; i < arity(step); ++i)
      arguments += (i ? ", " : "") + word(step.args[static_cast<std::size_t>(i)]);
    return fmt::format("words::{}<{}>({})", name(step.op), type_name(step.loop), arguments);
  }

  void store(int v, const std::string& to, dtype as) {
    if (value_type(key_, v) == as && is_byte(as)) {
      const std::string from = word(v);
      text_ += fmt::format("    words::store({}, {});\n", to, from);
      return;
    }
    need_elements(v);
    const std::string value = fmt::format(
        fmt::runtime(value_type(key_, v) == as ? "v{0}[k]" : "kernel::cast<{1}>(v{0}[k])"), v, type_name(as));
    text_ += fmt::format("#pragma unroll\n    for (int k = 0; k < 4; ++k) {}[k] = {};\n", to, value);
  }

  const kernel_key& key_;
  const std::string& struct_name_;
  std::vector<value_form> forms_;
  std::vector<bool> has_other_;  // whether the form that a value does not come in has been made, too
  std::string text_;
};

}  // namespace

bool has_words(const kernel_key& key) {
  const bool along_rows = key.form == kernel_form::rows || key.form == kernel_form::inner ||
                          key.form == kernel_form::whole || key.form == kernel_form::columns ||
                          key.form == kernel_form::neighbours ||
                          (key.form == kernel_form::interleaved && key.dims == 1);
  if (!along_rows || key.copies == expression_copies::side_by_side || key.loop.period > 0) return false;
  const std::vector<value_form> forms = forms_of(key);
  int of_words = 0, instructions = 0;
  for (int s = 0; s < key.n_steps; ++s) {
    if (first_of_rest(key, s) >= 0 || *quick_call(key.steps[s]) != 0) return false;
    if (forms[static_cast<std::size_t>(key.n_inputs + s)] == value_form::word) ++of_words;
    else instructions += instructions_of(&key.steps[s], 1);
  }
  // What remains for each element may be too long for copies.
  const int lanes =
      is_map(key.form) ? key.lanes : reduce_lanes(itemsize(key.out)) * reduce_unroll(itemsize(key.out));
  return of_words > 0 &&
         (key.copies == expression_copies::each || instructions * lanes <= most_copied_instructions);
}

std::string words_text(const kernel_key& key, const std::string& struct_name) {
  word_writer writer(key, struct_name);
  const std::string parameters = writer.parameters();
  return fmt::format("  static __device__ __forceinline__ void call_words({}) {{\n{}  }}\n", parameters,
                     writer.text());
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
