// Least squares by bidiagonalisation: Paige and Saunders 1982, with the estimates and tests that SciPy has.
#include <cmath>

#include <core/sparse/linalg/bidiagonalization.hpp>
#include <gparray/sparse/linalg/lsqr.hpp>
#include <kernel/libm.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The QR factorisation of the bidiagonal matrix and the estimates made from it: numbers on the host, one set
/// an iteration. Names follow the paper's and SciPy's.
class lsqr_recurrence {
 public:
  lsqr_recurrence(const sparse::linalg::lsqr_options& options, double norm_b, double beta, double alfa)
      : r1norm(beta),
        r2norm(beta),
        arnorm(alfa * beta),
        options_(options),
        norm_b_(norm_b),
        rhobar_(alfa),
        phibar_(beta) {}

  /// Afterwards x += x_step w and w = v + w_step w.
  void advance(double previous_alfa, double beta, double alfa, double norm_w) {
    if (beta > 0)
      anorm = std::sqrt(square(anorm) + square(previous_alfa) + square(beta) + square(options_.damp));
    double rhobar1 = rhobar_, psi = 0;
    if (options_.damp > 0) {
      rhobar1 = kernel::hypot(rhobar_, options_.damp);
      psi = options_.damp / rhobar1 * phibar_;
      phibar_ *= rhobar_ / rhobar1;
    }
    const auto [c, s, r] = reflection::of(rhobar1, beta);
    rho = r;
    const double theta = s * alfa, phi = c * phibar_;
    rhobar_ = -c * alfa;
    phibar_ *= s;
    x_step = phi / rho;
    w_step = -theta / rho;
    ddnorm_ += square(norm_w / rho);

    const double delta = s2_ * rho, gambar = -c2_ * rho, rhs = phi - delta * z_;
    xnorm = std::sqrt(xxnorm_ + square(rhs / gambar));
    const double gamma = kernel::hypot(gambar, theta);
    c2_ = gambar / gamma;
    s2_ = theta / gamma;
    z_ = rhs / gamma;
    xxnorm_ += square(z_);

    acond = anorm * std::sqrt(ddnorm_);
    res2_ += square(psi);
    r2norm = std::sqrt(square(phibar_) + res2_);
    arnorm = alfa * std::abs(s * phi);
    r1norm = r2norm;
    if (options_.damp > 0) {
      const double squared = square(r2norm) - square(options_.damp) * xxnorm_;
      r1norm = std::copysign(std::sqrt(std::abs(squared)), squared);
    }
  }

  /// SciPy's istop, 0 to go on.
  int verdict(bool last) const {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    const double test1 = r2norm / norm_b_, test2 = arnorm / (anorm * r2norm + eps), test3 = 1 / (acond + eps);
    const double relative = anorm * xnorm / norm_b_;
    if (test1 <= options_.btol + options_.atol * relative) return 1;
    if (test2 <= options_.atol) return 2;
    if (test3 <= (options_.conlim > 0 ? 1 / options_.conlim : 0)) return 3;
    if (1 + test1 / (1 + relative) <= 1) return 4;
    if (1 + test2 <= 1) return 5;
    if (1 + test3 <= 1) return 6;
    return last ? 7 : 0;
  }

  double rho = 0, x_step = 0, w_step = 0;
  double r1norm, r2norm, anorm = 0, acond = 0, arnorm, xnorm = 0;

 private:
  const sparse::linalg::lsqr_options& options_;
  double norm_b_, rhobar_, phibar_;
  double ddnorm_ = 0, res2_ = 0, xxnorm_ = 0, z_ = 0, c2_ = -1, s2_ = 0;
};

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

template<class V>
sparse::linalg::lsqr_result<V> lsqr(const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& right_side,
                                    const ndarray<V>* x0, const sparse::linalg::lsqr_options& options) {
  using R = real_t<V>;
  const auto number = [](double x) { return V(static_cast<R>(x)); };
  check_least_squares(a.shape(), right_side, x0);
  const std::int64_t n = a.shape()[1];
  const array_options here{.device = right_side.device()};
  const ndarray<V> b = right_side.ravel();
  ndarray<V> x = x0 ? x0->copy() : zeros<V>({n}, here);
  ndarray<R> var = zeros<R>({n}, here);

  bidiagonalization<V> steps(a, x0 ? ndarray<V>(b - a.matvec(x)) : b);
  ndarray<V> w = steps.v.copy();
  double alfa = steps.norm_v.item();
  lsqr_recurrence recurrence(options, linalg::norm(b).item(), steps.norm_u.item(), alfa);

  std::int64_t iteration = 0;
  int stop = 0;
  const std::int64_t limit = options.iter_lim.value_or(2 * n);
  const bool exact = recurrence.arnorm == 0;
  while (!exact && stop == 0 && iteration < limit) {
    ++iteration;
    steps.advance();
    const ndarray<R> norm_w = linalg::norm(w);

    // The first waits, the others are there then.
    const double beta = steps.norm_u.item(), next = steps.norm_v.item();
    recurrence.advance(alfa, beta, next, norm_w.item());
    alfa = next;
    x += number(recurrence.x_step) * w;
    if (options.calc_var) var += square(absolute(w * number(1 / recurrence.rho)));
    w = steps.v + number(recurrence.w_step) * w;
    stop = recurrence.verdict(iteration >= limit);
  }
  return {x,
          stop,
          iteration,
          recurrence.r1norm,
          recurrence.r2norm,
          recurrence.anorm,
          recurrence.acond,
          recurrence.arnorm,
          recurrence.xnorm,
          var};
}

#define GPARRAY_INSTANCE(V)                                                                \
  template sparse::linalg::lsqr_result<V> lsqr(const sparse::linalg::LinearOperator<V>& a, \
                                               const ndarray<V>& b, const ndarray<V>* x0,  \
                                               const sparse::linalg::lsqr_options& options)
GPARRAY_FOR_SOLVER_ELEMENTS(GPARRAY_INSTANCE);
#undef GPARRAY_INSTANCE

}  // namespace detail
GPARRAY_END_NAMESPACE
