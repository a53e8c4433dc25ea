// Generalised minimal residuals: Saad and Schultz, left-preconditioned, with SciPy's control of tolerances.
#include <core/sparse/linalg/iterative_solver.hpp>
#include <core/sparse/linalg/orthogonal_basis.hpp>
#include <kernel/libm.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The projected problem, min |e_0 beta - H y|, kept in the form R y = s by plane rotations. On the host and
/// in double precision: it has restart numbers a column.
template<class W>
class hessenberg_problem {
 public:
  explicit hessenberg_problem(double beta) : s_{W(beta)} {}

  /// Takes a column of H, one longer than the one before; returns the residual's norm.
  double add(std::vector<W> h) {
    const std::size_t k = rotations_.size();
    for (std::size_t i = 0; i < k; ++i) rotations_[i].apply(h[i], h[i + 1]);
    rotations_.push_back(rotation(h[k], h[k + 1]));
    rotations_.back().apply(h[k], h[k + 1]);
    h.pop_back();
    columns_.push_back(std::move(h));
    s_.push_back(W(0));
    rotations_.back().apply(s_[k], s_[k + 1]);
    return std::abs(s_.back());
  }

  /// By back substitution. Rows that are zero, of singular A, are skipped.
  std::vector<W> solution() const {
    std::vector<W> y(s_.begin(), s_.end() - 1);
    for (std::size_t k = y.size(); k-- > 0;) {
      if (columns_[k][k] == W(0)) y[k] = W(0);
      if (y[k] == W(0)) continue;
      y[k] /= columns_[k][k];
      for (std::size_t i = 0; i < k; ++i) y[i] -= y[k] * columns_[k][i];
    }
    return y;
  }

 private:
  /// (c s; -conj(s) c) with c real, which makes (f, g) to (r, 0).
  struct rotation {
    rotation(W f, W g) {
      const double size = kernel::hypot(std::abs(f), std::abs(g));
      if (g == W(0)) return;
      c = std::abs(f) / size;
      const W phase = f == W(0) ? W(1) : f / std::abs(f);
      s = phase * conjugated(g) / size;
    }
    void apply(W& x, W& y) const {
      const W old = x;
      x = c * x + s * y;
      y = c * y - conjugated(s) * old;
    }
    static W conjugated(W z) {
      if constexpr (std::is_same_v<W, double>) return z;
      else return std::conj(z);
    }
    double c = 1;
    W s{};
  };

  std::vector<std::vector<W>> columns_;
  std::vector<rotation> rotations_;
  std::vector<W> s_;
};

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

template<class V>
sparse::linalg::iterative_result<V> gmres(const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& b,
                                          const sparse::linalg::gmres_options<V>& options,
                                          const shared_vectors<V>* shared) {
  using W = std::conditional_t<is_complex(dtype_of<V>), std::complex<double>, double>;
  linear_system<V> system(a, b, options.x0, options.M, shared);
  const double norm_b = system.norm(system.b).item();
  const double bound = residual_bound("gmres", options.atol, options.rtol, norm_b);
  if (norm_b == 0) return {system.b.copy(), 0};

  constexpr double epsilon = std::numeric_limits<real_t<V>>::epsilon();
  const std::int64_t maxiter = options.maxiter.value_or(10 * system.n);
  const std::int64_t restart = std::min(options.restart.value_or(20), system.n);
  if (restart < 1) throw value_error("restart must be at least 1");
  orthogonal_basis<V> basis(restart + 1, system.b.size(), system.b.device(), shared);

  ndarray<V> r = system.residual();
  double norm_r = system.norm(r).item();
  if (norm_r < bound) return {system.x, 0};
  // The inner iteration sees the preconditioned residual alone; its tolerance is adapted to the ratio to the
  // true one.
  double factor = 1;
  double inner_bound = system.norm(system.preconditioned(system.b)).item() * std::min(factor, bound / norm_b);
  for (std::int64_t iteration = 0; iteration < maxiter; ++iteration) {
    const ndarray<V> z = system.preconditioned(r);
    const double beta = system.norm(z).item();
    if (beta == 0) break;  // the preconditioner is singular
    basis.set(0, z * V(static_cast<real_t<V>>(1 / beta)));
    hessenberg_problem<W> problem(beta);
    double estimate = beta;
    bool exact = false;
    for (std::int64_t k = 0; k < restart && !exact; ++k) {
      ndarray<V> w = system.preconditioned(system.multiplied(basis[k]));
      const ndarray<real_t<V>> before = system.norm(w);
      const ndarray<V> parts = basis.orthogonalize(k + 1, w);
      const double left = system.norm(w).item();
      exact = left <= epsilon * before.item();
      const std::vector<V> column = parts.to_vector();
      std::vector<W> h(column.begin(), column.end());
      h.push_back(W(exact ? 0 : left));
      if (!exact) basis.set(k + 1, w * V(static_cast<real_t<V>>(1 / left)));
      estimate = problem.add(std::move(h));
      if (options.callback) options.callback(estimate / norm_b);
      if (estimate <= inner_bound) break;
    }
    const std::vector<W> y = problem.solution();
    system.x += basis.combine(std::vector<V>(y.begin(), y.end()));
    r = system.b - system.multiplied(system.x);
    norm_r = system.norm(r).item();
    if (options.callback_x) options.callback_x(system.x);
    if (norm_r <= bound || exact) break;
    factor = estimate <= inner_bound ? std::max(epsilon, 0.25 * factor) : std::min(1.0, 1.5 * factor);
    inner_bound = estimate * std::min(factor, bound / norm_r);
  }
  return {system.x, norm_r <= bound ? 0 : maxiter};
}

#define GPARRAY_INSTANCE(V)                                            \
  template sparse::linalg::iterative_result<V> gmres(                  \
      const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& b, \
      const sparse::linalg::gmres_options<V>& options, const shared_vectors<V>* shared)
GPARRAY_FOR_SOLVER_ELEMENTS(GPARRAY_INSTANCE);
#undef GPARRAY_INSTANCE

}  // namespace detail
GPARRAY_END_NAMESPACE
