// The value of an array of one element.
#include <cstring>

#include <core/array/array_rep.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/pending_view.hpp>
#include <core/array/rolled.hpp>
#include <core/runtime/result_slot.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// The array stays pending, so that memory is filled with the value only if it is needed.
void become_constant(array_rep* rep, const void* value) {  // its evaluation is held
  const node before = rep->operation;
  any_array loaded_from;
  {
    const list_lock others(*rep->home);  // which search below what is pending
    node& n = rep->operation;
    n.op = ufunc::cast;
    n.loop = rep->type;
    n.user = nullptr;
    n.count = n.steps = 1;
    n.inputs = 1;
    n.numbers = 1;
    n.arguments[0] = {nullptr, rep->type, {}};
    std::memcpy(&n.arguments[0].value, value, itemsize(rep->type));
    n.rolls = false;
    rep->roll.reset();
    rep->view.reset();
    std::swap(loaded_from, rep->loads_from);
    rep->places.reset();
    rep->compute_alone = nullptr;
  }
  for (int i = 0; i < before.count; ++i)
    if (before.arguments[i].array) release(before.arguments[i].array);
}

/// The value of a pending array, straight from the kernel that computes it: no other one has to read it from
/// an array's memory. False if the array has to be computed into memory.
bool compute_at_once(array_rep* rep, void* value) {
  const std::size_t bytes = itemsize(rep->type);
  result_slot slot(rep->device_, bytes);
  if (!slot) return false;
  {
    const auto lock = hold_expression(rep);
    if (!rep->pending.load(std::memory_order_acquire)) return false;
    if (is_constant(rep)) {
      std::memcpy(value, &rep->operation.arguments[0].value, bytes);
      return true;
    }
    enqueue_into(rep, slot.data());
  }
  // No other thread has to wait with this one: one that uses the array meanwhile computes it too.
  {
    const spared_expression known_soon(rep);
    effect_of_waiting();
    slot.take(value);
  }
  const auto lock = hold_expression(rep);
  if (!rep->pending.load(std::memory_order_acquire)) return true;
  delist(rep);
  become_constant(rep, value);
  return true;
}

}  // namespace
}  // namespace core

namespace detail {

using namespace core;

void item(const any_array& a, void* value) {
  auto* rep = const_cast<array_rep*>(shaped(a));
  if (rep->size != 1)
    fail<value_error>("item: can only convert an array of size 1 to a scalar, this one has shape {}",
                      text(rep->shape));
  if (rep->device_.is_cuda() && rep->pending.load(std::memory_order_acquire) && compute_at_once(rep, value))
    return;
  computed(a);
  if (rep->device_.is_cpu()) {  // nothing to wait for: work on the CPU is done when it has been enqueued
    std::memcpy(value, rep->data, itemsize(rep->type));
    return;
  }
  copy_to_host(a, value);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
