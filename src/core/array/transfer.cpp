// asnumpy, to_device and copyto: what is checked before anything moves, and how it moves.
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>
#include <core/array/transfer.hpp>
#include <core/runtime/on_stream.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/transfer.hpp>
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
namespace detail {

using namespace core;

void check_stream(const char* operation, const stream_view& on, device a, device b) {
  if (on.device() == a || on.device() == b) return;
  fail<device_error>("{}: the stream is of {}, but the data {} {}; use a stream of {}", operation,
                     on.device().str(), a == b ? "is on" : "goes from",
                     a == b ? a.str() : a.str() + " to " + b.str(), b.is_cuda() ? b.str() : a.str());
}

namespace {

/// Computes an argument, on the current stream as ever. The caller of an explicit stream has ordered it
/// behind the arrays that were there, but knows nothing of one that was pending until now.
const array_rep* computed_before(const any_array& a, const stream_view* on) {
  const bool fresh = a.pending();
  const array_rep* rep = computed(a);
  if (fresh && on && rep->device_.is_cuda() && on->device().is_cuda())
    order_queues(current_queue(rep->device_), queue_of(*on));
  return rep;
}

/// target[...] = source, wherever they are. Shapes are checked.
void copy_anywhere(const array_rep* target, const any_array& source) {
  if (assignable(target, computed(source))) assign_array(target, source);
  else copy_across(target, source);
}

any_array moved(const any_array& a, device where, memory_space space) {
  const array_rep* source = computed(a);
  const std::size_t item = itemsize(source->type);
  const bool fortran = source->f_contiguous && !source->c_contiguous && where.is_cuda();
  const dims strides = fortran ? f_strides(source->shape, item) : c_strides(source->shape, item);
  const any_array result = allocate(source->type, source->shape, strides, space, where);
  copy_across(result.rep(), a);
  return result;
}

void check_host_output(const any_array& out, const any_array& a) {
  if (!out.device().is_cpu())
    fail<device_error>("asnumpy: out is on {}, and must be in host memory; use copyto to copy to a device",
                       out.device().str());
  if (out.dtype() != a.dtype())
    fail<type_error>("asnumpy: out holds {} and the array {}; use copyto, which converts", name(out.dtype()),
                     name(a.dtype()));
  if (out.shape() != a.shape())
    fail<value_error>("asnumpy: out has shape {} and the array {}; they must be the same", text(out.shape()),
                      text(a.shape()));
  check_target(computed(out), a.shape());
}

void check_mask(const any_array& mask, const any_array& target) {
  if (mask.dtype() != gparray::dtype::bool_)
    fail<type_error>("copyto: where must be an array of bool, got {}", name(mask.dtype()));
  if (!broadcasts_to(mask.shape(), target.shape()))
    fail<value_error>("copyto: where of shape {} does not broadcast to the target's shape {}",
                      text(mask.shape()), text(target.shape()));
}

}  // namespace

any_array to_host(const any_array& a, const stream_view* on, const any_array& out) {
  const device from = a.device();
  if (on) check_stream("asnumpy", *on, from, device::cpu());
  if (out.rep()) check_host_output(out, a);
  computed_before(a, on);
  out.rep() ? effect_on(computed(out)) : effect_of_waiting();
  const on_stream scope(on);
  if (!out.rep()) return from.is_cpu() ? a : moved(a, device::cpu(), memory_space::host);
  copy_anywhere(computed(out), a);
  return out;
}

any_array to_device(const any_array& a, device where, const stream_view* on) {
  backend_of(where);
  if (on) check_stream("to_device", *on, a.device(), where);
  computed_before(a, on);
  effect_of_waiting();
  const on_stream scope(on);
  return a.device() == where ? a : moved(a, where, default_space(where));
}

void copy_to(const any_array& target, const argument& source, const any_array& mask, const stream_view* on) {
  const device on_device = target.device(), from = source.array ? source.array->device() : on_device;
  if (on) check_stream("copyto", *on, from, on_device);
  if (source.array && source.array->ndim() > target.ndim()) {
    const dims fitting = without_leading_ones(source.array->shape(), target.shape().size());
    if (broadcasts_to(fitting, target.shape()))
      return copy_to(target, temporary(reshape(*source.array, fitting, order::C)), mask, on);
  }
  if (mask.rep()) check_mask(mask, target);
  const array_rep* to = computed_before(target, on);
  check_target(to, source.array ? source.array->shape() : dims{});
  if (source.array) computed_before(*source.array, on);
  if (mask.rep()) computed_before(mask, on);
  effect_on(to);
  const on_stream scope(on);
  if (!mask.rep()) return source.array ? copy_anywhere(to, *source.array) : assign(target, source);
  argument local = source;
  any_array local_source;
  const memory_space space = default_space(on_device);
  if (source.array && from != on_device)
    local.array = &(local_source = moved(*source.array, on_device, space));
  assign_where(target, local, mask.device() == on_device ? mask : moved(mask, on_device, space));
}

}  // namespace detail
GPARRAY_END_NAMESPACE
