// Reductions of sharded arrays over all axes or some, by the names of ndarray's.
//
// Over all axes the result is one number, the same bits on every rank: while (gp::linalg::norm(r) > tol) is
// safe. Over some, gp::sum(a, 0), it is a sharded array; axes that are not cut are reduced without
// communication. Every rank must call them. They take the options keepdims and ddof; others, and an axis as
// an option, are a value_error.
//
// On the CPU a reduction is a tree over blocks of 2048 elements, of one process as of many ranks. So
// reductions of all elements of an array that is cut along the first axis have the bits of one process,
// whatever the number of ranks, as have those along the cut axis if its boundaries are multiples of 2048, and
// in all layouts those along axes that are not cut. Else sums of ranks are added as a tree over their
// numbers.
//
// On a GPU sums, products, means, norms, variances and deviations are made of blocks that follow from the
// shape and from which axes are cut, in any layout. So they have the same bits on any number of ranks, one
// included, but not those of an ndarray. Only where boundaries between many columns are no multiples of 2048
// sums of ranks are added, and products of complex numbers are always multiplied rank by rank.
#pragma once
#include <gparray/distributed/operations.hpp>

GPARRAY_BEGIN_NAMESPACE

#define GPARRAY_SHARDED_REDUCTION(name)                                                                  \
  template<distributed::detail::sharded_like A>                                                          \
  auto name(const A& a, const reduction_options& options = {}) {                                         \
    using V = typename std::remove_cvref_t<A>::value_type;                                               \
    using R = gparray::detail::element_t<decltype(gparray::name(std::declval<const ndarray<V>&>()))>;    \
    return scalar_expr<R>(distributed::detail::reduced(reduction::name, a.state(), options),             \
                          gparray::detail::adopt_t{});                                                   \
  }                                                                                                      \
  template<distributed::detail::sharded_like A, gparray::detail::axes_like D>                            \
  auto name(const A& a, const D& axis, const reduction_options& options = {}) {                          \
    using V = typename std::remove_cvref_t<A>::value_type;                                               \
    using R = gparray::detail::element_t<decltype(gparray::name(std::declval<const ndarray<V>&>()))>;    \
    return distributed::sharded_expr<R>(                                                                 \
        distributed::detail::reduced(reduction::name, a.state(), dims(axis), options));                  \
  }                                                                                                      \
  template<distributed::detail::sharded_like A>                                                          \
  auto name(const A& a, const gparray::detail::axis_list& axis, const reduction_options& options = {}) { \
    return gparray::name(a, dims(axis), options);                                                        \
  }
GPARRAY_SHARDED_REDUCTION(sum)
GPARRAY_SHARDED_REDUCTION(prod)
GPARRAY_SHARDED_REDUCTION(min)
GPARRAY_SHARDED_REDUCTION(max)
GPARRAY_SHARDED_REDUCTION(any)
GPARRAY_SHARDED_REDUCTION(argmin)
GPARRAY_SHARDED_REDUCTION(argmax)
GPARRAY_SHARDED_REDUCTION(count_nonzero)
GPARRAY_SHARDED_REDUCTION(mean)
GPARRAY_SHARDED_REDUCTION(var)
GPARRAY_SHARDED_REDUCTION(std)
GPARRAY_SHARDED_REDUCTION(norm)
GPARRAY_SHARDED_REDUCTION(ptp)
GPARRAY_SHARDED_REDUCTION(nansum)
GPARRAY_SHARDED_REDUCTION(nanprod)
GPARRAY_SHARDED_REDUCTION(nanmin)
GPARRAY_SHARDED_REDUCTION(nanmax)
GPARRAY_SHARDED_REDUCTION(nanmean)
GPARRAY_SHARDED_REDUCTION(nanvar)
GPARRAY_SHARDED_REDUCTION(nanstd)
#undef GPARRAY_SHARDED_REDUCTION

namespace linalg {

/// The 2-norm of all elements: the root of the sum of |x|^2, as of an ndarray without an axis.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto norm(const A& a) {
  return gparray::norm(a);
}

}  // namespace linalg

GPARRAY_END_NAMESPACE
