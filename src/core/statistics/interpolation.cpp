#include <core/creation/typed.hpp>
#include <core/indexing/selection.hpp>
#include <core/manipulation/typed.hpp>
#include <core/math/typed.hpp>
#include <core/reduction/typed.hpp>
#include <core/sorting/sort_plans.hpp>
#include <core/sorting/typed.hpp>
#include <gparray/statistics/interpolation.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

namespace {

void check_interp(const any_array& xp, const any_array& fp, const std::optional<double>& period) {
  if (period) {
    if (*period == 0) throw value_error("period must be a non-zero value");
    if (xp.ndim() != 1 || fp.ndim() != 1) throw value_error("Data points must be 1-D sequences");
    if (xp.shape(0) != fp.shape(0)) throw value_error("fp and xp are not of the same length");
  }
  if (xp.ndim() > 1 || fp.ndim() > 1) throw value_error("object too deep for desired array");
  if (xp.ndim() < 1 || fp.ndim() < 1) throw value_error("object of too small depth for desired array");
  if (xp.size() == 0) throw value_error("array of sample points is empty");
  if (xp.size() != fp.size()) throw value_error("fp and xp are not of the same length.");
}

/// v[numbers + shift], which are there.
template<element V>
ndarray<V> picked(const ndarray<V>& v, const ndarray<std::int64_t>& numbers, std::int64_t shift = 0) {
  return typed<V>(core::elements_at(v, numbers, shift));
}

/// The number, or without one the element.
template<element F>
ndarray<F> or_element(const std::optional<double>& number, const ndarray<F>& element) {
  return number ? full<F>(dims{}, F(*number), {.device = element.device()}) : element;
}

/// Nothing here waits for a GPU. The steps have the bits of core::on_lines.
template<element F>
ndarray<F> between_points(const ndarray<double>& any_x, const ndarray<double>& xp, const ndarray<F>& fp,
                          const interp_options& options) {
  if (any_array at_once = core::on_lines(any_x, xp, fp, options.left, options.right); at_once.rep())
    return typed<F>(std::move(at_once));
  const ndarray<double> x = ravel(any_x);
  const std::int64_t n = xp.size();
  // The interval of each x; every interval's slope is computed where it is needed.
  const ndarray<std::int64_t> low =
      clip(searchsorted(xp, x, "right") - 1, 0, std::max<std::int64_t>(n - 2, 0));
  const std::int64_t next = std::min<std::int64_t>(n - 1, 1);
  const ndarray<double> x0 = picked(xp, low), x1 = picked(xp, low, next);
  const ndarray<F> f0 = picked(fp, low), f1 = picked(fp, low, next);
  const ndarray<F> slope = (f1 - f0) / (x1 - x0);
  ndarray<F> result = slope * (x - x0) + f0;
  // Infinities may cancel on one side of the interval and not on the other.
  result = where(isnan(result), slope * (x - x1) + f1, result);
  result = where(isnan(result) & (f0 == f1), f0, result);
  result = where(x == x0, f0, result);
  const ndarray<double> begin = xp(0), end = xp(-1);
  const ndarray<F> first = fp(0), last = fp(-1);
  result = where(x == end, last, result);
  result = where(x < begin, or_element(options.left, first),
                 where(x > end, or_element(options.right, last), result));
  result = where(isnan(x), F(std::numeric_limits<double>::quiet_NaN()), result);
  return result.reshape(any_x.shape());
}

template<element F>
ndarray<F> interpolated(ndarray<double> x, ndarray<double> xp, ndarray<F> fp, const interp_options& options) {
  check_interp(xp, fp, options.period);
  for (const device other : {xp.device(), fp.device()})
    if (other != x.device()) core::throw_device_mismatch("interp", x.device(), other);
  if (!options.period) return between_points(x, xp, fp, options);
  const double period = std::abs(*options.period);
  x = mod(x, period);
  xp = mod(xp, period);
  const ndarray<std::int64_t> order = argsort(xp);
  xp = take(xp, order);
  fp = take(fp, order);
  xp = concatenate(
      {ndarray<double>(xp(slice(-1, none)) - period), xp, ndarray<double>(xp(slice(none, 1)) + period)});
  fp = concatenate({ndarray<F>(fp(slice(-1, none))), fp, ndarray<F>(fp(slice(none, 1)))});
  return between_points(x, xp, fp, {});
}

}  // namespace

ndarray<double> interp(const ndarray<double>& x, const ndarray<double>& xp, const ndarray<double>& fp,
                       const interp_options& options) {
  return interpolated(x, xp, fp, options);
}
ndarray<std::complex<double>> interp(const ndarray<double>& x, const ndarray<double>& xp,
                                     const ndarray<std::complex<double>>& fp, const interp_options& options) {
  return interpolated(x, xp, fp, options);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
