// What norms and powers of sparse matrices refuse.
#include <gparray/sparse/linalg/functions.hpp>
#include <support/errors.hpp>
#include <support/shape_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using core::fail;

void throw_sparse_norm_order(const norm_order& order) {
  if (order.name.empty()) fail<value_error>("Invalid norm order for matrices: {}", order.number);
  fail<value_error>("Invalid norm order for matrices: '{}'", order.name);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
