// Least squares by bidiagonalisation: Fong and Saunders 2011, with the estimates and tests that SciPy has.
#include <core/sparse/linalg/bidiagonalization.hpp>
#include <gparray/sparse/linalg/lsmr.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The two QR factorisations of the bidiagonal matrix and the estimates made from them: numbers on the host,
/// one set an iteration. Names follow the paper's and SciPy's.
class lsmr_recurrence {
 public:
  lsmr_recurrence(double damp, double alpha, double beta)
      : normr(beta),
        normar(alpha * beta),
        norma(alpha),
        damp_(damp),
        zetabar_(alpha * beta),
        alphabar_(alpha),
        betadd_(beta),
        norm2_(alpha * alpha) {}

  /// Afterwards hbar = h - hbar_step hbar, x += x_step hbar, h = v - h_step h.
  void advance(double alpha, double beta, bool first) {
    const auto [chat, shat, alphahat] = reflection::of(alphabar_, damp_);
    const double rhoold = rho_, rhobarold = rhobar_, zetaold = zeta_;
    const auto [c, s, rho] = reflection::of(alphahat, beta);
    rho_ = rho;
    const double thetanew = s * alpha;
    alphabar_ = c * alpha;
    const double thetabar = sbar_ * rho, rhotemp = cbar_ * rho;
    const auto [cbar, sbar, rhobar] = reflection::of(rhotemp, thetanew);
    cbar_ = cbar;
    sbar_ = sbar;
    rhobar_ = rhobar;
    zeta_ = cbar * zetabar_;
    zetabar_ = -sbar * zetabar_;
    hbar_step = thetabar * rho / (rhoold * rhobarold);
    x_step = zeta_ / (rho * rhobar);
    h_step = thetanew / rho;
    estimate_residual(chat, shat, c, s, thetabar, zetaold);

    norm2_ += square(beta);
    norma = std::sqrt(norm2_);
    norm2_ += square(alpha);
    maxrbar_ = std::max(maxrbar_, rhobarold);
    if (!first) minrbar_ = std::min(minrbar_, rhobarold);
    conda = std::max(maxrbar_, rhotemp) / std::min(minrbar_, rhotemp);
    normar = std::abs(zetabar_);
  }

  /// SciPy's istop, 0 to go on.
  int verdict(double normx, double normb, double atol, double btol, double conlim, bool last) const {
    const double test1 = normr / normb, scale = norma * normr;
    const double test2 = scale != 0 ? normar / scale : std::numeric_limits<double>::infinity();
    const double test3 = 1 / conda, relative = norma * normx / normb;
    if (test1 <= btol + atol * relative) return 1;
    if (test2 <= atol) return 2;
    if (test3 <= (conlim > 0 ? 1 / conlim : 0)) return 3;
    if (1 + test1 / (1 + relative) <= 1) return 4;
    if (1 + test2 <= 1) return 5;
    if (1 + test3 <= 1) return 6;
    return last ? 7 : 0;
  }

  double hbar_step = 0, x_step = 0, h_step = 0;
  double normr, normar, norma, conda = 1;

 private:
  void estimate_residual(double chat, double shat, double c, double s, double thetabar, double zetaold) {
    const double betaacute = chat * betadd_, betacheck = -shat * betadd_, betahat = c * betaacute;
    betadd_ = -s * betaacute;
    const double thetatildeold = thetatilde_;
    const auto [ctilde, stilde, rhotilde] = reflection::of(rhodold_, thetabar);
    thetatilde_ = stilde * rhobar_;
    rhodold_ = ctilde * rhobar_;
    betad_ = -stilde * betad_ + ctilde * betahat;
    tautildeold_ = (zetaold - thetatildeold * tautildeold_) / rhotilde;
    const double taud = (zeta_ - thetatilde_ * tautildeold_) / rhodold_;
    d_ += square(betacheck);
    normr = std::sqrt(d_ + square(betad_ - taud) + square(betadd_));
  }

  double damp_, zetabar_, alphabar_, rho_ = 1, rhobar_ = 1, cbar_ = 1, sbar_ = 0, zeta_ = 0;
  double betadd_, betad_ = 0, rhodold_ = 1, tautildeold_ = 0, thetatilde_ = 0, d_ = 0;
  double norm2_, maxrbar_ = 0, minrbar_ = 1e100;
};

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

template<class V>
sparse::linalg::lsmr_result<V> lsmr(const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& right_side,
                                    const sparse::linalg::lsmr_options<V>& options) {
  using R = real_t<V>;
  const auto number = [](double x) { return V(static_cast<R>(x)); };
  check_least_squares(a.shape(), right_side, options.x0 ? &*options.x0 : nullptr);
  const array_options here{.device = right_side.device()};
  const ndarray<V> b = right_side.ravel();
  ndarray<V> x = options.x0 ? options.x0->copy() : zeros<V>({a.shape()[1]}, here);
  bidiagonalization<V> steps(a, options.x0 ? ndarray<V>(b - a.matvec(x)) : b);
  const double norm_b = linalg::norm(b).item(), norm_u = steps.norm_u.item();
  lsmr_recurrence recurrence(options.damp, norm_u > 0 ? steps.norm_v.item() : R(0), norm_u);
  const auto result = [&](int stop, std::int64_t iteration, double norm_x) -> sparse::linalg::lsmr_result<V> {
    return {x,     stop, iteration, recurrence.normr, recurrence.normar, recurrence.norma, recurrence.conda,
            norm_x};
  };
  if (recurrence.normar == 0) return result(0, 0, 0);
  if (norm_b == 0) {
    x = zeros<V>({a.shape()[1]}, here);
    return result(0, 0, 0);
  }

  ndarray<V> h = steps.v.copy(), h_bar = zeros_like(x);
  const std::int64_t limit = options.maxiter.value_or(std::min(a.shape()[0], a.shape()[1]));
  double norm_x = 0;
  int stop = 0;
  std::int64_t iteration = 0;
  while (stop == 0 && iteration < limit) {
    ++iteration;
    steps.advance();
    const double beta = steps.norm_u.item(), alpha = steps.norm_v.item();
    recurrence.advance(alpha, beta, iteration == 1);
    h_bar = h - number(recurrence.hbar_step) * h_bar;
    x += number(recurrence.x_step) * h_bar;
    h = steps.v - number(recurrence.h_step) * h;
    norm_x = linalg::norm(x).item();
    stop = recurrence.verdict(norm_x, norm_b, options.atol, options.btol, options.conlim, iteration >= limit);
  }
  return result(stop, iteration, norm_x);
}

#define GPARRAY_INSTANCE(V)                                                                \
  template sparse::linalg::lsmr_result<V> lsmr(const sparse::linalg::LinearOperator<V>& a, \
                                               const ndarray<V>& b,                        \
                                               const sparse::linalg::lsmr_options<V>& options)
GPARRAY_FOR_SOLVER_ELEMENTS(GPARRAY_INSTANCE);
#undef GPARRAY_INSTANCE

}  // namespace detail
GPARRAY_END_NAMESPACE
