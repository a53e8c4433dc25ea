#include <algorithm>

#include <cuda/fusion/stencils.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// Rows of a thread.
constexpr int rows_at_once = 4;
/// Fewer elements, or columns, than these would leave threads idle.
constexpr std::int64_t fewest_elements = std::int64_t{1} << 19, fewest_columns = 128;

/// Neighbouring threads load elements side by side, one each: of bytes and halves these are parts of lines.
bool is_wide(dtype type) { return itemsize(type) == 4 || itemsize(type) == 8; }

/// Which operand has at each place what operand i has in the next row; -1: none.
int next_row_of(const map_plan& plan, const loop_nest& nest, int i) {
  const std::int64_t* const strides = nest.strides[1 + i];
  const std::int64_t distance = strides[nest.ndim - 2];
  if (plan.inputs[i].kind != input_kind::array || distance == 0) return -1;
  for (int j = 0; j < plan.n_inputs; ++j) {
    const input &in = plan.inputs[i], &other = plan.inputs[j];
    if (other.kind == input_kind::array && other.type == in.type &&
        reinterpret_cast<std::uintptr_t>(other.data) - reinterpret_cast<std::uintptr_t>(in.data) ==
            static_cast<std::uintptr_t>(distance) &&
        std::equal(strides, strides + nest.ndim, nest.strides[1 + j]))
      return j;
  }
  return -1;
}

}  // namespace

bool plan_stencil(const map_plan& plan, fused_plan& fused) {
  const loop_nest& nest = fused.nest;
  kernel_key& key = fused.key;
  if (nest.ndim < 2 || plan.n_stores > 0 || nest.size < fewest_elements ||
      nest.inner_size() < fewest_columns || nest.shape[nest.ndim - 2] < rows_at_once || !is_wide(key.out))
    return false;
  int n_arrays = 0, n_next = 0, next[max_inputs];
  std::int64_t distance = 0;
  for (int i = 0; i < plan.n_inputs; ++i) {
    next[i] = -1;
    if (key.inputs[i].mode == access::constant_bits) continue;
    if (key.inputs[i].mode != access::contiguous || !is_wide(key.inputs[i].type)) return false;
    const std::int64_t distance_of = nest.strides[1 + i][nest.ndim - 2];
    if (n_arrays > 0 && distance_of != distance) return false;
    distance = distance_of;
    next[i] = next_row_of(plan, nest, i);
    ++n_arrays;
    n_next += next[i] >= 0;
  }
  if (3 * n_next < n_arrays || n_next == 0) return false;
  key.form = kernel_form::stencil;
  key.lanes = rows_at_once;
  for (int i = 0; i < plan.n_inputs; ++i) key.inputs[i].row.leader = static_cast<std::uint8_t>(next[i] + 1);
  return true;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
