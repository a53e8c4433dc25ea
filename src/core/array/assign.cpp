// Writing into computed arrays.
#include <cstring>

#include <core/array/array_rep.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/pending_nodes.hpp>
#include <core/array/plan_builder.hpp>
#include <core/array/temporary.hpp>
#include <core/array/transfer.hpp>
#include <core/runtime/stream_state.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

bool overlaps(const array_rep* a, const array_rep* b) {
  const extent x = byte_extent(a->shape, a->strides, itemsize(a->type));
  const extent y = byte_extent(b->shape, b->strides, itemsize(b->type));
  return x.begin != x.end && y.begin != y.end && a->data + x.begin < b->data + y.end &&
         b->data + y.begin < a->data + x.end;
}

/// Whether writing target while reading source (broadcast to target's shape) could read what was written
/// before.
bool hazardous(const array_rep* target, const array_rep* source) {
  if (target->device_ != source->device_ || !overlaps(target, source)) return false;
  const bool same_elements = target->data == source->data && target->type == source->type &&
                             target->shape == source->shape && target->strides == source->strides;
  return !same_elements;
}

/// The device of both arrays, or that GPU of theirs which reaches the other one's elements; else the CPU.
device copying_device(const array_rep* target, const array_rep* source) {
  if (source->device_ == target->device_) return target->device_;
  if (target->device_.is_cuda() && reachable_everywhere(source)) return target->device_;
  return reachable_everywhere(target) ? source->device_ : device::cpu();
}

}  // namespace

void copy_elements(const array_rep* target, const array_rep* source) {
  if (target->size == 0) return;
  map_plan plan;
  plan_builder builder(plan, target->shape);
  const int value = builder.array(source);
  builder.store_to(target->data, target->type, target->strides);
  builder.finish(value);
  const device on_device = copying_device(target, source);
  const queue q = current_queue(on_device);
  backend_of(on_device).map(plan, q);
  record_use(target->memory, q);
  record_use(source->memory, q);
}

void check_target(const array_rep* target, const dims& source_shape) {
  check_writeable(target);
  if (!broadcasts_to(source_shape, target->shape))
    fail<value_error>("could not broadcast input array from shape {} into shape {}", text(source_shape),
                      text(target->shape));
  for (std::size_t i = 0; i < target->shape.size(); ++i)
    if (target->strides[i] == 0 && target->shape[i] > 1)
      fail<value_error>(
          "assignment destination of shape {} is a broadcast view: several elements share one address; "
          "copy() it first",
          text(target->shape));
}

namespace {

/// target[...] = value of the pending expression; its leaves are computed.
void assign_expression(const array_rep* target, array_rep* source, const any_array& keep) {
  if (target->size == 0) return;
  {
    const auto lock = hold_expression(source);  // another thread's write may have it computed
    compute_names(source);
    const pending_nodes nodes(source);
    bool aliased = !source->pending.load(std::memory_order_acquire) || target->shape != source->shape ||
                   source->references.load(std::memory_order_acquire) > 1;
    // What is rolled or gathered from is read elsewhere than it is written, too.
    bool moves = source->operation.rolls;
    for (const auto& f : nodes) moves = moves || f.rep->loads_from.rep();
    nodes.for_each_read([&](const array_rep* a) {
      aliased = aliased || (moves ? overlaps(target, a) : hazardous(target, a));
    });
    if (!aliased) {
      run_into(nodes, target->data, target->type, target->strides, target->device_, target->c_contiguous);
      const queue q = current_queue(target->device_);
      record_uses(source, q);
      return record_use(target->memory, q);
    }
  }
  copy_elements(target, computed(keep));
}

/// One of the two is in memory that all devices reach. A GPU that reaches both runs a kernel, between another
/// GPU's earlier and later work. The CPU may not read what a GPU is still writing, so it has the bytes copied
/// behind that.
void assign_from_other_device(const array_rep* target, const array_rep* source, const any_array& value) {
  const device here = copying_device(target, source),
               other = here == target->device_ ? source->device_ : target->device_;
  if (here.is_cpu()) return copy_across(target, value);
  if (other.is_cpu()) return copy_elements(target, source);
  order_queues(current_queue(other), current_queue(here));
  copy_elements(target, source);
  order_queues(current_queue(here), current_queue(other));
}

}  // namespace

bool assignable(const array_rep* target, const array_rep* source) {
  return target->device_ == source->device_ || reachable_everywhere(target) || reachable_everywhere(source);
}

void assign_array(const array_rep* target, const any_array& value) {
  const array_rep* source = computed(value);
  if (!assignable(target, source)) throw_device_mismatch("assignment", target->device_, source->device_);
  if (source->device_ != target->device_) return assign_from_other_device(target, source, value);
  if (hazardous(target, source)) {
    const any_array copy = allocate(source->type, source->shape, source->device_);
    copy_elements(copy.rep(), source);
    return copy_elements(target, copy.rep());
  }
  if (target->data == source->data && target->type == source->type && target->strides == source->strides &&
      target->shape == source->shape)
    return;  // a view assigned to itself
  copy_elements(target, source);
}

void fill_zero(const array_rep* target) {
  const queue q = current_queue(target->device_);
  if (target->size > 0)
    backend_of(target->device_)
        .fill_zero(target->data, static_cast<std::size_t>(target->size) * itemsize(target->type), q);
  record_use(target->memory, q);
}

void fill(const array_rep* target, dtype type, const scalar_bits& value) {
  if (target->size == 0) return;
  map_plan plan;
  plan_builder builder(plan, target->shape);
  const int constant = builder.constant(type, value);
  builder.store_to(target->data, target->type, target->strides);
  builder.finish(builder.cast(constant, target->type));
  const queue q = current_queue(target->device_);
  backend_of(target->device_).map(plan, q);
  record_use(target->memory, q);
}

}  // namespace core

namespace detail {

using namespace core;

void assign(const any_array& target_handle, const argument& source) {
  const array_rep* target = computed(target_handle);
  if (source.array && source.array->shape().size() > target->shape.size()) [[unlikely]] {
    const any_array fitting = without_leading_ones(*source.array, target->shape.size());
    if (broadcasts_to(fitting.shape(), target->shape)) return assign(target_handle, temporary(fitting));
  }
  check_target(target, source.array ? source.array->shape() : dims{});
  if (!source.array) {
    effect_on(target);
    scalar_bits value;
    std::memcpy(&value, source.value, sizeof value);
    return fill(target, source.type, value);
  }
  auto* rep = const_cast<array_rep*>(rep_of(*source.array));
  if (rep->pending.load(std::memory_order_acquire) && source.fuse && rep->device_ == target->device_)
    return consuming(source, [&] {
      effect_on(target);
      assign_expression(target, rep, *source.array);
    });
  computed(*source.array);
  effect_on(target);
  assign_array(target, *source.array);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
