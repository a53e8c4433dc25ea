// Locally optimal block preconditioned conjugate gradients: A. V. Knyazev, SIAM J. Sci. Comput. 23, 2001.
#include <cmath>

#include <core/linalg/typed.hpp>
#include <core/manipulation/typed.hpp>
#include <core/sparse/linalg/iterative_solver.hpp>
#include <gparray/sparse/linalg/lobpcg.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

template<class V>
ndarray<V> adjoint_times(const ndarray<V>& a, const ndarray<V>& b) {
  return matmul(ndarray<V>(conjugate(a.T())), b);
}

/// Vectors with what A and B make of them.
template<class V>
struct block {
  ndarray<V> x, ax, bx;

  block times(const ndarray<V>& c) const { return {matmul(x, c), matmul(ax, c), matmul(bx, c)}; }
  block columns(std::int64_t first, std::int64_t last) const {
    const auto part = [&](const ndarray<V>& a) { return ndarray<V>(a(ellipsis, slice(first, last))); };
    return {part(x), part(ax), part(bx)};
  }
  std::int64_t width() const { return x.shape(1); }
};

template<class V>
block<V> beside(const block<V>& a, const block<V>& b) {
  return {concatenate(a.x, b.x, 1), concatenate(a.ax, b.ax, 1), concatenate(a.bx, b.bx, 1)};
}

template<class V>
class iteration {
 public:
  using R = detail::real_t<V>;
  using op = sparse::linalg::LinearOperator<V>;
  using options_type = sparse::linalg::lobpcg_options<V>;

  iteration(const op& a, const options_type& options) : a_(a), options_(options) {}

  sparse::linalg::lobpcg_result<V> run(const ndarray<V>& start) {
    if (options_.Y) constraint_ = on_constraint(*options_.Y);
    block<V> x = applied(without_constraint(start));
    const std::int64_t k = x.width();
    auto [values, rotation] = best_of(x, k);
    if (rotation.shape(1) < k) throw linalg_error("lobpcg: the columns of X are not linearly independent");
    x = x.times(rotation);
    std::optional<block<V>> direction;
    const double tolerance = options_.tol.value_or(std::sqrt(std::numeric_limits<R>::epsilon()) *
                                                   static_cast<double>(start.shape(0)));
    std::vector<double> norms;
    std::int64_t step = 0;
    for (;; ++step) {
      const ndarray<V> residual = x.ax - x.bx * detail::as_elements<V>(values);
      norms.clear();
      for (const R norm : ndarray<R>(linalg::norm(residual, 2, 0)).to_vector())
        norms.push_back(static_cast<double>(norm));
      if (step == options_.maxiter || std::ranges::max(norms) <= tolerance) break;
      ndarray<V> w = options_.M ? options_.M->matmat(residual) : residual;
      w = without_constraint(w);
      w = w - matmul(x.x, adjoint_times(x.bx, w));
      block<V> space = beside(x, applied(normalised(w)));
      if (direction) space = beside(space, *direction);
      auto [next_values, c] = best_of(space, k);
      if (c.shape(1) < k) throw linalg_error("lobpcg: the space lost its dimensions");
      const ndarray<V> rest = c(slice(k, none));
      block<V> p = space.columns(k, space.width()).times(rest);
      const ndarray<V> scale = detail::as_elements<V>(inverse_norms(p.x));
      direction = block<V>{p.x * scale, p.ax * scale, p.bx * scale};
      x = space.times(c);
      values = next_values;
    }
    return {values, x.x, step, norms};
  }

 private:
  block<V> applied(const ndarray<V>& x) const {
    return {x, a_.matmat(x), options_.B ? options_.B->matmat(x) : x};
  }

  /// 1 over the norms of the columns; 1 for columns of zeros.
  static ndarray<R> inverse_norms(const ndarray<V>& x) {
    const ndarray<R> norms = linalg::norm(x, 2, 0);
    return R(1) / where(norms > R(0), norms, R(1));
  }
  static ndarray<V> normalised(const ndarray<V>& x) { return x * detail::as_elements<V>(inverse_norms(x)); }

  /// The constraints made B-orthonormal.
  block<V> on_constraint(const ndarray<V>& y) const {
    const ndarray<V> by = options_.B ? options_.B->matmat(y) : y;
    const ndarray<V> root = linalg::cholesky(adjoint_times(y, by));
    const ndarray<V> inverse = conjugate(linalg::inv(root).T());
    return {matmul(y, inverse), {}, matmul(by, inverse)};
  }
  ndarray<V> without_constraint(const ndarray<V>& x) const {
    return constraint_ ? ndarray<V>(x - matmul(constraint_->x, adjoint_times(constraint_->bx, x))) : x;
  }

  /// The k extreme eigenvalues in the space, and their vectors in terms of its columns; fewer vectors if the
  /// space has fewer dimensions.
  std::pair<ndarray<R>, ndarray<V>> best_of(const block<V>& space, std::int64_t k) const {
    const auto gram = linalg::eigh(hermitian(adjoint_times(space.x, space.bx)));
    // Directions of the Gram matrix that rounding may have made.
    const R bound = R(4) * static_cast<R>(space.width()) * std::numeric_limits<R>::epsilon();
    const std::int64_t lost =
        sum(gram.eigenvalues <= bound * gram.eigenvalues(-1)).template astype<std::int64_t>().item();
    const ndarray<R> kept = gram.eigenvalues(slice(lost, none));
    const ndarray<V> white = ndarray<V>(gram.eigenvectors(ellipsis, slice(lost, none))) *
                             detail::as_elements<V>(R(1) / sqrt(kept));
    const ndarray<V> projected = adjoint_times(white, matmul(adjoint_times(space.x, space.ax), white));
    const auto ritz = linalg::eigh(hermitian(projected));
    const std::int64_t n = ritz.eigenvalues.size(), count = std::min(k, n);
    if (!options_.largest)
      return {ndarray<R>(ritz.eigenvalues(slice(none, count))),
              matmul(white, ndarray<V>(ritz.eigenvectors(ellipsis, slice(none, count))))};
    return {ndarray<R>(flip(ritz.eigenvalues(slice(n - count, none)))),
            matmul(white, ndarray<V>(flip(ritz.eigenvectors(ellipsis, slice(n - count, none)), 1)))};
  }

  static ndarray<V> hermitian(const ndarray<V>& a) { return (a + conjugate(a.T())) * V(R(0.5)); }

  const op& a_;
  const options_type& options_;
  std::optional<block<V>> constraint_;
};

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

template<class V>
sparse::linalg::lobpcg_result<V> lobpcg(const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& x,
                                        const sparse::linalg::lobpcg_options<V>& options) {
  const std::int64_t n = a.shape()[0];
  if (a.shape()[1] != n) fail<value_error>("lobpcg: A must be square, not {}", text(a.shape()));
  if (x.ndim() != 2 || x.shape(0) != n)
    fail<value_error>("lobpcg: X must have shape ({}, k), not {}", n, text(x.shape()));
  const std::int64_t k = x.shape(1);
  if (k < 1 || 3 * k > n)
    fail<value_error>("lobpcg: {} vectors in {} dimensions; there may be a third as many: use linalg::eigh",
                      k, n);
  if (options.Y && (options.Y->ndim() != 2 || options.Y->shape(0) != n))
    fail<value_error>("lobpcg: Y must have shape ({}, m), not {}", n, text(options.Y->shape()));
  return iteration<V>(a, options).run(x);
}

#define GPARRAY_INSTANCE(V)                                                                    \
  template sparse::linalg::lobpcg_result<V> lobpcg(const sparse::linalg::LinearOperator<V>& a, \
                                                   const ndarray<V>& x,                        \
                                                   const sparse::linalg::lobpcg_options<V>& options)
GPARRAY_FOR_SOLVER_ELEMENTS(GPARRAY_INSTANCE);
#undef GPARRAY_INSTANCE

}  // namespace detail
GPARRAY_END_NAMESPACE
