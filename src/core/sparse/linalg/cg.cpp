// Conjugate gradients: Hestenes and Stiefel's, in the order of operations that SciPy has.
#include <core/sparse/linalg/iterative_solver.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

// All numbers of the iteration stay on the device. Once `done`, alpha and beta are 0: x stays what it is, and
// nothing becomes infinite, however many iterations follow.
template<class V>
sparse::linalg::iterative_result<V> cg(const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& b,
                                       const sparse::linalg::iterative_options<V>& options,
                                       const shared_vectors<V>* shared) {
  using R = real_t<V>;
  linear_system<V> system(a, b, options.x0, options.M, shared);
  const R norm_b = system.norm(system.b).item();
  const auto bound = static_cast<R>(residual_bound("cg", options.atol, options.rtol, norm_b));
  if (norm_b == 0) return {system.b.copy(), 0};

  const std::int64_t maxiter = options.maxiter.value_or(10 * system.n);
  check_schedule schedule(system.b.device(), static_cast<bool>(options.callback));
  const V zero(0);
  ndarray<V> r = system.residual(), p, rho;
  ndarray<bool> done = full({}, false, {.device = system.b.device()});
  for (std::int64_t iteration = 0; iteration < maxiter; ++iteration) {
    const ndarray<V> z = system.preconditioned(r), previous = rho;
    rho = system.vdot(r, z);
    // Without a preconditioner rho is the square of the norm: one reduction does for both.
    if (system.m) done = logical_or(done, system.norm(r) < bound);
    else done = logical_or(done, sqrt(rho.real()) < bound);
    if (schedule.due(iteration) && done.item()) return {system.x, 0};

    if (iteration == 0) {
      p = z.copy();
    } else {
      const ndarray<V> beta = where(done, zero, rho / previous);
      p = z + beta * p;
    }
    const ndarray<V> q = system.multiplied(p);
    const ndarray<V> alpha = where(done, zero, rho / system.vdot(p, q));
    system.x += alpha * p;
    r -= alpha * q;
    if (options.callback) options.callback(system.x);
  }
  return {system.x, done.item() ? 0 : maxiter};
}

#define GPARRAY_INSTANCE(V)                                            \
  template sparse::linalg::iterative_result<V> cg(                     \
      const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& b, \
      const sparse::linalg::iterative_options<V>& options, const shared_vectors<V>* shared)
GPARRAY_FOR_SOLVER_ELEMENTS(GPARRAY_INSTANCE);
#undef GPARRAY_INSTANCE

}  // namespace detail
GPARRAY_END_NAMESPACE
