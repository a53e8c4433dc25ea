#include <algorithm>

#include <fmt/format.h>

#include <cuda/fusion/jit_source.hpp>
#include <cuda/fusion/step_source.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

dtype value_type(const kernel_key& key, int v) {
  if (v < key.n_inputs) return key.inputs[v].type;
  return output_dtype(key.steps[v - key.n_inputs]);
}

std::string user_function(const kernel_step& s, int number) {
  const gparray::detail::user_function& f = *s.user->function;
  std::string parameters(f.parameters);  // "(x, y)"
  for (std::size_t at = 1; at != std::string::npos; at = parameters.find(',', at + 2)) {
    if (at > 1) ++at;
    parameters.insert(at, "T ");
  }
  return fmt::format(
      "template<class T>\n__device__ __forceinline__ auto user_{}{} {{\n"
      "#line {} \"{}\"\n  return ({});\n#line 1 \"expression.cu\"\n}}\n",
      number, parameters, f.line, f.file, f.expression);
}

std::string functions_space(const std::string& struct_name) { return struct_name + "_functions"; }

const char* quick_call(const kernel_step& s) {
  if (s.loop != dtype::float32) return "";
  switch (s.op) {
    case ufunc::divide:
      return "quick_quotient(v{0}{2}, v{1}{2}, quick)";
    case ufunc::reciprocal:
      return "quick_quotient(1.0f, v{0}{2}, quick)";
    case ufunc::sqrt:
      return "quick_root(v{0}{2}, quick)";
    case ufunc::rsqrt:
      return "quick_quotient(1.0f, quick_root(v{0}{2}, quick), quick)";
    default:
      return "";
  }
}

std::string_view plain_function(const kernel_step& s) {
  const bool has = s.loop == dtype::float64 && (s.op == ufunc::exp || s.op == ufunc::log);
  return has ? name(s.op) : std::string_view();
}

namespace {

bool is_made_of_rest(const kernel_step& s) {
  return (s.op == ufunc::floor_divide || s.op == ufunc::remainder || s.op == ufunc::fmod) &&
         (s.loop == dtype::float32 || s.loop == dtype::float64);
}

}  // namespace

int first_of_rest(const kernel_key& key, int number) {
  const kernel_step& s = key.steps[number];
  // The turns of a loop see nothing of each other.
  if (!is_made_of_rest(s) || key.loop.period > 0) return -1;
  int first = -1, count = 0;
  for (int k = 0; k < key.n_steps; ++k) {
    const kernel_step& other = key.steps[k];
    if (!is_made_of_rest(other) || other.loop != s.loop || other.args[0] != s.args[0] ||
        other.args[1] != s.args[1])
      continue;
    if (first < 0) first = k;
    ++count;
  }
  return count > 1 || s.loop == dtype::float64 ? first : -1;
}

std::string rest_call(const kernel_step& s, const char* at) {
  return fmt::format("quick_rest(v{1}{0}, v{2}{0})", at, s.args[0], s.args[1]);
}

std::string step_of_rest(const kernel_step& s, int first, const char* at) {
  if (s.op == ufunc::fmod) return fmt::format("r{}{}", first, at);
  if (s.op == ufunc::remainder)
    return fmt::format("kernel::remainder_of(r{1}{0}, v{2}{0})", at, first, s.args[1]);
  return fmt::format("kernel::floored_quotient(r{1}{0}, v{2}{0}, v{3}{0})", at, first, s.args[0], s.args[1]);
}

namespace {

/// Whether a number is in an address, which is not 0 then: elements beyond an operand's end are, and so are
/// addresses that are made of these alone.
bool has_number(const kernel_key& key, int address) {
  bool has[max_inputs + max_kernel_steps] = {};
  for (int v = 0; v <= address; ++v)
    if (v < key.n_inputs) {
      const access mode = key.inputs[v].mode;
      has[v] = mode == access::constant_bits || mode == access::iota;
    } else {
      const kernel_step& s = key.steps[v - key.n_inputs];
      has[v] = s.op == ufunc::clip || (s.op == ufunc::add && (has[s.args[0]] || has[s.args[1]]));
    }
  return has[address];
}

}  // namespace

std::string step_call(const kernel_key& key, int number, const std::string& struct_name, bool quickly,
                      const char* at) {
  const kernel_step& s = key.steps[number];
  if (const std::string quick = quickly ? quick_call(s) : ""; !quick.empty())
    return fmt::format(fmt::runtime(quick), s.args[0], arity(s) > 1 ? s.args[1] : 0, at);
  if (s.op == ufunc::cast) return fmt::format("kernel::cast<{}>(v{}{})", type_name(s.loop), s.args[0], at);
  if (s.op == ufunc::load) {
    const char* const load = has_number(key, s.args[0]) ? "load_global" : "load_if_any";
    return fmt::format("{}<{}>(v{}{})", load, type_name(s.loop), s.args[0], at);
  }
  std::string arguments;
  for (int i = 0; i < arity(s); ++i) arguments += fmt::format("{}v{}{}", i ? ", " : "", s.args[i], at);
  if (s.op == ufunc::user)
    return fmt::format("static_cast<{}>({}::user_{}<kernel::compute_t<{}>>({}))", type_name(s.user->result),
                       functions_space(struct_name), number, type_name(s.loop), arguments);
  return fmt::format("kernel::invoke<kernel::{}_op, {}>({})", name(s.op), type_name(s.loop), arguments);
}

std::string call_of_apart(const kernel_key& key, const std::string& parameters) {
  std::string values, arguments, copies;
  for (int v = 0; v < key.n_inputs; ++v) arguments += fmt::format("{}v{}", v ? ", " : "", v);
  for (int k = 0; k < key.n_stores; ++k) {
    values += fmt::format("    {} t{};\n", type_name(value_type(key, key.stores[k])), k);
    arguments += fmt::format(", t{}", k);
    copies += fmt::format("    s{0} = t{0};\n", k);
  }
  return fmt::format(
      "  static __device__ __forceinline__ result call({}) {{\n{}    const result value = call_apart({});\n"
      "{}    return value;\n  }}\n",
      parameters, values, arguments, copies);
}

int words_at_once(const kernel_key& key) {
  int last[max_inputs + max_kernel_steps] = {}, most = 0, now = 0;
  const auto words = [&](int v) {
    const bool is_held = v >= key.n_inputs || key.inputs[v].mode != access::constant_bits;
    return is_held ? static_cast<int>(itemsize(value_type(key, v)) + 3) / 4 : 0;
  };
  const int turn = key.loop.first + key.loop.carried, end = turn + key.loop.period;
  for (int s = 0; s < key.n_steps; ++s)
    for (int i = 0; i < arity(key.steps[s]); ++i) {
      const int v = key.steps[s].args[static_cast<std::size_t>(i)];
      // What a turn reads of what is before the loop is there until the last turn has ended.
      const bool is_read_by_all = s >= turn && s < end && v < key.n_inputs + turn;
      last[v] = is_read_by_all ? end - 1 : s;
    }
  for (int s = key.loop.first; s < turn; ++s) last[key.steps[s].args[1]] = end - 1;
  for (int k = 0; k < key.n_stores; ++k) last[key.stores[k]] = key.n_steps;
  for (int v = 0; v < key.n_inputs; ++v) now += words(v);
  for (int s = 0; s < key.n_steps; ++s) {
    now += words(key.n_inputs + s);
    most = std::max(most, now);
    const auto end_value = [&](int v) {
      if (last[v] != s) return;
      now -= words(v);
      last[v] = -1;
    };
    for (int i = 0; i < arity(key.steps[s]); ++i) end_value(key.steps[s].args[static_cast<std::size_t>(i)]);
    for (int v = 0; s == end - 1 && v < key.n_inputs + s; ++v) end_value(v);
  }
  return most;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
