// Functions applied to lines, to elements and to parts of arrays.
#pragma once
#include <gparray/indexing.hpp>
#include <gparray/manipulation/joining.hpp>
#include <gparray/numeric.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

[[noreturn]] GPARRAY_API void throw_apply(std::string_view why);
/// Throws value_error with NumPy's text unless there are as many functions as conditions, or one more.
GPARRAY_API void check_piecewise(std::size_t conditions, std::size_t functions);

/// The array of a function's result, which may be a number.
template<class R>
auto result_array(R&& r, const device& where) {
  if constexpr (array_like<R>) return ndarray<element_t<R>>(std::forward<R>(r));
  else return array(r, {.device = where});
}

}  // namespace detail

/// Calls `f` with every line of `a` along an axis, each a vector, and puts its results (numbers or arrays of
/// one shape) in the axis' place. `f` is called once for each line, in C order. Throws value_error if there
/// are no lines.
template<class F, array_like A>
[[nodiscard]] auto apply_along_axis(F&& f, int axis, const A& a) {
  using V = detail::element_t<A>;
  const ndarray<V> lines = moveaxis(a, axis, -1);
  const std::int64_t n = lines.shape(-1);
  if (lines.size() == 0 && n > 0)
    detail::throw_apply("Cannot apply_along_axis when any iteration dimensions are 0");
  const ndarray<V> rows = lines.reshape({n > 0 ? lines.size() / n : 1, n});
  auto first = detail::result_array(f(ndarray<V>(rows(0))), a.device());
  std::vector<decltype(first)> results{first};
  for (std::int64_t i = 1; i < rows.shape(0); ++i)
    results.push_back(detail::result_array(f(ndarray<V>(rows(i))), a.device()));
  dims shape = lines.shape(), from, to;
  shape.resize(shape.size() - 1);
  const int at = axis < 0 ? axis + a.ndim() : axis;
  for (int d = 0; d < first.ndim(); ++d) {
    from.push_back(static_cast<std::int64_t>(shape.size()));
    to.push_back(at + d);
    shape.push_back(first.shape(d));
  }
  return decltype(first)(moveaxis(stack(results).reshape(shape), from, to));
}

/// Applies f(a, axis) for one axis after the other; where `f` removes the axis, it is put back with size 1.
/// Throws value_error if the result has other dimensions then.
template<class F, array_like A>
[[nodiscard]] auto apply_over_axes(F&& f, const A& a, const dims& axes) {
  const auto once = [&](const auto& x, std::int64_t axis) {
    const int along = static_cast<int>(axis < 0 ? axis + a.ndim() : axis);
    auto r = detail::result_array(f(x, along), a.device());
    if (r.ndim() == x.ndim()) return r;
    r = expand_dims(r, along);
    if (r.ndim() != x.ndim()) detail::throw_apply("function is not returning an array of the correct shape");
    return r;
  };
  using R = detail::element_t<decltype(once(a, 0))>;
  if (axes.empty()) return ndarray<R>(detail::as_elements<R>(a));
  ndarray<R> result = once(a, axes[0]);
  for (std::size_t i = 1; i < axes.size(); ++i) result = detail::as_elements<R>(once(result, axes[i]));
  return result;
}

/// A function of numbers as a function of arrays, which broadcast: vectorize(f)(a, b). The function is called
/// in host memory, one element after the other, so this is for convenience and not for speed: GPARRAY_UFUNC
/// makes element-wise functions that run on the device.
template<class F>
class vectorize {
 public:
  /// Holds a copy of the function.
  explicit vectorize(F f) : f_(std::move(f)) {}

  /// The function of every element: an array of the common shape and of the function's result type, on the
  /// device of the first argument. Throws value_error if the arrays do not broadcast.
  template<array_like... A>
    requires(sizeof...(A) > 0)
  auto operator()(const A&... arrays) const {
    using R = std::invoke_result_t<const F&, detail::element_t<A>...>;
    const dims shape = broadcast_shapes(arrays.shape()...);
    const device where = std::get<0>(std::tie(arrays...)).device();
    const auto values = std::tuple(broadcast_to(arrays, shape).to_vector()...);
    std::vector<R> results;
    for (std::size_t i = 0, n = std::get<0>(values).size(); i < n; ++i)
      results.push_back(std::apply([&](const auto&... v) { return f_(v[i]...); }, values));
    return array(results, {.device = where}).reshape(shape);
  }

 private:
  F f_;
};

/// A function of numbers as a function of arrays, which broadcast: NumPy's other name of vectorize.
template<class F>
vectorize<F> frompyfunc(F f) {
  return vectorize<F>(std::move(f));
}

namespace detail {

template<element V, class F>
void set_piece(const ndarray<V>& result, const ndarray<V>& x, const ndarray<bool>& condition, const F& f) {
  if constexpr (scalar_like<F>) result(condition) = f;
  else if (any(condition).item()) result(condition) = f(ndarray<V>(x(condition)));
}

}  // namespace detail

/// A function of `x` defined piece by piece: where conditions[i] holds, the value of function number i, which
/// is a number or a function of the elements of `x` there. One function more is for the elements where no
/// condition holds, which are 0 otherwise; where several conditions hold, the last counts. Throws value_error
/// for another number of functions.
template<array_like X, class... F>
[[nodiscard]] ndarray<detail::element_t<X>> piecewise(const X& x,
                                                      const std::vector<ndarray<bool>>& conditions,
                                                      const F&... functions) {
  using V = detail::element_t<X>;
  detail::check_piecewise(conditions.size(), sizeof...(F));
  const ndarray<V> from = x, result = zeros_like(from);
  std::vector<ndarray<bool>> holds = conditions;
  if (sizeof...(F) > conditions.size()) {
    ndarray<bool> none_holds = ones<bool>(x.shape(), {.device = x.device()});
    for (const ndarray<bool>& c : conditions) none_holds = none_holds & ~c;
    holds.push_back(none_holds);
  }
  std::size_t i = 0;
  (detail::set_piece(result, from, holds[i++], functions), ...);
  return result;
}

GPARRAY_END_NAMESPACE
