#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <cuda/fusion/jit_source.hpp>
#include <cuda/fusion/short_rows.hpp>
#include <cuda/fusion/step_source.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

std::uintptr_t address_of(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

/// Packs of a thread's elements are aligned, and so are what there is of one in memory that anybody has.
std::uintptr_t pack_bytes(dtype type) { return short_rows_per_thread * itemsize(type); }

bool is_aligned(const void* data, dtype type) { return address_of(data) % pack_bytes(type) == 0; }

/// Finds the operands of a map of (rows, columns), or of (rows).
class row_finder {
 public:
  row_finder(const map_plan& plan, const loop_nest& nest, std::span<const jump> jumps)
      : plan_(plan),
        nest_(nest),
        jumps_(jumps),
        columns_(nest.ndim > 1 ? static_cast<int>(nest.shape[1]) : 1) {}

  int columns() const { return columns_; }

  bool has_rows() const {
    // Each thread has several rows: with fewer, too few of them would be at work.
    constexpr std::int64_t fewest_rows = std::int64_t{1} << 17;
    if (nest_.ndim < 1 || nest_.ndim > 2 || nest_.shape[0] < fewest_rows || nest_.size > max_launch_size ||
        columns_ > most_short_columns || !is_output(0, plan_.out.data, plan_.out.type))
      return false;
    for (int k = 0; k < plan_.n_stores; ++k)
      if (!is_output(1 + plan_.n_inputs + k, plan_.stores[k].data, plan_.value_type(plan_.stores[k].value)))
        return false;
    return std::none_of(plan_.steps, plan_.steps + plan_.n_steps,
                        [](const step& s) { return s.op == ufunc::load; });
  }

  /// False if some operand lies otherwise.
  bool find(short_row_operand* operands) {
    // What a thread has of all operands is in its registers.
    constexpr std::size_t most_bytes = 256;
    std::size_t bytes = pack_bytes(plan_.out.type) * static_cast<std::size_t>(columns_);
    int widest = columns_;
    for (int i = 0; i < plan_.n_inputs; ++i) {
      const std::optional<int> width = width_of(i);
      if (!width) return false;
      operands[i] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(*width), {}};
      widest = std::max(widest, *width);
    }
    if (widest == 1) return false;
    for (int i = 0; i < plan_.n_inputs; ++i) {
      short_row_operand& operand = operands[i];
      if (operand.width == 0) continue;
      const std::uintptr_t first = first_of_group(i);
      for (int c = 0; c < columns_; ++c) {
        const std::uintptr_t place = place_of(i, c) - first;
        if (place % itemsize(plan_.inputs[i].type) != 0 ||
            place / itemsize(plan_.inputs[i].type) >= operand.width)
          return false;
        operand.places[c] = static_cast<std::uint8_t>(place / itemsize(plan_.inputs[i].type));
      }
      for (int j = i; j-- > 0;)
        if (operands[j].width == operand.width && plan_.inputs[j].type == plan_.inputs[i].type &&
            first_of_group(j) == first)
          operand.leader = static_cast<std::uint8_t>(j);
      if (operand.leader == i) bytes += pack_bytes(plan_.inputs[i].type) * operand.width;
    }
    return bytes <= most_bytes;
  }

 private:
  bool is_output(int operand, const void* data, dtype type) const {
    const auto item = static_cast<std::int64_t>(itemsize(type));
    const auto* const strides = nest_.strides[operand];
    return itemsize(type) <= 8 && is_aligned(data, type) && strides[0] == columns_ * item &&
           (columns_ == 1 || strides[1] == item);
  }
  /// That of an operand's rows; 0: all rows of the output have the same. None if it is read otherwise.
  std::optional<int> width_of(int i) const {
    const input& in = plan_.inputs[i];
    if (in.kind == input_kind::constant) return 0;
    if (in.kind == input_kind::iota || itemsize(in.type) > 8) return std::nullopt;
    const auto item = static_cast<std::int64_t>(itemsize(in.type));
    const std::int64_t apart = nest_.strides[1 + i][0];
    const bool jumps = std::any_of(jumps_.begin(), jumps_.end(), [i](const jump& j) { return j.input == i; });
    if (apart == 0) return jumps ? std::nullopt : std::optional(0);
    if (apart < 0 || apart % item != 0 || apart / item > most_short_columns) return std::nullopt;
    for (const jump& j : jumps_)
      if (j.input == i && j.dim != plan_.ndim - 1) return std::nullopt;
    return static_cast<int>(apart / item);
  }
  /// Of the element in column c of the first row.
  std::uintptr_t place_of(int i, int c) const {
    std::int64_t bytes = columns_ > 1 ? c * nest_.strides[1 + i][1] : 0;
    for (const jump& j : jumps_)
      if (j.input == i && (c < j.begin || c >= j.end)) bytes += j.bytes;
    return address_of(plan_.inputs[i].data) + static_cast<std::uintptr_t>(bytes);
  }
  /// Where the first row begins that has the elements of this operand, and of others that lie about them.
  std::uintptr_t first_of_group(int i) const {
    std::uintptr_t first = place_of(i, 0);
    for (int c = 1; c < columns_; ++c) first = std::min(first, place_of(i, c));
    return first / pack_bytes(plan_.inputs[i].type) * pack_bytes(plan_.inputs[i].type);
  }

  const map_plan& plan_;
  const loop_nest& nest_;
  std::span<const jump> jumps_;
  int columns_;
};

/// Whether a value is the same in all columns of a row.
bool is_one_for_row(const kernel_key& key, int v) {
  if (v < key.n_inputs) {
    const short_row_operand& row = key.inputs[v].row;
    if (key.inputs[v].mode == access::constant_bits) return true;
    // Of what all rows have, the distance of elements is known when the kernel runs.
    if (row.width == 0) return false;
    return std::all_of(row.places, row.places + key.dims, [&](std::uint8_t p) { return p == row.places[0]; });
  }
  const kernel_step& s = key.steps[v - key.n_inputs];
  for (int i = 0; i < arity(s); ++i)
    if (!is_one_for_row(key, s.args[static_cast<std::size_t>(i)])) return false;
  return true;
}

/// What a thread does for all of its rows.
int instructions_of_rows(const kernel_key& key) {
  constexpr int of_quotient = 12, of_cast = 4;
  int all = 0;
  for (int s = 0; s < key.n_steps; ++s) {
    const kernel_step& step = key.steps[s];
    const int own = *quick_call(step) != 0   ? of_quotient
                    : step.op == ufunc::cast ? of_cast
                                             : instructions_of(&step, 1);
    all += own * (is_one_for_row(key, key.n_inputs + s) ? 1 : key.dims);
  }
  return all * short_rows_per_thread;
}

}  // namespace

bool plan_short_rows(const map_plan& plan, std::span<const jump> jumps, fused_plan& fused) {
  if (plan.has_more_numbers()) return false;
  row_finder finder(plan, fused.nest, jumps);
  short_row_operand operands[max_operands];
  if (!finder.has_rows() || !finder.find(operands)) return false;
  constexpr int most_instructions = 1024;
  kernel_key key = fused.key;
  key.form = kernel_form::short_rows;
  key.dims = static_cast<std::uint8_t>(finder.columns());
  key.lanes = short_rows_per_thread;
  key.copies = expression_copies::each;
  for (int i = 0; i < plan.n_inputs; ++i) {
    const bool is_number = plan.inputs[i].kind == input_kind::constant;
    key.inputs[i] = {is_number ? access::constant_bits : access::contiguous, plan.inputs[i].type};
    key.inputs[i].row = operands[i];
  }
  if (instructions_of_rows(key) > most_instructions) return false;
  fused.key = key;
  return true;
}

const char* short_rows_begin(const map_plan& plan, int i, const operand_class& operand,
                             std::span<const jump> jumps) {
  const input& in = plan.inputs[i];
  if (in.kind == input_kind::constant) return nullptr;
  const auto* first = static_cast<const char*>(in.data);
  for (const jump& j : jumps)
    if (j.input == i && (j.begin > 0 || j.end <= 0)) first += j.bytes;
  return first - operand.row.places[0] * itemsize(in.type);
}

namespace {

constexpr const char* each_column = "#pragma unroll\n    for (int c = 0; c < dims; ++c) ";

/// Each step for all columns before the next one; once for a row if its columns have that in common.
std::string steps_of_row(const kernel_key& key, const std::string& struct_name, bool quickly) {
  std::string text;
  for (int s = 0; s < key.n_steps; ++s) {
    const int v = key.n_inputs + s;
    text += fmt::format("    {} v{}[dims];\n", type_name(value_type(key, v)), v);
    if (key.dims > 1 && is_one_for_row(key, v))
      text += fmt::format("    v{0}[0] = {1};\n{2}v{0}[c] = v{0}[0];\n", v,
                          step_call(key, s, struct_name, quickly, "[0]"), each_column);
    else
      text += fmt::format("{}v{}[c] = {};\n", each_column, v, step_call(key, s, struct_name, quickly, "[c]"));
  }
  return text;
}

}  // namespace

std::string short_rows_text(const kernel_key& key, const std::string& struct_name, bool is_quick) {
  std::string places, parameters, stores;
  for (int i = 0; i < key.n_inputs; ++i) {
    const short_row_operand& row = key.inputs[i].row;
    places += fmt::format("{}{{{}, {}, {{{}, {}, {}, {}}}}}", i ? ", " : "", row.leader, row.width,
                          row.places[0], row.places[1], row.places[2], row.places[3]);
    parameters += fmt::format(", const {} (&v{})[dims]", type_name(key.inputs[i].type), i);
  }
  for (int k = 0; k < key.n_stores; ++k) {
    parameters += fmt::format(", {} (&s{})[dims]", type_name(value_type(key, key.stores[k])), k);
    stores += fmt::format("{}s{}[c] = v{}[c];\n", each_column, k, key.stores[k]);
  }
  const int last = key.n_steps ? key.n_inputs + key.n_steps - 1 : 0;
  const std::string value = value_type(key, last) == key.out
                                ? fmt::format("v{}[c]", last)
                                : fmt::format("kernel::cast<{}>(v{}[c])", type_name(key.out), last);
  const auto call = [&](const char* name, const char* first, bool quickly) {
    return fmt::format(
        "  static __device__ __forceinline__ void {}({}result (&results)[dims]{}) {{\n{}{}{}results[c] "
        "= {};\n  }}\n",
        name, first, parameters, steps_of_row(key, struct_name, quickly), stores, each_column, value);
  };
  return fmt::format("  static constexpr short_row_operand places[] = {{{}}};\n", places) +
         call("call_row", "", false) +
         (is_quick ? "  struct quick_values : number_range {};\n" +
                         call("call_row_quickly", "quick_values& quick, ", true)
                   : "");
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
