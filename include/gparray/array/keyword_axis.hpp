// f(a, {.axis = 1}) for the functions whose axis may be given by position: one rule for all. Those with more
// options than an axis have it among these.
#pragma once
#include <gparray/array/axis_option.hpp>
#include <gparray/fft.hpp>
#include <gparray/indexing.hpp>
#include <gparray/linalg.hpp>
#include <gparray/manipulation.hpp>
#include <gparray/manipulation/insertion.hpp>
#include <gparray/manipulation/joining.hpp>
#include <gparray/numeric.hpp>
#include <gparray/products.hpp>
#include <gparray/sorting.hpp>

GPARRAY_BEGIN_NAMESPACE

// The function with the axis, or as it is without one.
#define GPARRAY_WITH_AXIS(name, ...) \
  return options.axis.written() ? name(__VA_ARGS__, options.axis) : name(__VA_ARGS__)
#define GPARRAY_AXIS_OF_ONE(name)                                   \
  template<array_like A>                                            \
  [[nodiscard]] auto name(const A& a, const axis_option& options) { \
    GPARRAY_WITH_AXIS(name, a);                                     \
  }
#define GPARRAY_AXIS_OF_TWO(name)                                               \
  template<array_like A, class B>                                               \
  [[nodiscard]] auto name(const A& a, const B& b, const axis_option& options) { \
    GPARRAY_WITH_AXIS(name, a, b);                                              \
  }
#define GPARRAY_AXIS_OF_LIST(name)                                              \
  GPARRAY_AXIS_OF_TWO(name)                                                     \
  template<array_like A>                                                        \
  [[nodiscard]] auto name(const A& a, std::initializer_list<std::int64_t> list, \
                          const axis_option& options) {                         \
    GPARRAY_WITH_AXIS(name, a, list);                                           \
  }
#define GPARRAY_AXIS_OF_JOINING(name)                                                               \
  template<array_like A, array_like B>                                                              \
  [[nodiscard]] auto name(const A& a, const B& b, const axis_option& options) {                     \
    return options.axis.written() ? name(a, b, detail::slice_end(options.axis)) : name(a, b);       \
  }                                                                                                 \
  template<array_like A, array_like B, array_like C>                                                \
  [[nodiscard]] auto name(const A& a, const B& b, const C& c, const axis_option& options) {         \
    return options.axis.written() ? name(a, b, c, detail::slice_end(options.axis)) : name(a, b, c); \
  }                                                                                                 \
  template<detail::array_range R>                                                                   \
  [[nodiscard]] auto name(const R& arrays, const axis_option& options) {                            \
    GPARRAY_WITH_AXIS(name, arrays);                                                                \
  }                                                                                                 \
  template<element V>                                                                               \
  [[nodiscard]] auto name(std::initializer_list<ndarray<V>> arrays, const axis_option& options) {   \
    GPARRAY_WITH_AXIS(name, arrays);                                                                \
  }
GPARRAY_AXIS_OF_ONE(cumsum)
GPARRAY_AXIS_OF_ONE(cumprod)
GPARRAY_AXIS_OF_ONE(nancumsum)
GPARRAY_AXIS_OF_ONE(nancumprod)
GPARRAY_AXIS_OF_ONE(unstack)
GPARRAY_AXIS_OF_ONE(flip)
GPARRAY_AXIS_OF_ONE(squeeze)
GPARRAY_AXIS_OF_TWO(take_along_axis)
template<class C, array_like A>
[[nodiscard]] auto compress(const C& condition, const A& a, const axis_option& options) {
  GPARRAY_WITH_AXIS(compress, condition, a);
}
GPARRAY_AXIS_OF_TWO(append)
GPARRAY_AXIS_OF_TWO(vecdot)
GPARRAY_AXIS_OF_TWO(trapezoid)
GPARRAY_AXIS_OF_LIST(take)
GPARRAY_AXIS_OF_LIST(delete_)
GPARRAY_AXIS_OF_LIST(repeat)
GPARRAY_AXIS_OF_LIST(split)
GPARRAY_AXIS_OF_LIST(array_split)
GPARRAY_AXIS_OF_LIST(roll)
GPARRAY_AXIS_OF_LIST(partition)
GPARRAY_AXIS_OF_LIST(argpartition)
GPARRAY_AXIS_OF_JOINING(concatenate)
GPARRAY_AXIS_OF_JOINING(concat)
GPARRAY_AXIS_OF_JOINING(stack)
template<array_like A>
[[nodiscard]] auto expand_dims(const A& a, const axis_option& options) {
  return expand_dims(a, static_cast<dims>(options.axis));
}
template<array_like A, class X>
[[nodiscard]] auto insert(const A& a, const detail::pick_item& where, X&& values,
                          const axis_option& options) {
  GPARRAY_WITH_AXIS(insert, a, where, std::forward<X>(values));
}

namespace fft {
GPARRAY_AXIS_OF_ONE(fftshift)
GPARRAY_AXIS_OF_ONE(ifftshift)
}  // namespace fft
namespace linalg {
GPARRAY_AXIS_OF_TWO(cross)
}  // namespace linalg

template<element V>
template<class Element>
auto ndarray<V>::cumsum(const axis_option& options) const {
  return gparray::cumsum<Element>(*this, static_cast<detail::slice_end>(options.axis));
}
template<element V>
template<class Element>
auto ndarray<V>::cumprod(const axis_option& options) const {
  return gparray::cumprod<Element>(*this, static_cast<detail::slice_end>(options.axis));
}
template<element V>
template<class I>
auto ndarray<V>::take(const I& indices, const axis_option& options) const {
  return gparray::take(*this, indices, options);
}
template<element V>
template<class C>
auto ndarray<V>::compress(const C& condition, const axis_option& options) const {
  return gparray::compress(condition, *this, options);
}
template<element V>
template<class R>
auto ndarray<V>::repeat(const R& repeats, const axis_option& options) const {
  return gparray::repeat(*this, repeats, options);
}
template<element V>
ndarray<V> ndarray<V>::squeeze(const axis_option& options) const {
  return gparray::squeeze(*this, options);
}

#undef GPARRAY_WITH_AXIS
#undef GPARRAY_AXIS_OF_ONE
#undef GPARRAY_AXIS_OF_TWO
#undef GPARRAY_AXIS_OF_LIST
#undef GPARRAY_AXIS_OF_JOINING

GPARRAY_END_NAMESPACE
