// Eigenvalues of Hermitian operators: the Lanczos method with thick restarts (Wu and Simon, SIAM J. Matrix
// Anal. Appl. 22, 2000).
#include <cmath>

#include <core/random/typed.hpp>
#include <core/sparse/linalg/iterative_solver.hpp>
#include <core/sparse/linalg/lanczos.hpp>
#include <core/sparse/linalg/orthogonal_basis.hpp>
#include <gparray/sparse/linalg/eigen.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

template<class V>
class lanczos {
 public:
  using R = detail::real_t<V>;
  using op = sparse::linalg::LinearOperator<V>;

  lanczos(const op& a, const ndarray<V>& start, std::int64_t size)
      : a_(a),
        n_(start.size()),
        size_(size),
        basis_(size + 1, n_, start.device()),
        alphas_(zeros<R>({size}, {.device = start.device()})),
        betas_(zeros<R>({size}, {.device = start.device()})),
        projected_(size),
        random_(random::default_rng(0, start.device())) {
    basis_.set(0, start / linalg::norm(start));
  }

  /// A vector orthogonal to the first `count`, of norm 1.
  ndarray<V> fresh_vector(std::int64_t count) {
    ndarray<V> w = random_.template uniform<R>(-1, 1, n_).template astype<V>();
    basis_.orthogonalize(count, w);
    return w / linalg::norm(w);
  }

  /// Fills the space from the vector number `kept` on; after it, what A makes of the space is the projected
  /// matrix, and beta times the next vector for its last one.
  void expand() {
    for (std::int64_t from = kept_; from < size_;) {
      for (std::int64_t j = from; j < size_; ++j) step(j);
      from = read(from);
    }
    pairs_ = projected_.diagonalized();
  }

  /// Ritz value i, and the norm of its residual.
  const std::vector<double>& values() const { return pairs_.values; }
  double residual(std::size_t i) const { return std::abs(coupling(i)); }

  /// Keeps these Ritz vectors, and goes on from what the residuals have in common.
  void restart(std::span<const std::size_t> kept) {
    std::vector<double> thetas, couplings;
    for (const std::size_t i : kept) {
      thetas.push_back(pairs_.values[i]);
      couplings.push_back(coupling(i));
    }
    kept_ = static_cast<std::int64_t>(kept.size());
    // In an invariant space there is no residual: a vector from outside of it may lead elsewhere.
    const ndarray<V> next = last_beta_ == 0 ? fresh_vector(size_) : basis_[size_];
    basis_.rotate(factors(kept), kept_);
    basis_.set(kept_, next);
    projected_.restart(thetas, couplings);
  }

  /// Ritz vectors as columns.
  ndarray<V> vectors(std::span<const std::size_t> which) {
    const auto count = static_cast<std::int64_t>(which.size());
    basis_.rotate(factors(which), count);
    return basis_.first(count).T();
  }

 private:
  double coupling(std::size_t i) const {
    const auto size = static_cast<std::size_t>(size_);
    return last_beta_ * pairs_.vectors[i * size + size - 1];
  }

  std::vector<V> factors(std::span<const std::size_t> which) const {
    std::vector<V> rows;
    const auto size = static_cast<std::ptrdiff_t>(size_);
    for (const std::size_t i : which) {
      const auto first = pairs_.vectors.begin() + static_cast<std::ptrdiff_t>(i) * size;
      std::transform(first, first + size, std::back_inserter(rows),
                     [](double x) { return V(static_cast<R>(x)); });
    }
    return rows;
  }

  /// Enqueues the work of one step; its two numbers stay on the device.
  void step(std::int64_t j) {
    ndarray<V> w = a_.matvec(basis_[j]);
    const ndarray<V> parts = basis_.orthogonalize(j + 1, w);
    const ndarray<R> beta = linalg::norm(w);
    alphas_(j) = parts(j).real();
    betas_(j) = beta;
    // Vectors that consist of rounding errors are found in read(); until then it is enough that they are
    // finite.
    basis_.set(j + 1, w / where(beta > R(0), beta, R(1)));
  }

  /// Waits for the numbers of the steps since `from`. Where one found the space invariant, the next vector is
  /// replaced by one from outside and the number of the first step to be repeated is returned.
  std::int64_t read(std::int64_t from) {
    const std::vector<R> alphas = alphas_.to_vector(), betas = betas_.to_vector();
    for (std::int64_t j = from; j < size_; ++j) {
      const auto number = static_cast<std::size_t>(j);
      const double alpha = alphas[number];
      double beta = betas[number];
      if (!std::isfinite(alpha) || !std::isfinite(beta))
        throw linalg_error("The operator returned infinities or NaNs");
      scale_ = std::max({scale_, std::abs(alpha), beta});
      // What is left when a vector of A's norm is orthogonalised twice against a space that holds it.
      const bool invariant = beta <= 8 * std::numeric_limits<R>::epsilon() * scale_;
      if (invariant) beta = 0;
      projected_.set_diagonal(j, alpha);
      if (j + 1 == size_) {
        last_beta_ = size_ == n_ ? 0 : beta;  // nothing is outside of the whole space
      } else {
        projected_.set_coupling(j, beta);
        if (invariant) {
          basis_.set(j + 1, fresh_vector(j + 1));
          return j + 1;
        }
      }
    }
    return size_;
  }

  const op& a_;
  std::int64_t n_, size_, kept_ = 0;
  orthogonal_basis<V> basis_;
  ndarray<R> alphas_, betas_;
  projected_matrix projected_;
  projected_matrix::ritz_pairs pairs_;
  double last_beta_ = 0, scale_ = 0;  // scale_: the largest number met, about |A|
  random::Generator random_;
};

template<class V>
ndarray<V> start_vector(const std::optional<ndarray<V>>& v0, std::int64_t n, device on_device) {
  using R = detail::real_t<V>;
  if (!v0) return random::default_rng(1, on_device).uniform<R>(-1, 1, n).template astype<V>();
  if (v0->shape() != dims{n} && v0->shape() != dims{n, 1})
    fail<value_error>("v0 must have shape ({},), not {}", n, text(v0->shape()));
  if (linalg::norm(*v0).item() == R(0)) throw value_error("Starting vector is zero.");
  return v0->ravel();
}

/// How many to keep: more than wanted when some have converged, which lets the others converge faster
/// (ARPACK).
std::int64_t kept_size(std::int64_t k, std::int64_t converged, std::int64_t size) {
  const std::int64_t kept = k + std::min(converged, (size - k) / 2);
  if (kept > 1) return kept;
  return size >= 6 ? size / 2 : size > 2 ? 2 : 1;
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

template<class V>
sparse::linalg::eigsh_result<V> eigsh(const sparse::linalg::LinearOperator<V>& a, std::int64_t k,
                                      const sparse::linalg::eigsh_options<V>& options) {
  using R = real_t<V>;
  const std::int64_t n = a.shape()[0];
  if (n != a.shape()[1]) fail<value_error>("expected square matrix (shape={})", text(a.shape()));
  if (k <= 0) throw value_error("k must be greater than 0.");
  if (k >= n) fail<value_error>("k={} must be less than N={}: use linalg::eigh for all eigenvalues", k, n);
  const std::int64_t size = options.ncv.value_or(std::min(n, std::max<std::int64_t>(2 * k + 1, 20)));
  if (size <= k || size > n) fail<value_error>("ncv must be k<ncv<=n, ncv={}", size);
  const std::int64_t maxiter = options.maxiter.value_or(10 * n);
  if (maxiter <= 0) fail<value_error>("maxiter must be positive, maxiter={}", maxiter);
  const wanted which = parse_wanted(options.which);

  constexpr double epsilon = std::numeric_limits<R>::epsilon();
  const double least = std::cbrt(epsilon * epsilon), tolerance = options.tol > 0 ? options.tol : epsilon;
  const device on_device = options.v0 ? options.v0->device() : a.device();
  const auto& inverse = options.OPinv;
  lanczos<V> space(options.sigma ? inverse.value() : a, start_vector(options.v0, n, on_device), size);
  for (std::int64_t iteration = 1;; ++iteration) {
    space.expand();
    std::vector<std::size_t> order = by_preference(space.values(), which);
    const std::span<std::size_t> best(order.data(), static_cast<std::size_t>(k));
    const std::int64_t converged = std::ranges::count_if(best, [&](std::size_t i) {
      return space.residual(i) <= tolerance * std::max(least, std::abs(space.values()[i]));
    });
    if (converged < k && iteration < maxiter) {
      space.restart({order.data(), static_cast<std::size_t>(kept_size(k, converged, size))});
      continue;
    }
    if (converged < k)
      fail<linalg_error>("No convergence ({} iterations, {}/{} eigenvectors converged)", iteration, converged,
                         k);
    const auto eigenvalue = [&](std::size_t i) {
      const double value = space.values()[i];
      return options.sigma ? *options.sigma + 1 / value : value;
    };
    std::ranges::sort(best, {}, eigenvalue);
    std::vector<R> values;
    for (const std::size_t i : best) values.push_back(static_cast<R>(eigenvalue(i)));
    return {
        typed<R>(from_host(values.data(), {k}, dtype_of<R>, on_device)),
        options.return_eigenvectors ? space.vectors(best) : gparray::empty<V>({n, 0}, {.device = on_device})};
  }
}

#define GPARRAY_INSTANCE(V)                                                                                  \
  template sparse::linalg::eigsh_result<V> eigsh(const sparse::linalg::LinearOperator<V>& a, std::int64_t k, \
                                                 const sparse::linalg::eigsh_options<V>& options)
GPARRAY_FOR_SOLVER_ELEMENTS(GPARRAY_INSTANCE);
#undef GPARRAY_INSTANCE

void check_mass(const dims& a, const dims& m) {
  if (a != m) fail<value_error>("wrong M dimensions {}, should be {}", text(m), text(a));
}

void throw_no_inverse() {
  throw type_error("eigsh near sigma needs the inverse of a LinearOperator: give it as .OPinv");
}

}  // namespace detail
GPARRAY_END_NAMESPACE
