// Straight lines between points: the search for each line, and all its arithmetic while what has been found
// is in the first-level cache.
#include <algorithm>
#include <limits>

#include <host/sorting/search.hpp>
#include <host/support/clones.hpp>
#include <host/support/operations.hpp>
#include <host/support/thread_pool.hpp>
#include <kernel/arithmetic.hpp>
#include <kernel/cast.hpp>
#include <kernel/compare.hpp>
#include <plan/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

constexpr std::int64_t block = 256;

/// The two points of the line of each x.
template<class F>
struct line_ends {
  double x0[block], x1[block];
  F f0[block], f1[block];
};

template<class F>
struct limits {
  double begin, end;
  F left, last, right;
};

/// r[k] becomes value(k) where a condition holds: one at a time, for g++ does not vectorise selections that
/// depend on each other.
template<class F, class Condition, class Value>
__attribute__((always_inline)) inline void replace_where(F* r, std::int64_t n, Condition condition,
                                                         Value value) {
#pragma omp simd
  for (std::int64_t k = 0; k < n; ++k) r[k] = condition(k) ? value(k) : r[k];
}

/// The arithmetic of core/statistics/interpolation.cpp, whose bits it has.
template<class F>
__attribute__((always_inline)) inline void follow_lines(const line_ends<F>& ends, const limits<F>& limit,
                                                        const double* x, F* r, std::int64_t n) {
#define GPARRAY_AT(expression) \
  [&]([[maybe_unused]] std::int64_t k) __attribute__((always_inline)) { return expression; }
  F slope[block];
#pragma omp simd
  for (std::int64_t k = 0; k < n; ++k)
    slope[k] = (ends.f1[k] - ends.f0[k]) / kernel::cast<F>(ends.x1[k] - ends.x0[k]);
#pragma omp simd
  for (std::int64_t k = 0; k < n; ++k) r[k] = slope[k] * kernel::cast<F>(x[k] - ends.x0[k]) + ends.f0[k];
  long nans = 0;
#pragma omp simd reduction(| : nans)
  for (std::int64_t k = 0; k < n; ++k) nans |= kernel::is_nan(r[k]) ? 1 : 0;
  if (nans != 0) {
    // Infinities may cancel on one side of the interval and not on the other.
    replace_where(r, n, GPARRAY_AT(kernel::is_nan(r[k])),
                  GPARRAY_AT(slope[k] * kernel::cast<F>(x[k] - ends.x1[k]) + ends.f1[k]));
    replace_where(r, n, GPARRAY_AT(kernel::is_nan(r[k]) & (ends.f0[k] == ends.f1[k])),
                  GPARRAY_AT(ends.f0[k]));
  }
  replace_where(r, n, GPARRAY_AT(x[k] == ends.x0[k]), GPARRAY_AT(ends.f0[k]));
  replace_where(r, n, GPARRAY_AT(x[k] == limit.end), GPARRAY_AT(limit.last));
  replace_where(r, n, GPARRAY_AT(x[k] > limit.end), GPARRAY_AT(limit.right));
  replace_where(r, n, GPARRAY_AT(x[k] < limit.begin), GPARRAY_AT(limit.left));
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  replace_where(r, n, GPARRAY_AT(x[k] != x[k]), GPARRAY_AT(kernel::cast<F>(nan)));
#undef GPARRAY_AT
}

GPARRAY_CLONES void follow(const line_ends<double>& ends, const limits<double>& limit, const double* x,
                           double* r, std::int64_t n) {
  follow_lines(ends, limit, x, r, n);
}
void follow(const line_ends<kernel::complex<double>>& ends, const limits<kernel::complex<double>>& limit,
            const double* x, kernel::complex<double>* r, std::int64_t n) {
  follow_lines(ends, limit, x, r, n);
}

template<class F>
void interpolate_typed(const core::interpolation_plan& plan) {
  const double* const points = plan.points;
  const F* const f = static_cast<const F*>(plan.f);
  F* const out = static_cast<F*>(plan.out);
  const std::int64_t last = plan.n - 1, last_line = std::max<std::int64_t>(plan.n - 2, 0),
                     next = std::min<std::int64_t>(last, 1);
  const limits<F> limit{points[0], points[last], plan.left ? kernel::cast<F>(*plan.left) : f[0], f[last],
                        plan.right ? kernel::cast<F>(*plan.right) : f[last]};
  parallel_for(plan.count, serial_elements / 16, [&](std::int64_t begin, std::int64_t end) {
    line_ends<F> ends;
    for (std::int64_t i = begin; i < end; i += block) {
      const std::int64_t count = std::min(block, end - i);
      const double* const x = plan.x + i;
      for (std::int64_t k = 0; k < count; k += searches_together) {
        const std::int64_t few = std::min<std::int64_t>(searches_together, count - k);
        std::int64_t positions[searches_together];
        search_some(points, plan.n, true, x + k, positions, few);
        for (std::int64_t j = 0; j < few; ++j) {
          const std::int64_t low = std::clamp<std::int64_t>(positions[j] - 1, 0, last_line);
          ends.x0[k + j] = points[low];
          ends.x1[k + j] = points[low + next];
          ends.f0[k + j] = f[low];
          ends.f1[k + j] = f[low + next];
        }
      }
      follow(ends, limit, x, out + i, count);
    }
  });
}

}  // namespace

void interpolate(const core::interpolation_plan& plan) {
  if (plan.type == dtype::float64) interpolate_typed<double>(plan);
  else interpolate_typed<kernel::complex<double>>(plan);
}

}  // namespace host
GPARRAY_END_NAMESPACE
