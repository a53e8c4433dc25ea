#include "random.hpp"

#include <algorithm>

#include "launch.hpp"
#include "random_params.hpp"

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
  launch("drawing random numbers", found.kernel, ceil_div(p.blocks, random_threads), random_threads, p, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
