// How the CPU carries out a plan, as text for gp::explain.
#include <fmt/format.h>

#include <host/map/tile_program.hpp>
#include <host/reduction/reduce_kernels.hpp>
#include <plan/explain.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

std::string tiles_text(const map_plan& plan) {
  const host::tile_program program(plan);
  return fmt::format("all steps on {} elements at a time, which stay in the first-level cache",
                     program.tile_size());
}

}  // namespace

std::string cpu_text(const map_plan& plan) {
  if (plan.n_steps == 0) return "on the CPU: a copy\n";
  if (plan.n_steps == 1) return "on the CPU: one loop\n";
  return fmt::format("on the CPU: fused by tiles: {}\n", tiles_text(plan));
}

std::string cpu_text(const reduce_plan& plan) {
  if (plan.map.n_steps == 0) return "on the CPU: one pass over memory\n";
  return fmt::format("on the CPU: one pass over memory, blocks of {} elements; {}\n", host::reduce_block,
                     tiles_text(plan.map));
}

}  // namespace core
GPARRAY_END_NAMESPACE
