// Reductions of inputs that jump, by the CPU.
#pragma once
#include <algorithm>
#include <vector>

#include <plan/backend.hpp>
#include <plan/jumping_plan.hpp>

namespace fake {

using namespace gparray;

/// The same as the CPU's reduce(), which takes no jumps: what is reduced is stored first.
inline void reduce_stored_jumps(const core::reduce_plan& plan) {
  if (plan.jumping.n_jumps == 0) return core::host_backend().reduce(plan, {});
  core::jumping_plan values;
  static_cast<core::jump_list&>(values) = plan.jumping;
  core::map_plan& map = values.map = plan.map;
  const auto item = static_cast<std::int64_t>(itemsize(plan.element));
  std::vector<std::byte> memory(static_cast<std::size_t>(map.size * item));
  map.out.data = memory.data();
  map.out.type = plan.element;
  std::int64_t stride = item;
  for (int d = map.ndim - 1; d >= 0; stride *= map.shape[d--]) map.out.strides[d] = stride;
  core::host_backend().map_jumping(values, {});
  core::reduce_plan stored = plan;
  stored.jumping.n_jumps = 0;
  stored.map.n_steps = 0;
  stored.map.n_inputs = 1;
  stored.map.inputs[0].kind = core::input_kind::array;
  stored.map.inputs[0].type = plan.element;
  stored.map.inputs[0].data = memory.data();
  std::copy_n(map.out.strides, map.ndim, stored.map.inputs[0].strides);
  core::host_backend().reduce(stored, {});
}

}  // namespace fake
