#include <algorithm>

#include <host/sorting/search.hpp>
#include <host/support/operations.hpp>
#include <host/support/thread_pool.hpp>
#include <plan/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

template<class T>
void search_typed(const core::search_plan& plan) {
  const T* const sorted = static_cast<const T*>(plan.sorted);
  const T* const values = static_cast<const T*>(plan.values);
  parallel_for(plan.count, serial_elements / 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; i += searches_together) {
      const std::int64_t count = std::min<std::int64_t>(searches_together, end - i);
      if (!plan.found) {
        search_some(sorted, plan.n, plan.right, values + i, plan.out + i, count);
        continue;
      }
      std::int64_t positions[searches_together];
      search_some(sorted, plan.n, plan.right, values + i, positions, count);
      for (std::int64_t k = 0; k < count; ++k)
        plan.found[i + k] = kernel::stands_at(sorted, plan.n, positions[k], values[i + k]);
    }
  });
}

}  // namespace

void search(const core::search_plan& plan) {
  switch (plan.type) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return search_typed<kernel_type>(plan);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
