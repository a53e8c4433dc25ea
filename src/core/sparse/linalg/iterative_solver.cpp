#include <core/sparse/linalg/bidiagonalization.hpp>
#include <core/sparse/linalg/iterative_solver.hpp>
#include <support/errors.hpp>
#include <support/shape_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

void check_vector(const dims& operator_shape, const any_array& v, const char* name) {
  const std::int64_t n = operator_shape[0];
  if (v.shape() != dims{n} && v.shape() != dims{n, 1})
    fail<value_error>("shapes of A {} and {} {} are incompatible", python_text(operator_shape), name,
                      python_text(v.shape()));
}

}  // namespace

template<class V>
linear_system<V>::linear_system(const sparse::linalg::LinearOperator<V>& matrix, const vector& right_side,
                                const std::optional<vector>& x0,
                                const std::optional<sparse::linalg::LinearOperator<V>>& preconditioner,
                                const detail::shared_vectors<V>* shared_by_ranks)
    : a(matrix),
      shared(shared_by_ranks),
      m(preconditioner),
      n(shared ? shared->size : matrix.shape()[0]),
      starts_at_zero(!x0) {
  if (a.shape()[0] != a.shape()[1])
    fail<value_error>("expected square matrix, but got shape={}", python_text(a.shape()));
  check_vector(a.shape(), right_side, "b");
  if (m && m->shape() != a.shape()) throw value_error("matrix and preconditioner have different shapes");
  if (x0) check_vector(a.shape(), *x0, "x0");
  b = right_side.ravel();
  const device on_device = b.device();
  if (x0 && x0->device() != on_device) throw_device_mismatch("a solver", on_device, x0->device());
  x = x0 ? x0->ravel().copy() : zeros<V>({b.size()}, {.device = on_device});
}

#define GPARRAY_INSTANCE(V) template struct linear_system<V>
GPARRAY_FOR_SOLVER_ELEMENTS(GPARRAY_INSTANCE);
#undef GPARRAY_INSTANCE

void check_least_squares(const dims& operator_shape, const any_array& b, const any_array* x0) {
  check_vector(operator_shape, b, "b");
  if (x0 && x0->shape() != dims{operator_shape[1]})
    fail<value_error>("shapes of A {} and x0 {} are incompatible", python_text(operator_shape),
                      python_text(x0->shape()));
}

double residual_bound(const char* solver, double atol, double rtol, double norm_b) {
  if (!(atol >= 0))
    fail<value_error>(
        "'{}' called with invalid `atol`={}; if set, `atol` must be a real, non-negative "
        "number.",
        solver, atol);
  return std::max(atol, rtol * norm_b);
}

}  // namespace core
GPARRAY_END_NAMESPACE
