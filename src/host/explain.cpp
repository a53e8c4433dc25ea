#include <fmt/format.h>

#include <host/explain.hpp>
#include <host/map/tile_program.hpp>
#include <host/reduction/reduce_kernels.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

std::string tiles_text(const core::map_plan& plan) {
  const tile_program program(plan);
  return fmt::format("all steps on {} elements at a time, which stay in the first-level cache",
                     program.tile_size());
}

}  // namespace

std::string explain(const core::map_plan& plan) {
  if (plan.n_steps == 0) return "on the CPU: a copy\n";
  if (plan.n_steps == 1) return "on the CPU: one loop\n";
  return fmt::format("on the CPU: fused by tiles: {}\n", tiles_text(plan));
}

std::string explain(const core::reduce_plan& plan) {
  if (plan.map.n_steps == 0) return "on the CPU: one pass over memory\n";
  return fmt::format("on the CPU: one pass over memory, blocks of {} elements; {}\n", reduce_block,
                     tiles_text(plan.map));
}

}  // namespace host
GPARRAY_END_NAMESPACE
