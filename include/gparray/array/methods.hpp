// The methods of arrays that are functions of the same names: a.sum(axis) is gp::sum(a, axis).
#pragma once
#include <gparray/array/questions.hpp>
#include <gparray/files.hpp>
#include <gparray/indexing.hpp>
#include <gparray/numeric.hpp>
#include <gparray/products.hpp>
#include <gparray/sorting.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// What a method called on a temporary passes on, so that it fuses as an argument would.
template<element V>
expr<V> temporary(ndarray<V>&& a) {
  return {std::move(static_cast<any_array&>(a)), adopt_t{}};
}

}  // namespace detail

#define GPARRAY_METHOD_FOR(name, call, qualifier, self)                                              \
  template<element V>                                                                                \
  template<class Element>                                                                            \
  auto ndarray<V>::name(const reduction_options& options) qualifier {                                \
    return gparray::call(self, options);                                                             \
  }                                                                                                  \
  template<element V>                                                                                \
  template<class Element, detail::axes_like D>                                                       \
  auto ndarray<V>::name(const D& axis, const reduction_options& options) qualifier {                 \
    return gparray::call(self, dims(axis), options);                                                 \
  }                                                                                                  \
  template<element V>                                                                                \
  template<class Element>                                                                            \
  auto ndarray<V>::name(const detail::axis_list& axis, const reduction_options& options) qualifier { \
    return gparray::call(self, dims(axis), options);                                                 \
  }
#define GPARRAY_METHOD(name, call)              \
  GPARRAY_METHOD_FOR(name, call, const&, *this) \
  GPARRAY_METHOD_FOR(name, call, &&, detail::temporary(std::move(*this)))
GPARRAY_METHOD(sum, sum<Element>)
GPARRAY_METHOD(prod, prod<Element>)
GPARRAY_METHOD(mean, mean<Element>)
GPARRAY_METHOD(var, var<Element>)
GPARRAY_METHOD(std, std<Element>)
GPARRAY_METHOD(min, min<Element>)
GPARRAY_METHOD(max, max<Element>)
GPARRAY_METHOD(ptp, ptp<Element>)
GPARRAY_METHOD(any, any<Element>)
GPARRAY_METHOD(all, all)
GPARRAY_METHOD(argmin, argmin<Element>)
GPARRAY_METHOD(argmax, argmax<Element>)
#undef GPARRAY_METHOD
#undef GPARRAY_METHOD_FOR

template<element V>
template<class Element>
auto ndarray<V>::cumsum(detail::slice_end axis) const {
  return gparray::cumsum<Element>(*this, axis);
}
template<element V>
template<class Element>
auto ndarray<V>::cumprod(detail::slice_end axis) const {
  return gparray::cumprod<Element>(*this, axis);
}
template<element V>
auto ndarray<V>::round(int decimals) const {
  return gparray::round(*this, decimals);
}
template<element V>
template<class Low, class High>
auto ndarray<V>::clip(const Low& low, const High& high) const {
  return gparray::clip(*this, low, high);
}
template<element V>
auto ndarray<V>::conj() const {
  return gparray::conjugate(*this);
}
template<element V>
auto ndarray<V>::conjugate() const {
  return gparray::conjugate(*this);
}
template<element V>
template<class B>
auto ndarray<V>::dot(const B& b) const {
  return gparray::dot(*this, b);
}
template<element V>
template<scalar_like S>
auto ndarray<V>::dot(std::initializer_list<S> b) const {
  return gparray::dot(*this, gparray::array(b, {.device = this->device()}));
}
template<element V>
auto ndarray<V>::trace(std::int64_t offset, int axis1, int axis2) const {
  return gparray::trace(*this, offset, axis1, axis2);
}
template<element V>
auto ndarray<V>::diagonal(std::int64_t offset, int axis1, int axis2) const {
  return gparray::diagonal(*this, offset, axis1, axis2);
}

template<element V>
template<class I>
auto ndarray<V>::take(const I& indices, detail::slice_end axis, std::string_view mode) const {
  return gparray::take(*this, indices, axis, mode);
}
template<element V>
auto ndarray<V>::take(std::initializer_list<std::int64_t> indices, detail::slice_end axis,
                      std::string_view mode) const {
  return gparray::take(*this, indices, axis, mode);
}
template<element V>
template<class I, class X>
void ndarray<V>::put(const I& indices, const X& values, std::string_view mode) const {
  gparray::put(*this, indices, values, mode);
}
template<element V>
template<class X>
void ndarray<V>::put(std::initializer_list<std::int64_t> indices, const X& values,
                     std::string_view mode) const {
  gparray::put(*this, indices, values, mode);
}
template<element V>
template<class C>
auto ndarray<V>::compress(const C& condition, detail::slice_end axis) const {
  return gparray::compress(condition, *this, axis);
}
template<element V>
template<class Choices>
auto ndarray<V>::choose(const Choices& choices, std::string_view mode) const {
  return gparray::choose(*this, choices, mode);
}
template<element V>
template<element W>
auto ndarray<V>::choose(std::initializer_list<ndarray<W>> choices, std::string_view mode) const {
  return gparray::choose(*this, choices, mode);
}
template<element V>
auto ndarray<V>::nonzero() const {
  return gparray::nonzero(*this);
}
template<element V>
template<class R>
auto ndarray<V>::repeat(const R& repeats, detail::slice_end axis) const {
  return gparray::repeat(*this, repeats, axis);
}
template<element V>
auto ndarray<V>::repeat(std::initializer_list<std::int64_t> repeats, detail::slice_end axis) const {
  return gparray::repeat(*this, repeats, axis);
}

template<element V>
void ndarray<V>::sort(detail::slice_end axis) const {
  detail::sort_in_place(*this, axis);
}
template<element V>
void ndarray<V>::sort(detail::slice_end axis, const sort_options& options) const {
  const sort_options o = detail::at_axis(options, axis);
  detail::sort_in_place(*this, o.axis, o.descending);
}
template<element V>
void ndarray<V>::sort(const sort_options& options) const {
  sort(options.axis, options);
}
template<element V>
void ndarray<V>::partition(const dims& kth, detail::slice_end axis) const {
  detail::partition_in_place(*this, kth, axis);
}
template<element V>
auto ndarray<V>::argsort(detail::slice_end axis) const {
  return gparray::argsort(*this, axis);
}
template<element V>
auto ndarray<V>::argsort(detail::slice_end axis, const sort_options& options) const {
  return gparray::argsort(*this, axis, options);
}
template<element V>
auto ndarray<V>::argsort(const sort_options& options) const {
  return gparray::argsort(*this, options);
}
template<element V>
auto ndarray<V>::argpartition(const dims& kth, detail::slice_end axis) const {
  return gparray::argpartition(*this, kth, axis);
}
template<element V>
void ndarray<V>::resize(const dims& shape) & {
  static_cast<any_array&>(*this) = detail::resized_with_zeros(*this, shape);
}
template<element V>
ndarray<V> ndarray<V>::byteswap(bool inplace) const {
  const ndarray swapped = detail::typed<V>(detail::byteswap(*this));
  if (inplace) detail::assign(*this, detail::make_argument<V>(swapped));
  return inplace ? *this : swapped;
}
template<element V>
auto ndarray<V>::flat() const {
  return flatiter<V>(*this);
}
template<element V>
std::vector<std::uint8_t> ndarray<V>::tobytes(order layout) const {
  return gparray::tobytes(*this, layout);
}
template<element V>
void ndarray<V>::tofile(const std::string& file, const std::string& sep) const {
  gparray::tofile(*this, file, sep);
}

template<element V>
template<class X>
auto ndarray<V>::searchsorted(const X& values, std::string_view side) const {
  return gparray::searchsorted(*this, values, side);
}
template<element V>
template<scalar_like S>
auto ndarray<V>::searchsorted(std::initializer_list<S> values, std::string_view side) const {
  return gparray::searchsorted(*this, gparray::array(values, {.device = this->device()}), side);
}

GPARRAY_END_NAMESPACE
