// Minimal residuals for Hermitian A: Paige and Saunders, with the norms and the tests that SciPy has.
#include <cmath>

#include <core/sparse/linalg/iterative_solver.hpp>
#include <kernel/libm.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The QR factorisation of the Lanczos matrix and the estimates made from it: numbers on the host, one set an
/// iteration. Names follow the paper's and SciPy's.
class minres_recurrence {
 public:
  minres_recurrence(double beta1, double eps)
      : beta1_(beta1), eps_(eps), phibar_(beta1), rhs1_(beta1), gmin_(std::numeric_limits<double>::max()) {}

  /// alfa and beta of the k-th column; afterwards w_k = (v - epsilon w_{k-2} - delta w_{k-1}) / gamma and x
  /// += phi w_k.
  void advance(double alfa, double previous_beta, double beta, bool first) {
    tnorm2_ += alfa * alfa + previous_beta * previous_beta + beta * beta;
    if (first && beta / beta1_ <= 10 * eps_) stop_ = -1;  // A is a multiple of the identity
    epsilon = epsilon_next_;
    delta = cosine_ * dbar_ + sine_ * alfa;
    const double gbar = sine_ * dbar_ - cosine_ * alfa;
    epsilon_next_ = sine_ * beta;
    dbar_ = -cosine_ * beta;
    root_ = kernel::hypot(gbar, dbar_);
    gamma = std::max(kernel::hypot(gbar, beta), eps_);
    cosine_ = gbar / gamma;
    sine_ = beta / gamma;
    phi = cosine_ * phibar_;
    phibar_ = sine_ * phibar_;
    gmax_ = std::max(gmax_, gamma);
    gmin_ = std::min(gmin_, gamma);
    const double z = rhs1_ / gamma;
    rhs1_ = rhs2_ - delta * z;
    rhs2_ = -epsilon_next_ * z;
  }

  /// SciPy's istop, 0 to go on: 6 is the limit of iterations.
  int verdict(double norm_x, double rtol, bool last) const {
    if (stop_ != 0) return stop_;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double norm_a = std::sqrt(tnorm2_);
    const double test1 = norm_x == 0 || norm_a == 0 ? infinity : phibar_ / (norm_a * norm_x);
    const double test2 = norm_a == 0 ? infinity : root_ / norm_a;
    if (test1 <= rtol) return 1;
    if (test2 <= rtol) return 2;
    if (norm_a * norm_x * eps_ >= beta1_) return 3;
    if (gmax_ / gmin_ >= 0.1 / eps_) return 4;
    if (last) return 6;
    if (1 + test1 <= 1) return 1;
    if (1 + test2 <= 1) return 2;
    return 0;
  }

  double gamma = 0, delta = 0, epsilon = 0, phi = 0;

 private:
  double beta1_, eps_, phibar_, rhs1_, gmin_, gmax_ = 0, rhs2_ = 0, tnorm2_ = 0;
  double cosine_ = -1, sine_ = 0, dbar_ = 0, epsilon_next_ = 0, root_ = 0;
  int stop_ = 0;
};

/// <x, y>, which is real where the matrix between them is Hermitian.
template<class V>
ndarray<detail::real_t<V>> real_product(const linear_system<V>& system, const ndarray<V>& x,
                                        const ndarray<V>& y) {
  return system.vdot(x, y).real();
}

/// Whether <y, y> of y = F u and <u, F y> differ by more than rounding.
template<class V>
bool seems_hermitian(const linear_system<V>& system, const ndarray<V>& u, const ndarray<V>& image,
                     const ndarray<V>& image_of_image) {
  constexpr double eps = std::numeric_limits<detail::real_t<V>>::epsilon();
  const double s = real_product(system, image, image).item(),
               t = real_product(system, u, image_of_image).item();
  return std::abs(s - t) <= (s + eps) * std::cbrt(eps);
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

template<class V>
sparse::linalg::iterative_result<V> minres(const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& b,
                                           const sparse::linalg::minres_options<V>& options,
                                           const shared_vectors<V>* shared) {
  using R = real_t<V>;
  const auto number = [](double x) { return V(static_cast<R>(x)); };
  linear_system<V> system(a, b, options.x0, options.M, shared);
  ndarray<V>& x = system.x;
  ndarray<V> r1 = system.residual(), y = system.preconditioned(r1);
  const double squared = real_product(system, r1, y).item();
  if (squared < 0) throw value_error("indefinite preconditioner");
  if (squared == 0) return {x, 0};
  if (system.norm(system.b).item() == 0) return {system.b.copy(), 0};
  if (options.check) {
    const ndarray<V> image = system.multiplied(y);
    if (!seems_hermitian(system, y, image, system.multiplied(image)))
      throw value_error("non-symmetric matrix");
    if (!seems_hermitian(system, r1, y, system.preconditioned(y)))
      throw value_error("non-symmetric preconditioner");
  }

  const std::int64_t maxiter = options.maxiter.value_or(5 * system.n);
  double beta = std::sqrt(squared), previous = 0;
  minres_recurrence recurrence(beta, std::numeric_limits<R>::epsilon());
  ndarray<V> r2 = r1, w = zeros_like(x), w2 = w;
  ndarray<R> norm_x;
  for (std::int64_t iteration = 1; iteration <= maxiter; ++iteration) {
    const ndarray<V> v = y * number(1 / beta);
    y = system.multiplied(v);
    if (options.shift != 0) y = y - number(options.shift) * v;
    if (iteration >= 2) y = y - number(beta / previous) * r1;
    const ndarray<R> alfa = real_product(system, v, y);
    r1 = r2;
    r2 = y - alfa * number(1 / beta) * r2;
    y = system.preconditioned(r2);
    const ndarray<R> product = real_product(system, r2, y);

    // The iteration's one wait. Whether the last x was good enough is only now asked, as the answer would
    // have needed another.
    const double next = product.item();
    if (iteration >= 2 && recurrence.verdict(norm_x.item(), options.rtol, false)) return {x, 0};
    if (next < 0) throw value_error("non-symmetric matrix");
    previous = beta;
    beta = std::sqrt(next);
    recurrence.advance(alfa.item(), previous, beta, iteration == 1);

    const double scale = 1 / recurrence.gamma;
    const ndarray<V> new_w =
        v * number(scale) - number(recurrence.epsilon * scale) * w2 - number(recurrence.delta * scale) * w;
    w2 = w;
    w = new_w;
    x += number(recurrence.phi) * w;
    norm_x = system.norm(x);
    if (options.callback) options.callback(x);
  }
  if (maxiter < 1) return {x, 0};
  return {x, recurrence.verdict(norm_x.item(), options.rtol, true) == 6 ? maxiter : 0};
}

#define GPARRAY_INSTANCE(V)                                            \
  template sparse::linalg::iterative_result<V> minres(                 \
      const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& b, \
      const sparse::linalg::minres_options<V>& options, const shared_vectors<V>* shared)
GPARRAY_FOR_SOLVER_ELEMENTS(GPARRAY_INSTANCE);
#undef GPARRAY_INSTANCE

}  // namespace detail
GPARRAY_END_NAMESPACE
