// What operators and the vectors given to them must fulfil.
#include <gparray/sparse/linalg/linear_operator.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using core::fail;
using core::text;

void check_operator_shape(const dims& shape) {
  if (shape.size() != 2 || shape[0] < 0 || shape[1] < 0)
    fail<value_error>("invalid shape {} (must be 2-d)", text(shape));
}

void check_operand(const dims& operator_shape, operator_use use, const any_array& x) {
  const std::int64_t length = operator_shape[use.adjoint ? 0 : 1];
  const bool fits = use.matrix ? x.ndim() == 2 && x.shape(0) == length
                               : x.shape() == dims{length} || x.shape() == dims{length, 1};
  if (!fits)
    fail<value_error>("dimension mismatch: an operator of shape {}{} cannot be applied to {}",
                      text(operator_shape), use.adjoint ? ", adjoint," : "", text(x.shape()));
}

void check_image(const dims& operator_shape, operator_use use, const any_array& x, const any_array& y) {
  dims shape{operator_shape[use.adjoint ? 1 : 0]};
  if (use.matrix) shape.push_back(x.shape(1));
  if (y.shape() != shape)
    fail<value_error>("{}{} of an operator of shape {} must return {}, not {}", use.adjoint ? "r" : "",
                      use.matrix ? "matmat" : "matvec", text(operator_shape), text(shape), text(y.shape()));
}

void throw_no_adjoint() {
  fail<type_error>("rmatvec is not defined: give the LinearOperator its .rmatvec, the adjoint");
}

void throw_operators_differ(const char* operation, const dims& a, const dims& b) {
  fail<value_error>("cannot compute A {} B of shapes {} and {}: shape mismatch", operation, text(a), text(b));
}

}  // namespace detail
GPARRAY_END_NAMESPACE
