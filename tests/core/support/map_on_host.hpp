// A map of a GPU's, computed by the CPU backend.
#pragma once
#include <plan/backend.hpp>

namespace fake {

/// Values that are stored where elements do not lie side by side, which a CPU does not do, are computed one
/// by one.
inline void map_on_host(gparray::core::map_plan& plan) {
  std::int64_t side_by_side = static_cast<std::int64_t>(itemsize(plan.out.type));
  bool is_packed = true;
  for (int d = plan.ndim; d-- > 0; side_by_side *= plan.shape[d])
    is_packed = is_packed && plan.out.strides[d] == side_by_side;
  for (; !is_packed && plan.n_stores > 0; --plan.n_stores) {
    const gparray::core::stored_value& stored = plan.stores[plan.n_stores - 1];
    gparray::core::map_plan alone = plan;
    alone.n_stores = 0;
    alone.n_steps = stored.value - plan.n_inputs + 1;
    alone.out.data = stored.data;
    alone.out.type = plan.value_type(stored.value);
    for (int d = 0; d < plan.ndim; ++d) alone.out.strides[d] = plan.store_stride(plan.n_stores - 1, d);
    gparray::core::host_backend().map(alone, {});
  }
  gparray::core::host_backend().map(plan, {});
}

}  // namespace fake
