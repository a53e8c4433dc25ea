// Singular values of operators, from the eigenvectors of A^H A or A A^H.
#include <core/sparse/linalg/iterative_solver.hpp>
#include <gparray/sparse/linalg/eigen.hpp>
#include <support/errors.hpp>
#include <support/shape_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

namespace {

/// (a b)^H.
template<class V>
ndarray<V> adjoint_of(const ndarray<V>& a) {
  if constexpr (is_complex(dtype_of<V>)) return conjugate(a).T();
  else return a.T();
}

const index_item backwards = slice(none, none, -1);

}  // namespace

template<class V>
sparse::linalg::svds_result<V> svds(const sparse::linalg::LinearOperator<V>& a, std::int64_t k,
                                    const sparse::linalg::svds_options<V>& options) {
  const std::int64_t m = a.shape()[0], n = a.shape()[1];
  if (k <= 0 || k >= std::min(m, n))
    fail<value_error>("`k` must be an integer satisfying `0 < k < min(A.shape)`, not {} for {}", k,
                      python_text(a.shape()));
  if (options.which != "LM" && options.which != "SM")
    fail<value_error>("`which` must be in {{'LM', 'SM'}}, not '{}'", options.which);

  // b is the one with at least as many rows as columns.
  const bool tall = m >= n;
  const auto b = tall ? a : a.adjoint();
  sparse::linalg::eigsh_options<V> eigen;
  eigen.which = options.which;
  eigen.v0 = options.v0;
  eigen.ncv = options.ncv;
  eigen.maxiter = options.maxiter;
  eigen.tol = options.tol * options.tol;  // eigenvalues are squares
  // Orthonormal to rounding, which what follows needs: clustered Ritz vectors may not be.
  const ndarray<V> right = linalg::qr(eigsh<V>(b.adjoint() * b, k, eigen).v).Q;

  // b right = q r = (q u) s vh: the small r has the singular values, accurate to eps times the largest.
  const auto [q, r] = linalg::qr(b.matmat(right));
  const auto [u, s, vh] = linalg::svd(r);
  const ndarray<real_t<V>> ascending = s(backwards).copy();
  const device on_device = ascending.device();
  if (!options.return_singular_vectors)
    return {gparray::empty<V>({m, 0}, {.device = on_device}), ascending,
            gparray::empty<V>({0, n}, {.device = on_device})};
  const ndarray<V> long_side = matmul(q, u)(all, backwards),
                   short_side = matmul(vh, adjoint_of(right))(backwards);
  if (tall) return {long_side.copy(order::C), ascending, short_side.copy(order::C)};
  return {adjoint_of(short_side).copy(order::C), ascending, adjoint_of(long_side).copy(order::C)};
}

#define GPARRAY_INSTANCE(V)                                                                                \
  template sparse::linalg::svds_result<V> svds(const sparse::linalg::LinearOperator<V>& a, std::int64_t k, \
                                               const sparse::linalg::svds_options<V>& options)
GPARRAY_FOR_SOLVER_ELEMENTS(GPARRAY_INSTANCE);
#undef GPARRAY_INSTANCE

}  // namespace detail
GPARRAY_END_NAMESPACE
