// What the iterative solvers of A x = b begin with, and when they ask whether they are done.
#pragma once
#include <core/creation/typed.hpp>
#include <core/linalg/typed.hpp>
#include <core/products/typed.hpp>
#include <gparray/sparse/linalg/iterative_solvers.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The real part, as an array of its own.
template<class V>
ndarray<detail::real_t<V>> real_part(const ndarray<V>& a) {
  return a.real();
}

/// SciPy's make_system: shapes checked, b as a vector, a copy of x0.
template<class V>
struct linear_system {
  using vector = ndarray<V>;

  linear_system(const sparse::linalg::LinearOperator<V>& a, const vector& right_side,
                const std::optional<vector>& x0,
                const std::optional<sparse::linalg::LinearOperator<V>>& preconditioner,
                const detail::shared_vectors<V>* shared_by_ranks);

  /// A z, and about A^-1 z.
  vector multiplied(const vector& z) const { return a.matvec(z); }
  vector preconditioned(const vector& z) const { return m ? m->matvec(z) : z; }
  /// b - A x, which costs nothing for the x of zeros that is the default.
  vector residual() const {
    if (starts_at_zero) return b.copy();
    return b - a.matvec(x);
  }

  /// Of all elements, and the same on every rank if the vectors are shared.
  scalar_array<V> vdot(const vector& y, const vector& z) const {
    return shared ? shared->vdot(y, z) : gparray::vdot(y, z);
  }
  scalar_expr<detail::real_t<V>> norm(const vector& z) const {
    return shared ? shared->norm(z) : linalg::norm(z);
  }

  const sparse::linalg::LinearOperator<V>& a;
  const detail::shared_vectors<V>* shared;
  const std::optional<sparse::linalg::LinearOperator<V>>& m;
  std::int64_t n;  // elements, on all ranks
  vector b, x;
  bool starts_at_zero;
};

/// max(atol, rtol * norm_b). Throws value_error for a negative atol, naming the solver.
double residual_bound(const char* solver, double atol, double rtol, double norm_b);

/// When a loop whose state is on a device looks at it. A GPU would run dry each time, so it is asked rarely,
/// but never after more than an eighth of the iterations done so far: that is the most that may be wasted.
class check_schedule {
 public:
  check_schedule(device on_device, bool always) : always_(always || on_device.is_cpu()) {}
  bool due(std::int64_t iteration) {
    if (!always_ && iteration < next_) return false;
    next_ = iteration + std::clamp<std::int64_t>(iteration / 8, 1, 16);
    return true;
  }

 private:
  bool always_;
  std::int64_t next_ = 0;
};

// The four instances of a solver.
#define GPARRAY_FOR_SOLVER_ELEMENTS(instance) \
  instance(float);                            \
  instance(double);                           \
  instance(std::complex<float>);              \
  instance(std::complex<double>)

}  // namespace core
GPARRAY_END_NAMESPACE
