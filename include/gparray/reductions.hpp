// The reductions: one public function for each row of reductions.def, and those made of them.
#pragma once
#include <gparray/reduction/detail.hpp>
#include <gparray/ufunc/operators.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

template<reduction R, class A>
constexpr loop_resolution reduction_loop() {
  constexpr dtype type = dtype_of<element_t<A>>;
  constexpr char k = kind(type) == 'u' ? 'i' : kind(type);
  if (has(row(R).domain, k)) return {true, type};
  return {k == 'b' && has(row(R).domain, 'i'), dtype::int8};
}

/// Element is the dtype to convert to first, NumPy's dtype=; void keeps the array's own.
template<reduction R, class Element, array_like A>
auto call_reduction(A&& a, const dims* axes, const reduction_options& options) {
  constexpr dtype type = [] {
    if constexpr (std::is_void_v<Element>) return reduction_loop<R, A>().loop;
    else return dtype_of<Element>;
  }();
  using result = dtype_t<std::is_void_v<Element>                       ? result_dtype(R, type)
                         : R == reduction::sum || R == reduction::prod ? type
                                                                       : result_dtype(R, type)>;
  any_array r = reduce_later(R, make_argument<element_t<A>>(std::forward<A>(a)), type, axes, options);
  // sum<int8>(a) accumulates in 64 bits and wraps at the end, which gives the same bits.
  if (r.dtype() != dtype_of<result>) {
    argument source;
    source.array = &r;
    source.type = r.dtype();
    r = astype(source, dtype_of<result>, true);
  }
  return expr<result>(std::move(r), adopt_t{});
}

/// Over all axes: one number, whatever the options.
template<reduction R, class Element, array_like A>
auto reduce_to_number(A&& a, const reduction_options& options) {
  auto r = call_reduction<R, Element>(std::forward<A>(a), nullptr, options);
  return scalar_expr<element_t<decltype(r)>>(std::move(r), adopt_t{});
}

}  // namespace detail

// f(a) reduces all axes, f(a, axis) or f(a, {axis, axis}) some; negative axes count from the end. The result
// is an expression, or with `out`, `initial` or a mask computed at once: an array (0-d for all axes) on the
// same device; nothing waits for it. Reductions of the same elements that are pending at the same time are
// computed in one pass (see eval). f<V>(a) converts to V first, as dtype= does. Throws axis_error,
// value_error (duplicate axes; nothing to reduce and no identity).
#define GPARRAY_REDUCTION_FUNCTIONS(name)                                                        \
  template<class Element = void, array_like A>                                                   \
  auto name(A&& a, const reduction_options& options) {                                           \
    return detail::reduce_to_number<reduction::name, Element>(std::forward<A>(a), options);      \
  }                                                                                              \
  template<class Element = void, array_like A>                                                   \
  [[nodiscard]] auto name(A&& a) {                                                               \
    return gparray::name<Element>(std::forward<A>(a), reduction_options{});                      \
  }                                                                                              \
  template<class Element = void, array_like A, detail::axes_like D>                              \
  auto name(A&& a, const D& axis, const reduction_options& options) {                            \
    const dims axes(axis);                                                                       \
    return detail::call_reduction<reduction::name, Element>(std::forward<A>(a), &axes, options); \
  }                                                                                              \
  template<class Element = void, array_like A, detail::axes_like D>                              \
  [[nodiscard]] auto name(A&& a, const D& axis) {                                                \
    return gparray::name<Element>(std::forward<A>(a), axis, reduction_options{});                \
  }                                                                                              \
  template<class Element = void, array_like A>                                                   \
  auto name(A&& a, const detail::axis_list& axis, const reduction_options& options) {            \
    return gparray::name<Element>(std::forward<A>(a), dims(axis), options);                      \
  }                                                                                              \
  template<class Element = void, array_like A>                                                   \
  [[nodiscard]] auto name(A&& a, const detail::axis_list& axis) {                                \
    return gparray::name<Element>(std::forward<A>(a), dims(axis), reduction_options{});          \
  }                                                                                              \
  template<class Element = void, detail::element_range R>                                        \
  auto name(const R& values, const reduction_options& options = {}) {                            \
    return gparray::name<Element>(detail::from_range(values, default_device()), options);        \
  }                                                                                              \
  template<class Element = void, detail::element_range R, detail::axes_like D>                   \
  auto name(const R& values, const D& axis, const reduction_options& options = {}) {             \
    return gparray::name<Element>(detail::from_range(values, default_device()), axis, options);  \
  }

// Of the other rows all is an object, below, since it also is the index that selects a whole axis:
// a(gp::all, 0); pairs are in reduction/paired.hpp.
#define GPARRAY_REDUCTION(name, ...) GPARRAY_REDUCTION_FUNCTIONS(name)
#define GPARRAY_REDUCTION_OBJECT(name, ...)
#define GPARRAY_REDUCTION_PAIR(name, ...)
#include <gparray/tables/reductions.def>
#undef GPARRAY_REDUCTION_FUNCTIONS

/// As a function: whether all elements are non-zero. As an index: a whole axis.
struct all_t {
  /// Whether all elements of an array or range of numbers differ from zero, or all along one or several axes.
  template<array_like A>
  scalar_expr<bool> operator()(A&& a, const reduction_options& options = {}) const {
    return detail::reduce_to_number<reduction::all, void>(std::forward<A>(a), options);
  }
  template<array_like A, detail::axes_like D>
  expr<bool> operator()(A&& a, const D& axis, const reduction_options& options = {}) const {
    const dims axes(axis);
    return detail::call_reduction<reduction::all, void>(std::forward<A>(a), &axes, options);
  }
  template<detail::element_range R>
  scalar_expr<bool> operator()(const R& values, const reduction_options& options = {}) const {
    return (*this)(detail::from_range(values, default_device()), options);
  }
  template<array_like A>
  expr<bool> operator()(A&& a, const detail::axis_list& axis, const reduction_options& options = {}) const {
    return (*this)(std::forward<A>(a), dims(axis), options);
  }
};
inline constexpr all_t all{};

/// The smallest element: another name of min, with the same arguments.
template<array_like A, class... Rest>
auto amin(A&& a, Rest&&... rest) {
  return min(std::forward<A>(a), std::forward<Rest>(rest)...);
}
/// The largest element: another name of max, with the same arguments.
template<array_like A, class... Rest>
auto amax(A&& a, Rest&&... rest) {
  return max(std::forward<A>(a), std::forward<Rest>(rest)...);
}

GPARRAY_END_NAMESPACE
