// The checks of polynomials, and their values.
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/runtime/storage.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/error.hpp>
#include <gparray/statistics/polynomials.hpp>
#include <plan/backend.hpp>
#include <plan/polynomial_plan.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

void check_polynomial(const any_array& p) {
  if (p.ndim() > 1) throw value_error("Polynomial must be 1d only.");
}

any_array polynomial_values(const any_array& p, const any_array& x) {
  if (p.device() != x.device()) throw_device_mismatch("polyval", p.device(), x.device());
  const array_rep *coefficients = computed(p), *at = computed(x);
  // Elements may lie in any order, if it is the same for both.
  const dims strides =
      strides_in_order(at->shape, itemsize(at->type), memory_order(at->shape, {&at->strides, 1}));
  const any_array dense = at->strides == strides ? x : copy(x, order::K);
  at = dense.rep();
  const any_array out = allocate(at->type, at->shape, strides, at->memory->space, at->device_);
  const array_rep* const to = out.rep();
  if (p.size() == 0) fill(to, to->type, scalar_bits{});
  if (p.size() == 0 || x.size() == 0) return out;
  polynomial_plan plan;
  plan.type = to->type;
  plan.size = to->size;
  plan.n_coefficients = p.size();
  plan.x = at->data;
  plan.coefficients = coefficients->data;
  plan.coefficient_stride = coefficients->strides[0];
  plan.out = to->data;
  const queue q = current_queue(to->device_);
  backend_of(to->device_).evaluate_polynomial(plan, q);
  for (const array_rep* used : {coefficients, at, to}) record_use(used->memory, q);
  return out;
}

void throw_polynomial(std::string_view why) { throw value_error(std::string(why)); }
void throw_polynomial_type(std::string_view why) { throw type_error(std::string(why)); }

}  // namespace detail
GPARRAY_END_NAMESPACE
