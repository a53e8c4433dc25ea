// Squared conjugate gradients: Sonneveld's, in the order of operations that SciPy has.
#include <core/sparse/linalg/iteration_state.hpp>
#include <core/sparse/linalg/iterative_solver.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

template<class V>
sparse::linalg::iterative_result<V> cgs(const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& b,
                                        const sparse::linalg::iterative_options<V>& options,
                                        const shared_vectors<V>* shared) {
  using R = real_t<V>;
  linear_system<V> system(a, b, options.x0, options.M, shared);
  const R norm_b = system.norm(system.b).item();
  const auto bound = static_cast<R>(residual_bound("cgs", options.atol, options.rtol, norm_b));
  if (norm_b == 0) return {system.b.copy(), 0};

  const std::int64_t maxiter = options.maxiter.value_or(10 * system.n);
  check_schedule schedule(system.b.device(), static_cast<bool>(options.callback));
  iteration_state state(system.b.device());
  const auto result = [&](std::int32_t code) -> sparse::linalg::iterative_result<V> {
    return {system.x, iteration_state::info(code, maxiter)};
  };

  ndarray<V> r = system.residual(), p, q, rho;
  const ndarray<V> shadow = r.copy();
  for (std::int64_t iteration = 0; iteration < maxiter; ++iteration) {
    state.end_if(system.norm(r) < bound, iteration_state::converged);
    const ndarray<V> previous = rho;
    rho = system.vdot(shadow, r);
    state.end_if(absolute(rho) < breakdown_bound<R>, iteration_state::rho_broke_down);
    if (schedule.due(iteration))
      if (const std::int32_t code = state.code()) return result(code);

    ndarray<V> u = r;
    if (iteration == 0) {
      p = r.copy();
    } else {
      const ndarray<V> beta = state.masked(rho / previous);
      u = r + beta * q;
      p = u + beta * (q + beta * p);
    }
    const ndarray<V> v = system.multiplied(system.preconditioned(p));
    const ndarray<V> rv = system.vdot(shadow, v);
    state.end_if(rv == V(0), iteration_state::omega_broke_down);
    const ndarray<V> alpha = state.masked(rho / rv);
    q = u - alpha * v;
    system.x += alpha * system.preconditioned(u + q);
    r = system.b - system.multiplied(system.x);  // not by recurrence, which loses digits here
    if (options.callback) {
      if (const std::int32_t code = state.code()) return result(code);
      options.callback(system.x);
    }
  }
  return result(state.code());
}

#define GPARRAY_INSTANCE(V)                                            \
  template sparse::linalg::iterative_result<V> cgs(                    \
      const sparse::linalg::LinearOperator<V>& a, const ndarray<V>& b, \
      const sparse::linalg::iterative_options<V>& options, const shared_vectors<V>* shared)
GPARRAY_FOR_SOLVER_ELEMENTS(GPARRAY_INSTANCE);
#undef GPARRAY_INSTANCE

}  // namespace detail
GPARRAY_END_NAMESPACE
