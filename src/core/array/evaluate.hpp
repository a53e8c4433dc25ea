// Computing expressions, and writing into computed arrays. Callers have called effect_on() where others may
// observe the write.
#pragma once
#include <mutex>
#include <span>

#include <core/array/pending_list.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

class pending_nodes;

/// While this is held, no other thread computes the expression, and what it is made of stays: that of all
/// steps of its list.
std::unique_lock<std::recursive_mutex> hold_expression(const array_rep* rep);
/// Computes the names below an expression that live on, but those that may stay pending: what else computes
/// it has no room for them.
void compute_names(array_rep* rep);
/// body(), which reads the source for the last time if it is a temporary: then it leaves this thread's list,
/// unless body throws, since the next effect() would compute it in vain. Until body returns it stays in the
/// list, where another thread's write finds it: body holds it while it reads.
template<class Body>
void consuming(const detail::argument& source, Body body) {
  auto* rep = const_cast<array_rep*>(rep_of(*source.array));
  if (!source.fuse || !rep->pending.load(std::memory_order_acquire)) return body();
  const spared_expression used_up(rep);
  body();
  delist(rep);
}
/// The elements of a pending rep, whose evaluation the caller holds, are in memory, of which it has the
/// layout. Readers that see pending == false see that; the operands are dropped after that.
void end_pending(array_rep* rep);
/// How a pending step's result will lie in memory; the strides of its operands are known.
dims strides_of(const array_rep* rep);
/// How the expression's result will lie in memory: as the operands of full rank do (NumPy's K order).
dims result_strides(const array_rep* rep);

/// Enqueues an expression, whose evaluation the caller holds and whose names have been computed, into memory
/// of its shape with these strides, converted to `type`. It stays pending.
void run_into(const pending_nodes& nodes, std::byte* data, dtype type, const dims& strides, device on_device,
              bool is_contiguous);
/// Enqueues what computes a pending array, whose evaluation the caller holds, into memory for its elements in
/// C order. It stays pending.
void enqueue_into(array_rep* rep, std::byte* data);

/// Computes arrays of one shape, which this thread has left pending, into arrays that lie alike in new
/// memory, by one kernel of a GPU. They stay pending. False, and nothing has been written, if they are not
/// steps of one kernel, or are better stored, as they have more handles than these of the caller and take
/// long.
bool compute_into(std::span<const any_array> sources, std::span<const any_array> targets, int handles);

/// target[...] = source with broadcasting and casting; the two must not overlap.
void copy_elements(const array_rep* target, const array_rep* source);
/// Whether target[...] = source needs no transfer: on one device, or one of them in memory that all devices
/// reach.
bool assignable(const array_rep* target, const array_rep* source);
/// target[...] = source for any assignable source, overlapping or not. Throws device_error for others.
void assign_array(const array_rep* target, const any_array& source);
/// Records with the pools that work on q reads the arrays below an expression, or the computed array.
void record_uses(const array_rep* rep, queue q);
/// Zeros in all elements of a new array.
void fill_zero(const array_rep* target);
void fill(const array_rep* target, dtype type, const scalar_bits& value);
/// Throws value_error if the target is read-only, if source_shape does not broadcast to it, or if it repeats
/// elements.
void check_target(const array_rep* target, const dims& source_shape);

}  // namespace core
GPARRAY_END_NAMESPACE
