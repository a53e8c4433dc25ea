// Computing expressions and writing into arrays.
#include <cstring>
#include <mutex>
#include <new>
#include <pthread.h>

#include <core/array/array_rep.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/plan_builder.hpp>
#include <core/array/temporary.hpp>
#include <core/array/transfer.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/manipulation.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Calls visit(rep) for each computed array below an expression.
template<class Visit>
void for_each_leaf(const array_rep* rep, Visit visit) {
  if (!rep->pending.load(std::memory_order_acquire)) return visit(rep);
  for (int i = 0; i < rep->operation.count; ++i) {
    const array_rep* a = rep->operation.arguments[i].array;
    if (a) for_each_leaf(a, visit);
  }
}

/// Whether the result and everything it is computed from are C-contiguous and of one shape.
bool is_flat(const array_rep* rep, const dims& shape) {
  if (!rep->pending.load(std::memory_order_acquire)) return rep->c_contiguous && rep->shape == shape;
  for (int i = 0; i < rep->operation.count; ++i) {
    const array_rep* a = rep->operation.arguments[i].array;
    if (a && !is_flat(a, shape)) return false;
  }
  return true;
}

}  // namespace

/// Two threads may compute the same array at once; one of these makes the second wait. A thread waits for at
/// most one: temporaries below an expression belong to it alone and need none.
namespace {

std::mutex expression_locks[64];

// A child has none of the threads that were computing. What they had not finished is pending there.
[[maybe_unused]] const bool free_in_children = pthread_atfork(nullptr, nullptr, [] {
                                                 for (std::mutex& lock : expression_locks)
                                                   new (&lock) std::mutex;
                                               }) == 0;

}  // namespace

std::mutex& expression_lock(const array_rep* rep) {
  return expression_locks[(reinterpret_cast<std::uintptr_t>(rep) >> 6) % 64];
}

std::unique_lock<std::mutex> hold_expression(const array_rep* rep) {
  return std::unique_lock(expression_lock(rep));
}

dims result_strides(const array_rep* rep) {
  const std::size_t item = itemsize(rep->type);
  if (rep->shape.size() < 2) return c_strides(rep->shape, item);
  dims operands[max_arity];
  std::size_t count = 0;
  for (int i = 0; i < rep->operation.count; ++i) {
    const array_rep* a = rep->operation.arguments[i].array;
    if (!a || a->shape.size() != rep->shape.size()) continue;
    // One that is fused counts as if it had been stored before: so fusing changes no layout.
    operands[count++] = a->pending.load(std::memory_order_acquire)
                            ? result_strides(a)
                            : broadcast_strides(a->shape, a->strides, rep->shape);
  }
  return strides_in_order(rep->shape, item, memory_order(rep->shape, {operands, count}));
}

namespace {

void run_into(const array_rep* rep, std::byte* data, dtype type, const dims& strides, device on_device,
              bool flat) {
  map_plan plan;
  plan_builder builder = flat ? plan_builder::flat(plan, rep->size) : plan_builder(plan, rep->shape);
  const int value = builder.expression(rep);
  builder.store_to(data, type, strides);
  builder.finish(value);
  backend_of(on_device).map(plan, current_queue(on_device));
}

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

}  // namespace

void record_uses(const array_rep* rep, queue q) {
  for_each_leaf(rep, [q](const array_rep* a) { record_use(a->memory, q); });
}

namespace {

/// Readers that see pending == false see the layout; the operands are dropped after that.
void end_pending(array_rep* rep) {
  rep->pending.store(false, std::memory_order_release);
  delist(rep);
  const node done = rep->operation;
  rep->operation.count = 0;
  for (int i = 0; i < done.count; ++i)
    if (done.arguments[i].array) release(done.arguments[i].array);
}

}  // namespace

void publish(array_rep* rep, const any_array& elements) {
  const array_rep* made = elements.rep();
  if (rep->of_unknown_shape) {  // else others may be reading it
    rep->shape = made->shape;
    rep->size = made->size;
  }
  retain(made->memory);
  set_layout(rep, made->strides, made->data, made->memory);
  end_pending(rep);
}

void evaluate(array_rep* rep) {
  const auto lock = hold_expression(rep);
  if (!rep->pending.load(std::memory_order_acquire)) return;
  if (rep->computed_by && !is_constant(rep)) return rep->computed_by->compute(rep);
  const bool flat = is_flat(rep, rep->shape);
  const dims strides = flat ? c_strides(rep->shape, itemsize(rep->type)) : result_strides(rep);
  const queue q = current_queue(rep->device_);
  const std::size_t bytes = static_cast<std::size_t>(rep->size) * itemsize(rep->type);
  storage* memory = new_storage(bytes, default_space(rep->device_), rep->device_, q);
  try {
    if (rep->size > 0) {
      run_into(rep, static_cast<std::byte*>(memory->data), rep->type, strides, rep->device_, flat);
      record_uses(rep, q);
    }
  } catch (...) {
    release(memory);
    throw;
  }
  set_layout(rep, strides, static_cast<std::byte*>(memory->data), memory);
  end_pending(rep);
}

const array_rep* computed(const any_array& a) {
  const array_rep* rep = described(a);
  if (rep->pending.load(std::memory_order_acquire)) evaluate(const_cast<array_rep*>(rep));
  return rep;
}

void enqueue_into(array_rep* rep, std::byte* data) {
  if (rep->computed_by && !is_constant(rep)) return rep->computed_by->compute_into(rep, data);
  run_into(rep, data, rep->type, c_strides(rep->shape, itemsize(rep->type)), rep->device_,
           is_flat(rep, rep->shape));
  record_uses(rep, current_queue(rep->device_));
}

namespace {

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
    bool aliased = target->shape != source->shape || source->references.load(std::memory_order_acquire) > 1;
    for_each_leaf(source, [&](const array_rep* a) { aliased = aliased || hazardous(target, a); });
    if (!aliased) {
      run_into(source, target->data, target->type, target->strides, target->device_,
               target->c_contiguous && is_flat(source, target->shape));
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

const any_array& any_array::eval() const {
  core::computed(*this);
  return *this;
}

namespace detail {

using namespace core;

void assign(const any_array& target_handle, const argument& source) {
  const array_rep* target = computed(target_handle);
  if (source.array && source.array->shape().size() > target->shape.size()) [[unlikely]] {
    const dims fitting = without_leading_ones(source.array->shape(), target->shape.size());
    if (broadcasts_to(fitting, target->shape)) {
      const any_array same = reshape(*source.array, fitting, order::C);
      return assign(target_handle, temporary(same));
    }
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
