// Least squares by bidiagonalisation: Paige and Saunders 1982, with the estimates and tests that SciPy has.
#include <core/errors.hpp>
#include <core/iterative_solver.hpp>
#include <core/shape_text.hpp>
#include <gparray/sparse/lsqr.hpp>

#include <cmath>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

double square(double x) { return x * x; }

/// (c s; s -c) (a, b) = (r, 0), without an overflow or a division by zero. r has the sign of the larger one.
struct reflection {
  double c, s, r;

  static reflection of(double a, double b) {
    if (b == 0) return {sign(a), 0, std::abs(a)};
    if (a == 0) return {0, sign(b), std::abs(b)};
    if (std::abs(b) > std::abs(a)) {
      const double ratio = a / b, s = sign(b) / std::sqrt(1 + ratio * ratio);
      return {s * ratio, s, b / s};
    }
    const double ratio = b / a, c = sign(a) / std::sqrt(1 + ratio * ratio);
    return {c, c * ratio, a / c};
  }
  static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
};

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
      rhobar1 = std::hypot(rhobar_, options_.damp);
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
    const double gamma = std::hypot(gambar, theta);
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

/// v / norm, and 0 / 0 = 0: nothing has to be known of the norm on the host.
template<class V, class R>
ndarray<V> normalized(const ndarray<V>& v, const ndarray<R>& norm) {
  const ndarray<R> factor = where(norm > R(0), R(1) / norm, R(0));
  return v * factor;
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

template<solver_element V>
sparse::linalg::lsqr_result<V> lsqr(const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& right_side,
                                    const ndarray<V>* x0, const sparse::linalg::lsqr_options& options) {
  using R = real_t<V>;
  const auto number = [](double x) { return V(static_cast<R>(x)); };
  const std::int64_t m = a.shape()[0], n = a.shape()[1];
  if (right_side.shape() != dims{m} && right_side.shape() != dims{m, 1})
    fail<value_error>("shapes of A {} and b {} are incompatible", python_text(a.shape()),
                      python_text(right_side.shape()));
  if (x0 && x0->shape() != dims{n})
    fail<value_error>("shapes of A {} and x0 {} are incompatible", python_text(a.shape()),
                      python_text(x0->shape()));
  const array_options here{.device = right_side.device()};
  const ndarray<V> b = right_side.ravel();
  ndarray<V> x = x0 ? x0->copy() : zeros<V>({n}, here);
  ndarray<R> var = zeros<R>({n}, here);

  ndarray<V> u = b;
  if (x0) u = b - a.matvec(x);
  ndarray<R> norm_u = linalg::norm(u);
  u = normalized(u, norm_u);
  ndarray<V> v = a.rmatvec(u);
  ndarray<R> norm_v = linalg::norm(v);
  v = normalized(v, norm_v);
  ndarray<V> w = v.copy();
  double alfa = norm_v.item();
  lsqr_recurrence recurrence(options, linalg::norm(b).item(), norm_u.item(), alfa);

  std::int64_t iteration = 0;
  int stop = 0;
  const std::int64_t limit = options.iter_lim.value_or(2 * n);
  const bool exact = recurrence.arnorm == 0;
  while (!exact && stop == 0 && iteration < limit) {
    ++iteration;
    u = a.matvec(v) - number(alfa) * u;
    norm_u = linalg::norm(u);
    u = normalized(u, norm_u);
    v = a.rmatvec(u) - norm_u * v;
    norm_v = linalg::norm(v);
    v = normalized(v, norm_v);
    const ndarray<R> norm_w = linalg::norm(w);

    const double beta = norm_u.item(), next = norm_v.item();  // the first waits, the others are there then
    recurrence.advance(alfa, beta, next, norm_w.item());
    alfa = next;
    x += number(recurrence.x_step) * w;
    if (options.calc_var) var += square(absolute(w * number(1 / recurrence.rho)));
    w = v + number(recurrence.w_step) * w;
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

}  // namespace detail
GPARRAY_END_NAMESPACE
