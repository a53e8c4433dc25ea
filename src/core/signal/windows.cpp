// NumPy's window functions: bartlett, blackman, hamming, hanning, kaiser.
#include <algorithm>
#include <numbers>

#include <core/array/generate.hpp>
#include <core/creation/typed.hpp>
#include <gparray/signal/windows.hpp>
#include <gparray/ufunc/operators.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// A value in the plan of a window. Written with these a formula reads as it does on arrays, has their steps,
/// and so their bits, but needs no array of the points that it is made of.
struct value {
  plan_builder* plan;
  int number;
};

value apply(ufunc op, value a) { return {a.plan, a.plan->apply(op, dtype::float64, {a.number})}; }
value apply(ufunc op, value a, value b) {
  return {a.plan, a.plan->apply(op, dtype::float64, {a.number, b.number})};
}
value constant(value like, double x) {
  return {like.plan, like.plan->constant(dtype::float64, constant_bits(x, dtype::float64))};
}

value operator+(value a, value b) { return apply(ufunc::add, a, b); }
value operator+(double a, value b) { return apply(ufunc::add, constant(b, a), b); }
value operator-(double a, value b) { return apply(ufunc::subtract, constant(b, a), b); }
value operator-(value a, double b) { return apply(ufunc::subtract, a, constant(a, b)); }
value operator*(double a, value b) { return apply(ufunc::multiply, constant(b, a), b); }
value operator/(value a, double b) { return apply(ufunc::divide, a, constant(a, b)); }

/// What `formula` makes of M points: `first`, and so on in steps of `step`; and of M - 1. Windows of fewer
/// than two points are empty, or one.
template<class Formula>
ndarray<double> window(std::int64_t M, std::int64_t first, std::int64_t step, const array_options& options,
                       Formula formula) {
  if (M < 1) return gparray::zeros(0, options);
  if (M == 1) return gparray::ones(1, options);
  any_array result = detail::create(dims(M), dtype::float64, options);
  generate(result, [&](plan_builder& b) {
    const value n{&b, b.cast(b.iota(first, dims(step)), dtype::float64)};
    return formula(n, static_cast<double>(M - 1)).number;
  });
  return detail::typed<double>(std::move(result));
}

/// Of 1 - M, 3 - M, ... M - 1, which are symmetric about 0.
template<class Formula>
ndarray<double> symmetric_window(std::int64_t M, const array_options& options, Formula formula) {
  return window(M, 1 - std::max<std::int64_t>(M, 1), 2, options, formula);
}

}  // namespace

}  // namespace core

using namespace core;

ndarray<double> bartlett(std::int64_t M, const array_options& options) {
  return symmetric_window(M, options, [](value n, double last) {
    const value is_left = apply(ufunc::less_equal, n, constant(n, 0));
    const value left = 1 + n / last, right = 1 - n / last;
    return value{n.plan,
                 n.plan->apply(ufunc::where, dtype::float64, {is_left.number, left.number, right.number})};
  });
}

ndarray<double> blackman(std::int64_t M, const array_options& options) {
  return symmetric_window(M, options, [](value n, double last) {
    return 0.42 + 0.5 * apply(ufunc::cos, std::numbers::pi * n / last) +
           0.08 * apply(ufunc::cos, 2.0 * std::numbers::pi * n / last);
  });
}

ndarray<double> hamming(std::int64_t M, const array_options& options) {
  return symmetric_window(M, options, [](value n, double last) {
    return 0.54 + 0.46 * apply(ufunc::cos, std::numbers::pi * n / last);
  });
}

ndarray<double> hanning(std::int64_t M, const array_options& options) {
  return symmetric_window(M, options, [](value n, double last) {
    return 0.5 + 0.5 * apply(ufunc::cos, std::numbers::pi * n / last);
  });
}

ndarray<double> kaiser(std::int64_t M, double beta, const array_options& options) {
  const double whole = i0(gparray::full(dims{}, beta, {.device = device::cpu()})).item();  // a kernel less
  return window(M, 0, 1, options, [=](value n, double last) {
    const double alpha = last / 2;
    const value x = (n - alpha) / alpha;
    return apply(ufunc::i0, beta * apply(ufunc::sqrt, 1.0 - apply(ufunc::square, x))) / whole;
  });
}

GPARRAY_END_NAMESPACE
