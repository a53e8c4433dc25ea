// Comparisons and cumulative sums of sharded arrays, by the names of ndarray's. Every rank must call them.
#pragma once
#include <gparray/distributed/reductions.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace distributed::detail {

GPARRAY_API node_ptr differences(const node_ptr& a, int n, int axis);
GPARRAY_API node_ptr cumulated(reduction r, const node_ptr& a, dtype type, int axis);

template<reduction Op, class V, sharded_like A>
auto cumulate(const A& a, int axis) {
  using W = gparray::detail::cumulative_t<V, local_operand_t<A>>;
  return sharded<W>(cumulated(Op, a.state(), dtype_of<W>, axis));
}

}  // namespace distributed::detail

/// Whether |a - b| <= atol + rtol * |b| for finite b, or a == b, for each element.
template<class A, class B>
  requires distributed::detail::operands<A, B>
[[nodiscard]] auto isclose(const A& a, const B& b, const isclose_options& options = {}) {
  return distributed::detail::apply<bool>(
      [options](const auto& x, const auto& y) { return gparray::isclose(x, y, options); }, a, b);
}
/// Whether all elements of all ranks are close, as isclose says: the same on every rank.
template<class A, class B>
  requires distributed::detail::operands<A, B>
[[nodiscard]] bool allclose(const A& a, const B& b, const isclose_options& options = {}) {
  return isclose(a, b, options).all().item();
}
/// Whether shapes and elements of two arrays are equal: the same on every rank. Throws value_error if their
/// layouts differ.
template<class A, class B>
  requires(distributed::detail::operands<A, B> && !scalar_like<A> && !scalar_like<B>)
[[nodiscard]] bool array_equal(const A& a, const B& b) {
  return a.shape() == b.shape() && (a == b).all().item();
}

/// The n-th difference a(i + 1) - a(i) along an axis, of bools whether they differ: windows of `a` beside
/// each other, so that along an axis that is cut each rank fetches one element of the next for each
/// difference. Throws value_error, axis_error.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto diff(const A& a, int n = 1, int axis = -1) {
  return distributed::sharded<typename A::value_type>(distributed::detail::differences(a.state(), n, axis));
}

#define GPARRAY_SHARDED_CUMULATIVE(name, op)                                        \
  template<class V = void, distributed::detail::sharded_like A>                     \
  [[nodiscard]] auto name(const A& a, int axis) {                                   \
    return distributed::detail::cumulate<reduction::op, V>(a, axis);                \
  }                                                                                 \
  template<class V = void, distributed::detail::sharded_like A>                     \
  [[nodiscard]] auto name(const A& a) {                                             \
    return distributed::detail::cumulate<reduction::op, V>(a.reshape(dims{-1}), 0); \
  }
// Along an axis that is cut each rank adds what those before it have: in floating point the last bits then
// depend on the number of ranks. Without an axis the array is flattened, and must be cut along its first axis
// alone. cumsum<V>(a, axis) computes in V.
/// The cumulative sum of the elements along an axis.
GPARRAY_SHARDED_CUMULATIVE(cumsum, sum)
/// The cumulative product of the elements along an axis.
GPARRAY_SHARDED_CUMULATIVE(cumprod, prod)
/// The cumulative sum with NaN counted as 0.
GPARRAY_SHARDED_CUMULATIVE(nancumsum, nansum)
/// The cumulative product with NaN counted as 1.
GPARRAY_SHARDED_CUMULATIVE(nancumprod, nanprod)
#undef GPARRAY_SHARDED_CUMULATIVE

GPARRAY_END_NAMESPACE
