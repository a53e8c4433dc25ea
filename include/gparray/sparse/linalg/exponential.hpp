// SciPy's scipy.sparse.linalg.expm_multiply: what the exponential of a matrix makes of vectors.
#pragma once
#include <gparray/sparse/linalg/functions.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// exp(t (A + shift I)) b, for A with the 1-norm `norm`. One instance for each solver_element is in the
/// library.
template<class V>
GPARRAY_API ndarray<V> expm_multiply(const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& b,
                                     double t, V shift, double norm);
/// Times from start to stop. Throws value_error for fewer than one.
GPARRAY_API std::vector<double> expm_times(double start, double stop, std::int64_t num, bool endpoint);
/// Throws value_error with SciPy's texts unless A is square and fits b.
GPARRAY_API void check_expm(const dims& a, const dims& b);

/// A - mu I, whose trace is 0, as an operator; mu; and the operator's 1-norm.
template<solver_element V>
struct centred_operator {
  template<class A>
  explicit centred_operator(const A& a) {
    const std::int64_t n = a.shape(0);
    if constexpr (array_like<A>) {
      const ndarray<V> matrix = as_element<V>(a);
      if (n > 0) mu = trace(matrix).item() / V(static_cast<real_t<V>>(n));
      const ndarray<V> centred = matrix - mu * eye<V>(n, none, 0, {.device = matrix.device()});
      if (n > 0) norm = static_cast<double>(gparray::linalg::norm(centred, 1).item());
      op.emplace(centred);
    } else {
      const auto rows = a.template astype<V>(false).tocsr();
      if (n > 0) mu = V(rows.trace().item()) / V(static_cast<real_t<V>>(n));
      const auto centred = rows - sparse::identity<V>(n, rows.device()) * mu;
      if (n > 0) norm = static_cast<double>(sparse::linalg::norm(centred, 1).item());
      op.emplace(centred);
    }
  }
  V mu = {};
  double norm = 0;
  std::optional<sparse::linalg::LinearOperator<V>> op;
};

}  // namespace detail

namespace sparse::linalg {

/// The product expm(A) b, without computing expm(A): A is dense or sparse, (N, N), b is (N,) or (N, K). The
/// truncated Taylor series of A. H. Al-Mohy and N. J. Higham 2011 ("Computing the action of the matrix
/// exponential"), with the 1-norm of A - trace(A) / N in place of estimates for its powers; a few products
/// with A for each unit of that norm. On a GPU it waits after each product, to see whether the sum has
/// converged. Throws value_error.
template<class A, array_like B>
[[nodiscard]] auto expm_multiply(const A& a, const B& b) {
  using V = detail::factor_t<ndarray<typename detail::operator_t<A>>, B>;
  detail::check_expm(a.shape(), b.shape());
  const detail::centred_operator<V> centred(a);
  return detail::expm_multiply<V>(*centred.op, detail::as_element<V>(b), 1, centred.mu, centred.norm);
}
/// The products expm(t A) b for `num` times t from start to stop: (num, N) or (num, N, K).
template<class A, array_like B>
[[nodiscard]] auto expm_multiply(const A& a, const B& b, double start, double stop, std::int64_t num = 50,
                                 bool endpoint = true) {
  using V = detail::factor_t<ndarray<typename detail::operator_t<A>>, B>;
  detail::check_expm(a.shape(), b.shape());
  const std::vector<double> times = detail::expm_times(start, stop, num, endpoint);
  const detail::centred_operator<V> centred(a);
  std::vector<ndarray<V>> results;
  ndarray<V> x = detail::as_element<V>(b);
  double now = 0;
  for (const double t : times) {
    if (t != now) x = detail::expm_multiply<V>(*centred.op, x, t - now, centred.mu, centred.norm);
    results.push_back(x);
    now = t;
  }
  return stack(results, 0);
}

}  // namespace sparse::linalg
GPARRAY_END_NAMESPACE
