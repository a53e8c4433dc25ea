// What lsqr and lsmr share: Golub and Kahan's bidiagonalisation of A, and plane reflections.
#pragma once
#include <cmath>

#include <core/sparse/linalg/iterative_solver.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

inline double square(double x) { return x * x; }

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

/// Throws value_error unless b is (M,) or (M, 1) and x0, if given, (N,).
void check_least_squares(const dims& operator_shape, const any_array& b, const any_array* x0);

/// v / norm, and 0 / 0 = 0: nothing has to be known of the norm on the host.
template<class V, class R>
ndarray<V> normalized(const ndarray<V>& v, const ndarray<R>& norm) {
  const ndarray<R> factor = where(norm > R(0), R(1) / norm, R(0));
  return v * factor;
}

/// u and v, of norm 1 or 0, with norm_u u = b at first and norm_u u = A v - norm_v u after each step, and
/// norm_v v = A^H u - norm_u v. Nothing is waited for.
template<class V>
class bidiagonalization {
 public:
  using R = detail::real_t<V>;

  bidiagonalization(const sparse::linalg::LinearOperator<V>& matrix, const ndarray<V>& b) : a_(matrix) {
    norm_u = linalg::norm(b);
    u = normalized(b, norm_u);
    scale_v(a_.rmatvec(u));
  }
  void advance() {
    const ndarray<V> next = a_.matvec(v) - norm_v * u;
    norm_u = linalg::norm(next);
    u = normalized(next, norm_u);
    scale_v(a_.rmatvec(u) - norm_u * v);
  }

  ndarray<V> u, v;
  ndarray<R> norm_u, norm_v;

 private:
  void scale_v(const ndarray<V>& next) {
    norm_v = linalg::norm(next);
    v = normalized(next, norm_v);
  }

  const sparse::linalg::LinearOperator<V>& a_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
