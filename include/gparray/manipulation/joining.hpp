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

// Each takes the arrays one by one, of any dtypes, which promote: concatenate(a, b, c, axis); or as a braced
// list or a range of arrays of one type: concatenate({a, b}, axis), concatenate(vector, axis). Axis none
// flattens. Throw value_error with NumPy's texts if shapes do not match, axis_error, device_error.
#define GPARRAY_JOINING(name, has_axis, axis_parameter, axis)                                 \
  template<class... X>                                                                        \
    requires(detail::joinable<X...>(has_axis))                                                \
  [[nodiscard]] auto name(const X&... arguments) {                                            \
    return detail::join_arguments(detail::joining::name, detail::slice_end(0), arguments...); \
  }                                                                                           \
  template<detail::array_range R>                                                             \
  [[nodiscard]] auto name(const R& arrays axis_parameter) {                                   \
    return detail::join_range(detail::joining::name, axis, arrays);                           \
  }                                                                                           \
  template<element V>                                                                         \
  [[nodiscard]] auto name(std::initializer_list<ndarray<V>> arrays axis_parameter) {          \
    return detail::join_range(detail::joining::name, axis, arrays);                           \
  }
#define GPARRAY_AXIS , detail::slice_end axis = 0
#define GPARRAY_NO_AXIS
/// Along an existing axis.
GPARRAY_JOINING(concatenate, true, GPARRAY_AXIS, axis)
/// Along a new axis.
GPARRAY_JOINING(stack, true, GPARRAY_AXIS, axis)
// Row-wise, column-wise, in depth, and vectors as columns: no axis to choose.
GPARRAY_JOINING(vstack, false, GPARRAY_NO_AXIS, 0)
GPARRAY_JOINING(hstack, false, GPARRAY_NO_AXIS, 0)
GPARRAY_JOINING(dstack, false, GPARRAY_NO_AXIS, 0)
GPARRAY_JOINING(column_stack, false, GPARRAY_NO_AXIS, 0)
#undef GPARRAY_JOINING
#undef GPARRAY_AXIS
#undef GPARRAY_NO_AXIS

void concatenate(detail::list_of_dtypes, detail::slice_end = 0) = delete;  // other dtypes: concatenate(a, b)
void stack(detail::list_of_dtypes, detail::slice_end = 0) = delete;        // other dtypes: stack(a, b)
void vstack(detail::list_of_dtypes) = delete;                              // other dtypes: vstack(a, b)
void hstack(detail::list_of_dtypes) = delete;                              // other dtypes: hstack(a, b)
void dstack(detail::list_of_dtypes) = delete;                              // other dtypes: dstack(a, b)
void column_stack(detail::list_of_dtypes) = delete;                        // other dtypes: column_stack(a, b)

/// NumPy's older name of vstack.
template<class... X>
[[nodiscard]] auto row_stack(const X&... arrays) {
  return vstack(arrays...);
}
/// NumPy's other name of concatenate.
template<class... X>
[[nodiscard]] auto concat(const X&... arrays_then_axis) {
  return concatenate(arrays_then_axis...);
}
template<element V>
[[nodiscard]] auto concat(std::initializer_list<ndarray<V>> arrays, detail::slice_end axis = 0) {
  return concatenate(arrays, axis);
}

/// a with values (an array, or a number converted to a's dtype by the rules for weak scalars) at the end.
/// Axis none flattens both.
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

/// NumPy's keyword arguments of pad.
struct pad_options {
  /// mode "constant": what to fill with.
  detail::per_side<scalar> constant_values = 0;
  /// mode "linear_ramp": the outermost values.
  detail::per_side<scalar> end_values = 0;
  /// modes "maximum", "mean", "minimum": of how many elements at the edge; all if not given.
  std::optional<detail::per_side<std::int64_t>> stat_length = {};
  /// modes "reflect" and "symmetric": "even", or "odd" for twice the edge's value less the reflected one.
  std::string_view reflect_type = "even";
};

namespace detail {
GPARRAY_API any_array pad(const any_array& a, const per_side<std::int64_t>& width, std::string_view mode,
                          const pad_options& options);
}

/// a with a border: pad(a, 2), pad(a, {1, 2}) before and after on each axis, pad(a, {{1, 2}, {0, 3}}) axis by
/// axis. Modes: constant, edge, linear_ramp, maximum, mean, minimum, reflect, symmetric, wrap, empty. Throws
/// value_error for negative widths, unknown modes, and empty axes where the mode needs an element.
template<array_like A>
[[nodiscard]] auto pad(const A& a, const detail::per_side<std::int64_t>& width,
                       std::string_view mode = "constant", const pad_options& options = {}) {
  return detail::typed<detail::element_t<A>>(detail::pad(a, width, mode, options));
}

GPARRAY_END_NAMESPACE
