#include <algorithm>

#include <cuda/random/random.hpp>
#include <cuda/random/random_params.hpp>
#include <cuda/runtime/launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

void run_random(const random_plan& plan, queue q) {
  const bool arrays = std::any_of(std::begin(plan.parameters), std::end(plan.parameters),
                                  [](const random_parameter& x) { return x.data != nullptr; });
  random_kernel found = find_block_kernel(plan.op, plan.type, arrays);
  if (!found.kernel) found = find_element_kernel(plan.op);
  random_params p;
  p.out = plan.out;
  p.size = plan.size;
  p.position = plan.position;
  const auto lanes = static_cast<std::uint64_t>(found.lanes);
  p.blocks = ceil_div(static_cast<std::int64_t>(plan.position % lanes) + plan.size, found.lanes);
  p.key = {static_cast<unsigned>(plan.key), static_cast<unsigned>(plan.key >> 32)};
  for (unsigned round = 0; round < kernel::philox_rounds; ++round)
    p.schedule.keys[round] = kernel::round_key(p.key, round);
  std::copy(std::begin(plan.parameters), std::end(plan.parameters), p.parameters);
  p.table = plan.table;
  p.count = plan.count;
  p.table_step = plan.table_step;
  p.narrow = plan.type == dtype::float32;
  p.rounds = lanes > 1 && p.blocks >= few_random_blocks ? random_rounds : 1;
  const std::int64_t of_a_block = std::int64_t{random_threads} * p.rounds;
  const std::int64_t launched = ceil_div(p.blocks, of_a_block);
  const auto skipped = static_cast<std::int64_t>(plan.position % lanes);
  // The elements of a Philox block are stored as one where all are in the array and the first is aligned.
  const std::size_t pack = lanes * static_cast<std::size_t>(itemsize(plan.type));
  const std::size_t start = static_cast<std::size_t>(skipped) * static_cast<std::size_t>(itemsize(plan.type));
  if (p.rounds > 1 && (reinterpret_cast<std::uintptr_t>(plan.out) - start) % pack == 0) {
    p.inner_begin = skipped > 0 ? 1 : 0;
    const std::int64_t inner_end = (skipped + plan.size) / (of_a_block * found.lanes);
    p.inner_count = static_cast<unsigned>(std::max<std::int64_t>(inner_end - p.inner_begin, 0));
  }
  launch("drawing random numbers", found.kernel, launched, random_threads, p, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
