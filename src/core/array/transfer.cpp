#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/transfer.hpp>
#include <core/runtime/stream_state.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The elements without gaps, in C order, converted to `type`.
any_array packed(const any_array& a, dtype type) {
  const array_rep* rep = a.rep();
  if (rep->c_contiguous && rep->type == type) return a;
  const any_array copy = allocate(type, rep->shape, rep->device_);
  copy_elements(copy.rep(), rep);
  return copy;
}

void copy_bytes(const array_rep* target, const array_rep* source) {
  const std::size_t bytes = static_cast<std::size_t>(source->size) * itemsize(source->type);
  const queue to = current_queue(target->device_), from = current_queue(source->device_);
  const bool two_gpus = target->device_.is_cuda() && source->device_.is_cuda();
  const queue q = target->device_.is_cuda() ? to : from;
  // No pool can follow the work of another device's stream, so the source's stream itself waits for the copy.
  if (two_gpus) order_queues(from, to);
  gpu_backend()->copy(target->data, source->data, bytes, q);
  if (two_gpus) order_queues(to, from);
  record_use(target->memory, q);
  record_use(source->memory, two_gpus ? from : q);
}

}  // namespace

void copy_across(const array_rep* target, const any_array& value) {
  if (target->size == 0) return;
  const array_rep* source = value.rep();
  const bool same_form = target->type == source->type && target->shape == source->shape;
  if (same_form && target->f_contiguous && source->f_contiguous) return copy_bytes(target, source);
  // The narrower dtype is the one that travels.
  const bool convert_first = itemsize(target->type) < itemsize(source->type);
  const any_array sent = packed(value, convert_first ? target->type : source->type);
  if (target->shape == source->shape && target->type == sent.rep()->type && target->c_contiguous)
    return copy_bytes(target, sent.rep());
  const any_array received = allocate(sent.rep()->type, source->shape, target->device_);
  copy_bytes(received.rep(), sent.rep());
  copy_elements(target, received.rep());
}

}  // namespace core
GPARRAY_END_NAMESPACE
