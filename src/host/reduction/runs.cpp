// Reductions of runs of values, and of values with one number, one value after the other.
#include <mutex>
#include <vector>

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

/// Each thread counts for itself where that is little memory; sums are added up in order, by one.
void count(const core::bin_plan& plan) {
  std::int64_t* const out = static_cast<std::int64_t*>(plan.out);
  std::fill_n(out, plan.n_bins, std::int64_t{0});
  const bool shared = plan.n_bins < plan.n / 16;
  std::mutex adding;
  parallel_for(plan.n, shared ? serial_elements : plan.n, [&](std::int64_t begin, std::int64_t end) {
    if (!shared) {
      for (std::int64_t i = begin; i < end; ++i) ++out[plan.numbers[i]];
      return;
    }
    std::vector<std::int64_t> counts(static_cast<std::size_t>(plan.n_bins));
    for (std::int64_t i = begin; i < end; ++i) ++counts[static_cast<std::size_t>(plan.numbers[i])];
    const std::lock_guard lock(adding);
    for (std::size_t b = 0; b < counts.size(); ++b) out[b] += counts[b];
  });
}

}  // namespace

void count_bins(const core::bin_plan& plan) {
  if (!plan.weights) return count(plan);
  double* const out = static_cast<double*>(plan.out);
  std::fill_n(out, plan.n_bins, 0.0);
  for (std::int64_t i = 0; i < plan.n; ++i) out[plan.numbers[i]] += plan.weights[i];
}

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
