// Ranges of numbers where functions read arrays: gp::sort(std::vector{3, 1, 2}), gp::dot(a,
// std::array{1., 2.}).
//
// The numbers are copied to the device of the first array among the operands, or to the default device. The
// element-wise functions, operators and reductions have their overloads beside them. Where two arrays are
// read, the second may also be a braced list, and of products the first: gp::isin(a, {1, 2}).
#pragma once
#include <gparray/array/questions.hpp>
#include <gparray/creation.hpp>
#include <gparray/fft.hpp>
#include <gparray/indexing.hpp>
#include <gparray/linalg.hpp>
#include <gparray/math/gradient.hpp>
#include <gparray/math/logic.hpp>
#include <gparray/numeric.hpp>
#include <gparray/products.hpp>
#include <gparray/products/einsum.hpp>
#include <gparray/signal/convolution.hpp>
#include <gparray/sorting.hpp>
#include <gparray/sorting/sets.hpp>
#include <gparray/statistics/covariance.hpp>
#include <gparray/statistics/histograms.hpp>
#include <gparray/statistics/interpolation.hpp>
#include <gparray/statistics/polynomials.hpp>
#include <gparray/statistics/quantiles.hpp>
#include <gparray/statistics/softmax.hpp>

GPARRAY_BEGIN_NAMESPACE

// The first operand may be a range, and what follows is passed on; or one of the first two, or of three.
#define GPARRAY_RANGE_OF_ONE_IN(scope, name)                                                       \
  template<detail::element_range R, class... Rest>                                                 \
  [[nodiscard]] auto name(const R& values, Rest&&... rest) {                                       \
    return scope::name(detail::from_range(values, default_device()), std::forward<Rest>(rest)...); \
  }
#define GPARRAY_RANGE_OF_TWO_IN(scope, name)                                                       \
  template<class A, class B, class... Rest>                                                        \
    requires detail::with_range<A, B>                                                              \
  [[nodiscard]] auto name(A&& a, B&& b, Rest&&... rest) {                                          \
    const device on = detail::device_of_operands(a, b);                                            \
    return scope::name(detail::read_operand(std::forward<A>(a), on),                               \
                       detail::read_operand(std::forward<B>(b), on), std::forward<Rest>(rest)...); \
  }
#define GPARRAY_LIST_OF_TWO_IN(scope, name)                                                                \
  template<array_like A, scalar_like S, class... Rest>                                                     \
  [[nodiscard]] auto name(A&& a, std::initializer_list<S> b, Rest&&... rest) {                             \
    return scope::name(std::forward<A>(a), array(b, {.device = a.device()}), std::forward<Rest>(rest)...); \
  }
#define GPARRAY_ROWS_OF_TWO_IN(scope, name)                                           \
  template<array_like A, scalar_like S>                                               \
  [[nodiscard]] auto name(A&& a, std::initializer_list<std::initializer_list<S>> b) { \
    return scope::name(std::forward<A>(a), array(b, {.device = a.device()}));         \
  }
#define GPARRAY_LIST_FIRST(name)                                                                             \
  template<scalar_like S, array_like B, class... Rest>                                                       \
  [[nodiscard]] auto name(std::initializer_list<S> a, B&& b, Rest&&... rest) {                               \
    return gparray::name(array(a, {.device = b.device()}), std::forward<B>(b), std::forward<Rest>(rest)...); \
  }
// Options in braces are deduced by none of these.
#define GPARRAY_LIST_AND_OPTIONS(name, options_type)                                             \
  template<array_like A, scalar_like S>                                                          \
  [[nodiscard]] auto name(const A& a, std::initializer_list<S> b, const options_type& options) { \
    return gparray::name(a, array(b, {.device = a.device()}), options);                          \
  }
#define GPARRAY_RANGE_OF_ONE(name) GPARRAY_RANGE_OF_ONE_IN(gparray, name)
#define GPARRAY_RANGE_OF_TWO(name)       \
  GPARRAY_RANGE_OF_TWO_IN(gparray, name) \
  GPARRAY_LIST_OF_TWO_IN(gparray, name)
#define GPARRAY_RANGE_OF_THREE(name)                                                                 \
  template<class A, class B, class C, class... Rest>                                                 \
    requires detail::with_range<A, B, C>                                                             \
  [[nodiscard]] auto name(A&& a, B&& b, C&& c, Rest&&... rest) {                                     \
    const device on = detail::device_of_operands(a, b, c);                                           \
    return gparray::name(detail::read_operand(std::forward<A>(a), on),                               \
                         detail::read_operand(std::forward<B>(b), on),                               \
                         detail::read_operand(std::forward<C>(c), on), std::forward<Rest>(rest)...); \
  }
GPARRAY_RANGE_OF_ONE(argsort)
GPARRAY_RANGE_OF_ONE(argtopk)
GPARRAY_RANGE_OF_ONE(argwhere)
GPARRAY_RANGE_OF_ONE(bincount)
GPARRAY_RANGE_OF_ONE(cumprod)
GPARRAY_RANGE_OF_ONE(cumsum)
GPARRAY_RANGE_OF_ONE(diag)
GPARRAY_RANGE_OF_ONE(diff)
GPARRAY_RANGE_OF_ONE(ediff1d)
GPARRAY_RANGE_OF_ONE(flatnonzero)
GPARRAY_RANGE_OF_ONE(flip)
GPARRAY_RANGE_OF_ONE(gradient)
GPARRAY_RANGE_OF_ONE(histogram)
GPARRAY_RANGE_OF_ONE(log_softmax)
GPARRAY_RANGE_OF_ONE(logsumexp)
GPARRAY_RANGE_OF_ONE(median)
GPARRAY_RANGE_OF_ONE(nanmedian)
GPARRAY_RANGE_OF_ONE(nonzero)
GPARRAY_RANGE_OF_ONE(percentile)
GPARRAY_RANGE_OF_ONE(quantile)
GPARRAY_RANGE_OF_ONE(repeat)
GPARRAY_RANGE_OF_ONE(reshape)
GPARRAY_RANGE_OF_ONE(roll)
GPARRAY_RANGE_OF_ONE(roots)
GPARRAY_RANGE_OF_ONE(round)
GPARRAY_RANGE_OF_ONE(softmax)
GPARRAY_RANGE_OF_ONE(sort)
GPARRAY_RANGE_OF_ONE(take)
GPARRAY_RANGE_OF_ONE(tile)
GPARRAY_RANGE_OF_ONE(topk)
GPARRAY_RANGE_OF_ONE(unique)
GPARRAY_RANGE_OF_ONE(unwrap)
GPARRAY_RANGE_OF_ONE(vander)
GPARRAY_RANGE_OF_TWO(allclose)
GPARRAY_RANGE_OF_TWO(array_equal)
GPARRAY_RANGE_OF_TWO(convolve)
GPARRAY_RANGE_OF_TWO(corrcoef)
GPARRAY_RANGE_OF_TWO(correlate)
GPARRAY_RANGE_OF_TWO(cov)
GPARRAY_RANGE_OF_TWO(cross)
GPARRAY_RANGE_OF_TWO(digitize)
GPARRAY_RANGE_OF_TWO(dot)
GPARRAY_RANGE_OF_TWO(inner)
GPARRAY_RANGE_OF_TWO(intersect1d)
GPARRAY_RANGE_OF_TWO(isclose)
GPARRAY_RANGE_OF_TWO(isin)
GPARRAY_RANGE_OF_TWO(matmul)
GPARRAY_RANGE_OF_TWO(outer)
GPARRAY_RANGE_OF_TWO(polyfit)
GPARRAY_RANGE_OF_TWO(polyval)
GPARRAY_RANGE_OF_TWO(searchsorted)
GPARRAY_RANGE_OF_TWO(setdiff1d)
GPARRAY_RANGE_OF_TWO(trapezoid)
GPARRAY_RANGE_OF_TWO(union1d)
GPARRAY_RANGE_OF_TWO(vdot)
GPARRAY_RANGE_OF_THREE(interp)
GPARRAY_LIST_OF_TWO_IN(gparray, histogram)
GPARRAY_ROWS_OF_TWO_IN(gparray, allclose)
GPARRAY_ROWS_OF_TWO_IN(gparray, array_equal)
GPARRAY_ROWS_OF_TWO_IN(gparray, dot)
GPARRAY_ROWS_OF_TWO_IN(gparray, matmul)
GPARRAY_LIST_FIRST(convolve)
GPARRAY_LIST_FIRST(dot)
GPARRAY_LIST_FIRST(matmul)
GPARRAY_LIST_FIRST(outer)
GPARRAY_LIST_FIRST(polyval)
GPARRAY_LIST_AND_OPTIONS(allclose, isclose_options)
GPARRAY_LIST_AND_OPTIONS(isclose, isclose_options)
GPARRAY_LIST_AND_OPTIONS(isin, isin_options)
GPARRAY_LIST_AND_OPTIONS(setdiff1d, set_options)
template<array_like A, scalar_like S>
[[nodiscard]] auto einsum(std::string_view subscripts, const A& a, std::initializer_list<S> b) {
  return gparray::einsum(subscripts, a, array(b, {.device = a.device()}));
}
template<scalar_like S, array_like B>
[[nodiscard]] auto einsum(std::string_view subscripts, std::initializer_list<S> a, const B& b) {
  return gparray::einsum(subscripts, array(a, {.device = b.device()}), b);
}

namespace linalg {
GPARRAY_RANGE_OF_ONE_IN(linalg, norm)
GPARRAY_RANGE_OF_TWO_IN(linalg, solve)
GPARRAY_RANGE_OF_TWO_IN(linalg, lstsq)
GPARRAY_LIST_OF_TWO_IN(linalg, solve)
GPARRAY_ROWS_OF_TWO_IN(linalg, solve)
GPARRAY_LIST_OF_TWO_IN(linalg, lstsq)
}  // namespace linalg
namespace fft {
GPARRAY_RANGE_OF_ONE_IN(fft, fft)
GPARRAY_RANGE_OF_ONE_IN(fft, ifft)
GPARRAY_RANGE_OF_ONE_IN(fft, irfft)
GPARRAY_RANGE_OF_ONE_IN(fft, rfft)
}  // namespace fft

#undef GPARRAY_RANGE_OF_ONE
#undef GPARRAY_RANGE_OF_TWO
#undef GPARRAY_RANGE_OF_ONE_IN
#undef GPARRAY_RANGE_OF_TWO_IN
#undef GPARRAY_RANGE_OF_THREE
#undef GPARRAY_LIST_OF_TWO_IN
#undef GPARRAY_ROWS_OF_TWO_IN
#undef GPARRAY_LIST_FIRST
#undef GPARRAY_LIST_AND_OPTIONS

GPARRAY_END_NAMESPACE
