// Comparisons, derivatives and cumulative sums of sharded arrays, by the names of ndarray's. Every rank must
// call them.
#pragma once
#include <gparray/distributed/creation.hpp>
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

/// What an index selects along one axis, and all of the others.
template<element V>
window<V> along(const sharded<V>& x, int axis, const gparray::detail::index_item& item) {
  std::vector<gparray::detail::index_item> items(static_cast<std::size_t>(axis),
                                                 gparray::detail::index_item(slice()));
  items.push_back(item);
  return window<V>(indexed(x.state(), items));
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

/// The derivative along one axis by differences of second order inside and one-sided ones at the edges, for
/// samples at the distance `spacing`, with the bits of an ndarray's: windows of `f` beside each other, so
/// that along an axis that is cut each rank fetches an element of each neighbour. float64 for integers.
/// Throws value_error if the axis has edge_order elements or fewer, axis_error.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto gradient(const A& f, double spacing = 1, const gradient_options& options = {}) {
  using V = detail::inexact_t<distributed::detail::local_operand_t<A>>;
  detail::check_gradient(f.shape(), options.axis, options.edge_order);
  const int axis = options.axis < 0 ? options.axis + f.ndim() : options.axis;
  const distributed::sharded<V> values(f.template astype<V>()), result = empty_like<V>(f);
  const auto y = [&](const detail::index_item& i) { return distributed::detail::along(values, axis, i); };
  const auto out = [&](const detail::index_item& i) { return distributed::detail::along(result, axis, i); };
  detail::write_gradient(y, out, f.shape(axis), spacing, options.edge_order);
  return result;
}
template<distributed::detail::sharded_like A>
[[nodiscard]] auto gradient(const A& f, const gradient_options& options) {
  return gradient(f, 1, options);
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
