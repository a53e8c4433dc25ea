#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/scratch.hpp>
#include <cuda/sorting/merge_params.hpp>
#include <cuda/sorting/radix_sorter.hpp>
#include <cuda/sorting/sort.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

void run_merge(const sort_plan& plan, queue q, memory_pool& pool) {
  constexpr const char* operation = "merge";
  const merge_kernels kernels = find_merge_kernels(plan.type, plan.order != nullptr);
  const std::int64_t n_tiles = ceil_div(plan.n, kernels.tile);
  const scratch cuts(pool, static_cast<std::size_t>(n_tiles + 1) * sizeof(std::int64_t), q.stream);
  const merge_params p{
      plan.first,        plan.second, plan.sorted, plan.order, static_cast<std::int64_t*>(cuts.data()),
      rule_of(plan.type)};
  launch(operation, kernels.find_cuts, ceil_div(n_tiles + 1, merge_threads), merge_threads, p, q);
  launch(operation, kernels.merge, n_tiles, merge_threads, p, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
