// Products of matrices and vectors of which each rank has a part, by the names of ndarray's. Operands are
// sharded arrays and ndarrays that are the same on every rank; dtypes promote as of ndarrays. Every rank must
// call them.
#pragma once
#include <gparray/distributed/operations.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace distributed::detail {

/// What matmul takes of another rank's elements at once, in bytes, unless that is less than one rank's part.
inline constexpr std::int64_t panel_bytes = std::int64_t{64} << 20;

/// `panel`: in place of panel_bytes, for tests.
GPARRAY_API node_ptr matmul(const node_ptr& a, const node_ptr& b, dtype type,
                            std::int64_t panel = panel_bytes);
/// Of vectors; of conj(a) if asked for.
GPARRAY_API any_array dot(const char* function, const node_ptr& a, const node_ptr& b, dtype type,
                          bool conjugate);

/// Arrays of which at least one is sharded.
template<class A, class B>
concept factors = (sharded_like<A> || array_like<A>) && (sharded_like<B> || array_like<B>) &&
                  (sharded_like<A> || sharded_like<B>);

template<class A, class B, class V>
concept product_dtype =
    factors<A, B> && gparray::detail::product_dtype<local_operand_t<A>, local_operand_t<B>, V>;
template<class A, class B, class V>
using product_type = gparray::detail::product_type<local_operand_t<A>, local_operand_t<B>, V>;

template<class V, class A, class B>
auto call_dot(const char* function, const A& a, const B& b, bool conjugate) {
  using W = product_type<A, B, V>;
  return scalar_expr<W>(dot(function, node_of_operand(a), node_of_operand(b), dtype_of<W>, conjugate),
                        gparray::detail::adopt_t{});
}

}  // namespace distributed::detail

/// Returns the matrix product of sharded arrays of one or two dimensions, in the dtype that the operands
/// promote to, or in V. A vector counts as a row on the left and as a column on the right, as of ndarrays.
///
/// The result has the rows of a and the columns of b where they are, cut as they are; columns that are cut
/// along the same axis of the mesh as the rows become whole. Axes that are summed over: if both are cut along
/// one axis of the mesh, as in matmul(x.T(), x) of rows, each rank multiplies what it has, and the sums are
/// added as a tree over the ranks, which all get the result. Else what is missing of b, or of a, comes in
/// panels, of at most 64 MiB or an average part (on GPUs an eighth of the whole, and the next one comes while
/// one is multiplied); on a grid of ranks those of a and b together (SUMMA), 2048 rows of b at once.
///
/// Sums have the same bits on all ranks that have them. Integers and bool are those of one process. On the
/// CPU, where the axis that is summed over is not cut, or cut in one of the two alone, real results are too
/// once what each rank multiplies at once is large enough for the library's own loops (more than 2^21
/// products, and so in one process), as these add up in the same order wherever a row or column lies; others
/// differ by rounding. Throws value_error for shapes that do not fit and for more dimensions, and if a and b
/// are on different meshes.
template<class V = void, class A, class B>
  requires distributed::detail::product_dtype<A, B, V>
[[nodiscard]] auto matmul(const A& a, const B& b) {
  using W = distributed::detail::product_type<A, B, V>;
  return distributed::sharded<W>(distributed::detail::matmul(
      distributed::detail::node_of_operand(a), distributed::detail::node_of_operand(b), dtype_of<W>));
}

/// Returns the sum of a[i] * b[i] of two vectors of one layout, the same number on every rank and on any
/// number of ranks; on the CPU with the bits of one process. Nothing is conjugated. Throws value_error for
/// other shapes (matmul is there for matrices), and for layouts that differ.
template<class V = void, class A, class B>
  requires distributed::detail::product_dtype<A, B, V>
[[nodiscard]] auto dot(const A& a, const B& b) {
  return distributed::detail::call_dot<V>("dot", a, b, false);
}

/// Returns the sum of conj(a[i]) * b[i] of two vectors of one layout, as dot.
template<class V = void, class A, class B>
  requires distributed::detail::product_dtype<A, B, V>
[[nodiscard]] auto vdot(const A& a, const B& b) {
  return distributed::detail::call_dot<V>("vdot", a, b, true);
}

/// Returns the sums of products over the last axes of both arrays, vectors or matrices: matmul of a and the
/// transpose of b, which says what that sends. Of two vectors it is an array of no dimensions; dot returns
/// the number. Nothing is conjugated.
template<class V = void, class A, class B>
  requires distributed::detail::product_dtype<A, B, V>
[[nodiscard]] auto inner(const A& a, const B& b) {
  using W = distributed::detail::product_type<A, B, V>;
  return distributed::sharded<W>(distributed::detail::matmul(
      distributed::detail::node_of_operand(a), distributed::detail::node_of_operand(b.T()), dtype_of<W>));
}

GPARRAY_END_NAMESPACE
