// SciPy's scipy.sparse.linalg.norm.
#pragma once
#include <gparray/linalg.hpp>
#include <gparray/sparse/construct.hpp>
#include <gparray/sparse/linalg/eigen.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

[[noreturn]] GPARRAY_API void throw_sparse_norm_order(const norm_order& order);

}  // namespace detail

namespace detail {

template<sparse_factorable A>
ndarray<real_t<sparse_factor_t<A>>> sparse_norm(const A& a, const norm_order& ord) {
  using V = sparse_factor_t<A>;
  sparse::csr_matrix<V> rows = a.template astype<V>(false).tocsr();
  rows.sum_duplicates();
  const auto sums = [&](int axis) { return rows.abs().sum(axis); };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (ord.name == "fro") return gparray::linalg::norm(rows.data());
  if (!ord.name.empty()) throw_sparse_norm_order(ord);
  if (ord.number == 1) return gparray::max(sums(0));
  if (ord.number == -1) return gparray::min(sums(0));
  if (ord.number == infinity) return gparray::max(sums(1));
  if (ord.number == -infinity) return gparray::min(sums(1));
  if (ord.number != 2) throw_sparse_norm_order(ord);
  return sparse::linalg::svds(rows, 1, {.return_singular_vectors = false}).s(0);
}

}  // namespace detail

namespace sparse::linalg {

/// The norm of a sparse matrix, of its real dtype (float64 for integers), 0-d on its device: "fro", which
/// gp::none means too, is sqrt(sum(abs(a) ** 2)); 1 is the largest sum of magnitudes of a column and -1 the
/// smallest, inf and -inf the same of rows; 2 is the largest singular value, which waits as svds does. Throws
/// value_error for other orders.
template<detail::sparse_factorable A>
[[nodiscard]] scalar_array<detail::real_t<detail::sparse_factor_t<A>>> norm(
    const A& a, const detail::norm_order& ord = none) {
  return detail::as_number(detail::sparse_norm(a, ord));
}

}  // namespace sparse::linalg

GPARRAY_END_NAMESPACE
