// r_ and c_, and grids of evenly spaced samples.
#pragma once
#include <gparray/creation/grids.hpp>
#include <gparray/manipulation/joining.hpp>

GPARRAY_BEGIN_NAMESPACE

/// Evenly spaced numbers as an item of r_, c_, mgrid and ogrid: NumPy's start:stop:5j is samples(start, stop,
/// 5).
struct samples {
  /// The first number.
  double start;
  /// The last number, which is included.
  double stop;
  /// How many numbers.
  std::int64_t num;
};

namespace detail {

template<class X>
concept joined_item = operand_like<X> || std::same_as<X, slice> || std::same_as<X, samples>;

/// A number, a slice, samples or an array as an array of at least one dimension.
template<joined_item X>
auto joined_array(const X& x) {
  if constexpr (array_like<X>) return atleast_1d(x);
  else if constexpr (std::same_as<X, slice>) return typed<std::int64_t>(grid_axis(x));
  else if constexpr (std::same_as<X, samples>) return gparray::linspace(x.start, x.stop, x.num);
  else return full(1, x);
}

/// Vectors as columns.
template<array_like A>
auto as_column(const A& a) {
  return a.ndim() > 1 ? ndarray<element_t<A>>(a) : a.reshape({-1, 1});
}

template<array_like... A>
auto join_all(int axis, const A&... arrays) {
  if constexpr (sizeof...(A) == 1) return (arrays, ...).copy();
  else return concatenate(arrays..., axis);
}

}  // namespace detail

/// Joins numbers, slices, samples and arrays along the first axis: r_(slice(1, 4), 0, a) is NumPy's r_[1:4,
/// 0, a]. Their dtypes promote. Throws value_error if shapes do not match.
template<detail::joined_item... X>
  requires(sizeof...(X) > 0)
[[nodiscard]] auto r_(const X&... items) {
  return detail::join_all(0, detail::joined_array(items)...);
}
/// Joins numbers, slices, samples and arrays along the last axis, with vectors as columns: c_(a, b) is
/// NumPy's c_[a, b]. Their dtypes promote. Throws value_error if shapes do not match.
template<detail::joined_item... X>
  requires(sizeof...(X) > 0)
[[nodiscard]] auto c_(const X&... items) {
  return detail::join_all(-1, detail::as_column(detail::joined_array(items))...);
}

/// The open grid of evenly spaced samples, one array for each axis: ogrid(samples(0, 1, 5), samples(0, 2, 3))
/// is NumPy's ogrid[0:1:5j, 0:2:3j].
template<std::same_as<samples>... S>
  requires(sizeof...(S) > 0)
[[nodiscard]] std::vector<ndarray<double>> ogrid(const S&... ranges) {
  return detail::typed<double>(
      detail::open_grid(std::initializer_list<any_array>{detail::joined_array(ranges)...}));
}
/// The grid of evenly spaced samples as one array of shape (number of axes, sizes...): mgrid(samples(0, 1,
/// 5), samples(0, 2, 3)) is NumPy's mgrid[0:1:5j, 0:2:3j]. With one argument it is the vector itself.
template<std::same_as<samples>... S>
  requires(sizeof...(S) > 0)
[[nodiscard]] ndarray<double> mgrid(const S&... ranges) {
  return detail::typed<double>(
      detail::filled_grid(std::initializer_list<any_array>{detail::joined_array(ranges)...}));
}

GPARRAY_END_NAMESPACE
