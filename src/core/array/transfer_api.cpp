// The library's side of transfer.hpp: what is checked before anything moves.
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>
#include <core/array/transfer.hpp>
#include <core/runtime/on_stream.hpp>
#include <core/runtime/stream_state.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
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
  if (out.rep()) effect_on(computed(out));
  else effect();
  const on_stream scope(on);
  if (!out.rep()) return from.is_cpu() ? a : moved(a, device::cpu(), memory_space::host);
  copy_anywhere(computed(out), a);
  return out;
}

any_array to_device(const any_array& a, device where, const stream_view* on) {
  backend_of(where);
  if (on) check_stream("to_device", *on, a.device(), where);
  computed_before(a, on);
  effect();
  const on_stream scope(on);
  return a.device() == where ? a : moved(a, where, default_space(where));
}

void copy_to(const any_array& target, const argument& source, const any_array& mask, const stream_view* on) {
  const device on_device = target.device(), from = source.array ? source.array->device() : on_device;
  if (on) check_stream("copyto", *on, from, on_device);
  if (source.array && source.array->ndim() > target.ndim()) {
    const any_array fitting = without_leading_ones(*source.array, target.shape().size());
    if (broadcasts_to(fitting.shape(), target.shape())) return copy_to(target, temporary(fitting), mask, on);
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
