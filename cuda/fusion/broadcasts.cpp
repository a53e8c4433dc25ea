#include <cuda/fusion/broadcasts.hpp>
#include <cuda/runtime/map_launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// Whether whatever lies side by side does so in whole packs, which are aligned.
bool has_whole_packs(const map_plan& plan, const fused_plan& fused) {
  const kernel_key& key = fused.key;
  const loop_nest& nest = fused.nest;
  if (nest.inner_size() % key.lanes != 0 || !stores_aligned_packs(plan, fused)) return false;
  for (int i = 0; i < plan.n_inputs; ++i)
    if (key.inputs[i].mode == access::contiguous &&
        !has_aligned_packs(plan.inputs[i].data, plan.inputs[i].type, nest, 1 + i, key.lanes))
      return false;
  return true;
}

}  // namespace

bool plan_broadcast(const map_plan& plan, fused_plan& fused) {
  const loop_nest& nest = fused.nest;
  kernel_key& key = fused.key;
  if (nest.ndim < 2 || nest.size < common_rows.plenty * map_threads * key.lanes ||
      !has_whole_packs(plan, fused))
    return false;
  bool repeats = false;
  for (int i = 0; i < plan.n_inputs; ++i)
    repeats =
        repeats || ((key.inputs[i].mode == access::contiguous || key.inputs[i].mode == access::strided) &&
                    is_same_in_rows(nest, 1 + i));
  if (!repeats) return false;
  key.form = kernel_form::broadcast;
  key.dims = static_cast<std::uint8_t>(nest.ndim - 1);
  for (int i = 0; i < plan.n_inputs; ++i)
    if (is_same_in_rows(nest, 1 + i)) key.sharing[i] = row_sharing::same;
  return true;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
