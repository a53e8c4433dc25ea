// Reductions of runs of values, one value after the other.
#include <host/support/operations.hpp>
#include <host/support/thread_pool.hpp>
#include <kernel/reductions.hpp>
#include <plan/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

template<class Reduction, class T>
void reduce_runs(const core::run_plan& plan) {
  using result = typename Reduction::result;
  const T* const values = static_cast<const T*>(plan.values);
  result* const out = static_cast<result*>(plan.out);
  const std::int64_t length = plan.n / std::max<std::int64_t>(plan.count, 1) + 1;
  parallel_for(plan.rows * plan.count, serial_elements / length + 1,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   const std::int64_t row = i / plan.count, run = i % plan.count;
                   const T* const x = values + row * plan.n;
                   auto state = Reduction::identity();
                   for (std::int64_t j = plan.begins[run]; j < plan.ends[run]; ++j)
                     Reduction::add(state, x[j], j);
                   out[i] = Reduction::finish(state, plan.ends[run] - plan.begins[run], 0);
                 }
               });
}

template<class T>
void reduce_runs_of(const core::run_plan& plan) {
  switch (plan.op) {
#define GPARRAY_REDUCTION(name, domain, accumulator, result, empty, masked, fold, runs, doc) \
  case reduction::name:                                                                      \
    if constexpr (runs) return reduce_runs<kernel::name##_reduction<T>, T>(plan);            \
    break;
#include <gparray/tables/reductions.def>
  }
}

}  // namespace

void reduce_runs(const core::run_plan& plan) {
  switch (plan.type) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return reduce_runs_of<kernel_type>(plan);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
