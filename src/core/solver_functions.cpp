// What norms and powers of sparse matrices refuse.
#include <core/errors.hpp>
#include <core/shape_text.hpp>
#include <gparray/sparse/functions.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using core::fail;

void throw_sparse_norm_order(const norm_order& order) {
  if (order.name.empty()) fail<value_error>("Invalid norm order for matrices: {}", order.number);
  fail<value_error>("Invalid norm order for matrices: '{}'", order.name);
}

void check_power(const dims& shape, std::int64_t n) {
  if (shape[0] != shape[1]) fail<value_error>("sparse matrix is not square: {}", core::python_text(shape));
  if (n < 0) fail<value_error>("exponent must be >= 0, not {}", n);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
