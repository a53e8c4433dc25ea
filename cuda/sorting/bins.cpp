#include <algorithm>

#include <cuda/runtime/launch.hpp>
#include <cuda/sorting/order_params.hpp>
#include <cuda/sorting/sort.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

void run_count_bins(const bin_plan& plan, queue q) {
  const char* const what = "counting numbers";
  // As many blocks as a large GPU runs at once: each of more would add its counts to those of all.
  constexpr std::int64_t most_blocks = 8 * 132;
  call<&rt::cudaMemsetAsync>(what, plan.out, 0, static_cast<std::size_t>(plan.n_bins) * 8,
                             stream_of(q.stream));
  if (plan.n == 0) return;
  bin_params p;
  p.numbers = plan.numbers;
  p.elements = plan.elements;
  p.edges = plan.edges;
  p.counts = reinterpret_cast<unsigned long long*>(plan.out);
  p.n = plan.n;
  const bool few = plan.n_bins <= few_bins;
  p.n_bins = few ? static_cast<std::uint32_t>(plan.n_bins) : 0;
  // A block has to count more than it then adds.
  p.per_block = std::max({numbers_per_block, ceil_div(plan.n, most_blocks), few ? 2 * plan.n_bins : 0});
  launch(what, plan.numbers ? find_bin_kernel(few) : find_between_kernel(plan.type),
         ceil_div(plan.n, p.per_block), order_threads, p, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
