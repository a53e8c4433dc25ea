// expm_multiply: Algorithm 3.2 of Al-Mohy and Higham, SIAM J. Sci. Comput. 33, 2011.
#include <cmath>

#include <core/sparse/linalg/iterative_solver.hpp>
#include <gparray/sparse/linalg/exponential.hpp>
#include <support/errors.hpp>
#include <support/shape_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

struct degree {
  int terms;
  double theta;
};
/// Up to which 1-norm so many terms are exact to double precision: the article's table 3.1.
constexpr degree degrees[] = {
    {1, 2.29e-16}, {2, 2.58e-8},  {3, 1.39e-5},  {4, 3.40e-4},  {5, 2.40e-3},  {6, 9.07e-3},  {7, 2.38e-2},
    {8, 5.00e-2},  {9, 8.96e-2},  {10, 1.44e-1}, {11, 2.14e-1}, {12, 3.00e-1}, {13, 4.00e-1}, {14, 5.14e-1},
    {15, 6.41e-1}, {16, 7.81e-1}, {17, 9.31e-1}, {18, 1.09},    {19, 1.26},    {20, 1.44},    {21, 1.62},
    {22, 1.82},    {23, 2.01},    {24, 2.22},    {25, 2.43},    {26, 2.64},    {27, 2.86},    {28, 3.08},
    {29, 3.31},    {30, 3.54},    {35, 4.7},     {40, 6.0},     {45, 7.2},     {50, 8.5},     {55, 9.9}};

struct steps {
  int terms;
  std::int64_t count;
};

/// The degree and the number of steps with the fewest products.
steps cheapest(double norm) {
  if (!std::isfinite(norm)) throw value_error("expm_multiply: A has infinities or NaNs");
  steps best{0, 1};
  double least = std::numeric_limits<double>::infinity();
  for (const degree& d : degrees) {
    const double count = std::max(1.0, std::ceil(norm / d.theta)), cost = count * d.terms;
    if (cost >= least) continue;
    least = cost;
    best = {d.terms, static_cast<std::int64_t>(count)};
  }
  return best;
}

/// The largest row sum of magnitudes.
template<class V>
double norm_of(const ndarray<V>& x) {
  const auto magnitudes = abs(x);
  return x.ndim() == 1 ? static_cast<double>(max(magnitudes).item())
                       : static_cast<double>(max(sum(magnitudes, 1)).item());
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

void check_expm(const dims& a, const dims& b) {
  if (a[0] != a[1]) throw value_error("expected A to be like a square matrix");
  if (b.empty() || b.size() > 2 || b[0] != a[0])
    fail<value_error>("shapes of matrices A {} and B {} are incompatible", python_text(a), python_text(b));
}

std::vector<double> expm_times(double start, double stop, std::int64_t num, bool endpoint) {
  if (num < 1) fail<value_error>("expm_multiply: num must be at least 1, not {}", num);
  const double step =
      (stop - start) / static_cast<double>(endpoint ? std::max<std::int64_t>(num - 1, 1) : num);
  std::vector<double> times;
  for (std::int64_t i = 0; i < num; ++i)
    times.push_back(endpoint && i + 1 == num && num > 1 ? stop : start + static_cast<double>(i) * step);
  return times;
}

template<class V>
ndarray<V> expm_multiply(const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& b, double t, V shift,
                         double norm) {
  using R = real_t<V>;
  if (b.size() == 0 || t == 0) return b.copy();
  const double tolerance = std::numeric_limits<R>::epsilon() / 2;
  const steps plan = cheapest(norm * std::abs(t));
  const V factor = std::exp(shift * V(static_cast<R>(t / static_cast<double>(plan.count))));
  ndarray<V> sum = b.copy();
  for (std::int64_t step = 0; step < plan.count; ++step) {
    ndarray<V> term = sum;
    double before = norm_of(term);
    for (int j = 1; j <= plan.terms; ++j) {
      const V by = V(static_cast<R>(t / static_cast<double>(plan.count * j)));
      term = by * (term.ndim() == 1 ? a.matvec(term) : a.matmat(term));
      const double now = norm_of(term);
      sum = sum + term;
      if (before + now <= tolerance * norm_of(sum)) break;
      before = now;
    }
    sum = factor * sum;
  }
  return sum;
}

#define GPARRAY_INSTANCE(V)                                                                          \
  template ndarray<V> expm_multiply(const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& b, \
                                    double t, V shift, double norm)
GPARRAY_FOR_SOLVER_ELEMENTS(GPARRAY_INSTANCE);
#undef GPARRAY_INSTANCE

}  // namespace detail
GPARRAY_END_NAMESPACE
