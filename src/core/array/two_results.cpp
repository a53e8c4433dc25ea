#include <cstring>

#include <core/array/pending_list.hpp>
#include <core/array/two_results.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/runtime/jit.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// The function itself if it is not one of two results.
ufunc beside(ufunc f) {
  switch (f) {
    case ufunc::floor_divide:
      return ufunc::remainder;
    case ufunc::remainder:
      return ufunc::floor_divide;
    case ufunc::frexp_mantissa:
      return ufunc::frexp_exponent;
    case ufunc::frexp_exponent:
      return ufunc::frexp_mantissa;
    case ufunc::modf_fraction:
      return ufunc::modf_integer;
    case ufunc::modf_integer:
      return ufunc::modf_fraction;
    default:
      return f;
  }
}

/// Element by element, of operands that are read where the result is.
bool is_step(const array_rep* rep) {
  return is_pending(rep) && !rep->computed_by && !rep->roll && !rep->view && rep->operation.reductions == 0 &&
         !rep->operation.rolls;
}

bool is_same(const node_argument& a, const node_argument& b) {
  if (a.array != b.array || a.type != b.type) return false;
  return a.array || std::memcmp(&a.value, &b.value, itemsize(a.type)) == 0;
}

bool are_of_one_call(const array_rep* rep, const array_rep* other) {
  const node &n = rep->operation, &m = other->operation;
  if (m.op != beside(n.op) || m.loop != n.loop || m.count != n.count) return false;
  for (int i = 0; i < n.count; ++i)
    if (!is_same(n.arguments[i], m.arguments[i])) return false;
  return other->home == rep->home && other->device_ == rep->device_;
}

}  // namespace

any_array other_result(const array_rep* rep) {
  if (!is_step(rep) || beside(rep->operation.op) == rep->operation.op) return {};
  // A kernel that stores two results has to be compiled; what is recorded is computed name by name.
  if (rep->device_.is_cpu() || jit_mode() == jit::off || recording_on(any_device)) return {};
  pending_list* const list = rep->list.load(std::memory_order_acquire);
  if (!list) return {};
  const list_lock lock(*list);
  if (rep->list.load(std::memory_order_relaxed) != list) return {};
  // One line makes both.
  for (array_rep* const other : {rep->previous, rep->next})
    if (other && is_step(other) && are_of_one_call(rep, other) && !is_spared(other) &&
        retain_unless_dropped(other))
      return any_array::adopt(other);
  return {};
}

}  // namespace core
GPARRAY_END_NAMESPACE
