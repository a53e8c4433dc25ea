// Putting arrays together: concatenate, stack and their relatives, append and pad.
#pragma once
#include <gparray/manipulation.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

template<class X>
concept axis_argument =
    std::integral<std::remove_cvref_t<X>> || std::same_as<std::remove_cvref_t<X>, none_t> ||
    std::same_as<std::remove_cvref_t<X>, slice_end>;

template<class R>
concept array_range = std::ranges::input_range<R> && array_like<std::ranges::range_value_t<R>>;

/// Two or more arrays, then perhaps an axis.
template<class... X>
constexpr bool joinable(bool has_axis) {
  // The one at the end is no argument: nvcc warns of a loop that never runs.
  const bool arrays[] = {array_like<X>..., true};
  const bool axes[] = {axis_argument<X>..., false};
  constexpr std::size_t n = sizeof...(X);
  for (std::size_t i = 0; i <= n; ++i)
    if (!arrays[i] && !(has_axis && i > 1 && i + 1 == n && axes[i])) return false;
  return n > 1;
}

template<class... X>
auto join_arguments(joining how, slice_end axis, const X&... x) {
  using V = dtype_t<common_dtype<std::conditional_t<array_like<X>, X, bool>...>()>;
  any_array arrays[sizeof...(X)];
  std::size_t count = 0;
  const auto take = [&](const auto& argument) {
    if constexpr (array_like<decltype(argument)>) arrays[count++] = argument;
    else axis = slice_end(argument);
  };
  (take(x), ...);
  return typed<V>(join(how, std::span<const any_array>(arrays, count), axis, dtype_of<V>));
}

template<class R>
auto join_range(joining how, slice_end axis, const R& arrays) {
  using V = element_t<std::ranges::range_value_t<R>>;
  const std::vector<any_array> list(std::ranges::begin(arrays), std::ranges::end(arrays));
  return typed<V>(join(how, list, axis, dtype_of<V>));
}

/// What a braced list of arrays is that no other parameter takes.
struct array_of_some_dtype {
  array_of_some_dtype(const any_array&);
};
using list_of_dtypes = std::initializer_list<array_of_some_dtype>;

}  // namespace detail

/// A new array of the arrays one behind the other along an existing axis, the last argument (0 without one;
/// none flattens them). They are given one by one, of any dtypes, which promote: concatenate(a, b, c, axis).
/// Throws value_error if their shapes differ along another axis, axis_error, device_error if they are on
/// different devices.
template<class... X>
  requires(detail::joinable<X...>(true))
[[nodiscard]] auto concatenate(const X&... arguments) {
  return detail::join_arguments(detail::joining::concatenate, detail::slice_end(0), arguments...);
}
/// Joins the arrays of a range or a braced list, all of one dtype: concatenate({a, b}, axis).
template<detail::array_range R>
[[nodiscard]] auto concatenate(const R& arrays, detail::slice_end axis = 0) {
  return detail::join_range(detail::joining::concatenate, axis, arrays);
}
template<element V>
[[nodiscard]] ndarray<V> concatenate(std::initializer_list<ndarray<V>> arrays, detail::slice_end axis = 0) {
  return detail::join_range(detail::joining::concatenate, axis, arrays);
}

/// A new array of arrays of one shape, side by side along a new axis, the last argument (0 without one):
/// stack(a, b, axis). Their dtypes promote. Throws value_error if their shapes differ, axis_error,
/// device_error.
template<class... X>
  requires(detail::joinable<X...>(true))
[[nodiscard]] auto stack(const X&... arguments) {
  return detail::join_arguments(detail::joining::stack, detail::slice_end(0), arguments...);
}
/// Stacks the arrays of a range or a braced list, all of one dtype: stack({a, b}, axis).
template<detail::array_range R>
[[nodiscard]] auto stack(const R& arrays, detail::slice_end axis = 0) {
  return detail::join_range(detail::joining::stack, axis, arrays);
}
template<element V>
[[nodiscard]] ndarray<V> stack(std::initializer_list<ndarray<V>> arrays, detail::slice_end axis = 0) {
  return detail::join_range(detail::joining::stack, axis, arrays);
}

/// A new array of the arrays one below the other, along the first axis; vectors are rows. Their dtypes
/// promote. Throws value_error if their shapes do not match, device_error.
template<class... X>
  requires(detail::joinable<X...>(false))
[[nodiscard]] auto vstack(const X&... arguments) {
  return detail::join_arguments(detail::joining::vstack, detail::slice_end(0), arguments...);
}
/// Joins the arrays of a range or a braced list, all of one dtype: vstack({a, b}).
template<detail::array_range R>
[[nodiscard]] auto vstack(const R& arrays) {
  return detail::join_range(detail::joining::vstack, 0, arrays);
}
template<element V>
[[nodiscard]] ndarray<V> vstack(std::initializer_list<ndarray<V>> arrays) {
  return detail::join_range(detail::joining::vstack, 0, arrays);
}

/// A new array of the arrays side by side, along the second axis (the only one of vectors). Their dtypes
/// promote. Throws value_error if their shapes do not match, device_error.
template<class... X>
  requires(detail::joinable<X...>(false))
[[nodiscard]] auto hstack(const X&... arguments) {
  return detail::join_arguments(detail::joining::hstack, detail::slice_end(0), arguments...);
}
/// Joins the arrays of a range or a braced list, all of one dtype: hstack({a, b}).
template<detail::array_range R>
[[nodiscard]] auto hstack(const R& arrays) {
  return detail::join_range(detail::joining::hstack, 0, arrays);
}
template<element V>
[[nodiscard]] ndarray<V> hstack(std::initializer_list<ndarray<V>> arrays) {
  return detail::join_range(detail::joining::hstack, 0, arrays);
}

/// A new array of the arrays along the third axis; M by N matrices count as (M, N, 1), vectors as (1, N, 1).
/// Their dtypes promote. Throws value_error if their shapes do not match, device_error.
template<class... X>
  requires(detail::joinable<X...>(false))
[[nodiscard]] auto dstack(const X&... arguments) {
  return detail::join_arguments(detail::joining::dstack, detail::slice_end(0), arguments...);
}
/// Joins the arrays of a range or a braced list, all of one dtype: dstack({a, b}).
template<detail::array_range R>
[[nodiscard]] auto dstack(const R& arrays) {
  return detail::join_range(detail::joining::dstack, 0, arrays);
}
template<element V>
[[nodiscard]] ndarray<V> dstack(std::initializer_list<ndarray<V>> arrays) {
  return detail::join_range(detail::joining::dstack, 0, arrays);
}

/// A new matrix with vectors as its columns; matrices are put side by side as they are. Their dtypes promote.
/// Throws value_error if their lengths differ, device_error.
template<class... X>
  requires(detail::joinable<X...>(false))
[[nodiscard]] auto column_stack(const X&... arguments) {
  return detail::join_arguments(detail::joining::column_stack, detail::slice_end(0), arguments...);
}
/// Joins the arrays of a range or a braced list, all of one dtype: column_stack({a, b}).
template<detail::array_range R>
[[nodiscard]] auto column_stack(const R& arrays) {
  return detail::join_range(detail::joining::column_stack, 0, arrays);
}
template<element V>
[[nodiscard]] ndarray<V> column_stack(std::initializer_list<ndarray<V>> arrays) {
  return detail::join_range(detail::joining::column_stack, 0, arrays);
}

void concatenate(detail::list_of_dtypes, detail::slice_end = 0) = delete;  // other dtypes: concatenate(a, b)
void stack(detail::list_of_dtypes, detail::slice_end = 0) = delete;        // other dtypes: stack(a, b)
void vstack(detail::list_of_dtypes) = delete;                              // other dtypes: vstack(a, b)
void hstack(detail::list_of_dtypes) = delete;                              // other dtypes: hstack(a, b)
void dstack(detail::list_of_dtypes) = delete;                              // other dtypes: dstack(a, b)
void column_stack(detail::list_of_dtypes) = delete;                        // other dtypes: column_stack(a, b)

/// A new array of the arrays one below the other: NumPy's older name of vstack.
template<class... X>
[[nodiscard]] auto row_stack(const X&... arrays) {
  return vstack(arrays...);
}
/// A new array of the arrays one behind the other along an existing axis: the array API's name of
/// concatenate.
template<class... X>
[[nodiscard]] auto concat(const X&... arrays_then_axis) {
  return concatenate(arrays_then_axis...);
}
template<element V>
[[nodiscard]] auto concat(std::initializer_list<ndarray<V>> arrays, detail::slice_end axis = 0) {
  return concatenate(arrays, axis);
}

/// A new array of `a` with `values` at its end along an axis; axis none flattens both. A number is a weak
/// scalar. Throws value_error if the shapes do not match, axis_error.
template<array_like A, operand_like X>
[[nodiscard]] auto append(const A& a, const X& values, detail::slice_end axis = none) {
  if constexpr (array_like<X>) {
    return detail::join_arguments(detail::joining::concatenate, axis, a, values);
  } else {
    using V = dtype_t<detail::common_dtype<A, X>()>;
    const ndarray<V> one{detail::scalar_cast<V>(values)};
    return detail::join_arguments(detail::joining::concatenate, axis, a, one);
  }
}

namespace detail {

/// Something for both sides of every axis: one for all, {before, after} for every axis, or a pair for each.
template<class T>
class per_side {
 public:
  template<class S>
    requires(std::convertible_to<S, T> && !std::same_as<std::remove_cvref_t<S>, per_side>)
  per_side(const S& value) : pairs_{{T(value), T(value)}} {}
  template<std::convertible_to<T> B, std::convertible_to<T> E>
  per_side(const B& before, const E& after) : pairs_{{T(before), T(after)}} {}
  per_side(std::initializer_list<std::pair<T, T>> pairs) : pairs_(pairs) {}

  const std::vector<std::pair<T, T>>& pairs() const { return pairs_; }
  const std::pair<T, T>& of(std::size_t axis) const { return pairs_[pairs_.size() == 1 ? 0 : axis]; }

 private:
  std::vector<std::pair<T, T>> pairs_;
};

}  // namespace detail

/// Keyword arguments of pad. Each value is given once for all sides, as {before, after} for every axis, or as
/// a pair for each axis.
struct pad_options {
  /// Mode "constant": the value of the border.
  detail::per_side<scalar> constant_values = 0;
  /// Mode "linear_ramp": the values at the outer end of the border.
  detail::per_side<scalar> end_values = 0;
  /// Modes "maximum", "mean" and "minimum": how many elements at the edge are looked at; all of them if not
  /// given.
  std::optional<detail::per_side<std::int64_t>> stat_length = {};
  /// Modes "reflect" and "symmetric": "even", or "odd" for twice the edge's value less the reflected one.
  std::string_view reflect_type = "even";
};

namespace detail {
GPARRAY_API any_array pad(const any_array& a, const per_side<std::int64_t>& width, std::string_view mode,
                          const pad_options& options);
}

/// A new array of `a` with a border around it: pad(a, 2) on all sides, pad(a, {1, 2}) before and behind on
/// each axis, pad(a, {{1, 2}, {0, 3}}) axis by axis. Throws value_error for negative widths, unknown modes,
/// and empty axes where the mode needs an element.
template<array_like A>
[[nodiscard]] auto pad(const A& a, const detail::per_side<std::int64_t>& width,
                       std::string_view mode = "constant", const pad_options& options = {}) {
  return detail::typed<detail::element_t<A>>(detail::pad(a, width, mode, options));
}

GPARRAY_END_NAMESPACE
