// Writes that need not be: what is written to an array that nothing else refers to becomes that name's next
// value.
#include <core/array/evaluate.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/temporary.hpp>
#include <core/array/turns.hpp>
#include <core/runtime/debug.hpp>
#include <core/runtime/stream_state.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Whether nobody can tell whether the elements stay in this memory: nothing else knows it, and new memory
/// would be of the same kind and have the same layout.
bool may_move(const array_rep* rep) {
  if (is_pending(rep)) return (!rep->computed_by || is_replaced(rep)) && rep->operation.c_order;
  const storage* const s = rep->memory;
  return rep->c_contiguous && !rep->is_view && !rep->read_only && s->memory && !s->arena &&
         s->space == default_space(rep->device_) && s->references.load(std::memory_order_acquire) == 1 &&
         !is_exposed(s);
}

/// Whether the program has one handle of a name, and nothing else that could see what is written to it.
bool is_the_only_handle(const array_rep* target, const array_rep* value) {
  int by_value = 0;
  if (!is_logged(value))
    for (int i = 0; i < value->operation.count; ++i)
      by_value += value->operation.arguments[i].array == target;
  // As it mostly is, which is known without a look at all that is pending.
  if (target->references.load(std::memory_order_acquire) - by_value == 1) return true;
  return handles_of(target) == 1;
}

bool can_rename(const array_rep* target, const detail::argument& source) {
  if (!target || !source.array || !source.fuse) return false;
  const array_rep* const value = source.array->rep();
  if (!value || !is_pending(value) || (value->computed_by && !is_replaced(value)) ||
      !value->operation.c_order)
    return false;
  if (value->shape != target->shape || value->device_ != target->device_) return false;
  return is_worth_a_look(target) && may_move(target) && !recording_on(any_device) &&
         is_the_only_handle(target, value);
}

}  // namespace
}  // namespace core

namespace detail {

using namespace core;

void assign_to_name(any_array& target, const argument& source) {
  if (!can_rename(target.rep(), source)) return assign(target, source);
  any_array value = *source.array;
  if (value.dtype() != target.dtype()) value = make_expression(ufunc::cast, target.dtype(), {&source, 1});
  target = std::move(value);
  name_expression(target);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
