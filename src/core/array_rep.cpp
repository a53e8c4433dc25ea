#include <core/array_rep.hpp>
#include <core/errors.hpp>
#include <core/layout.hpp>
#include <core/pending.hpp>
#include <core/stream_state.hpp>

#include <memory>
#include <vector>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The pending reps made by one thread, newest first. Another thread may drop or compute one of them, hence
/// the lock, which is almost never contended; and the list may outlive its thread, hence the shared ownership
/// by its reps.
struct pending_list {
  std::atomic_flag locked;
  int references = 1;  // under the lock: that costs nothing, and an atomic count would at every operation
  array_rep* newest = nullptr;

  void lock() noexcept {
    while (locked.test_and_set(std::memory_order_acquire)) {
    }
  }
  void unlock() noexcept { locked.clear(std::memory_order_release); }
};

namespace {

class list_lock {
 public:
  explicit list_lock(pending_list& list) noexcept : list_(list) { list_.lock(); }
  ~list_lock() { list_.unlock(); }

 private:
  pending_list& list_;
};

/// One owner less, who does a last thing to the list.
template<class Last>
void leave(pending_list* list, Last last) noexcept {
  bool nobody;
  {
    const list_lock lock(*list);
    last();
    nobody = --list->references == 0;
  }
  if (nobody) delete list;
}

/// Reps are a few hundred bytes and live for microseconds, so each thread keeps some. The state is trivial,
/// so that it outlives every other thread-local and static object that may still drop arrays; `closed` sends
/// those to the heap.
struct free_list {
  static constexpr int capacity = 64;
  int count;
  bool closed;
  void* memory[capacity];
};
thread_local constinit free_list free_reps{};

/// Empties the free list when the thread ends. Apart from thread_state, for a thread may drop arrays and
/// build none.
struct free_list_end {
  bool armed = false;
  ~free_list_end() {
    free_reps.closed = true;
    while (free_reps.count > 0) ::operator delete(free_reps.memory[--free_reps.count]);
  }
};
thread_local free_list_end this_free_list;

void keep_or_free(void* memory) noexcept {
  if (free_reps.closed || free_reps.count == free_list::capacity) return ::operator delete(memory);
  if (free_reps.count == 0) this_free_list.armed = true;  // the first use registers the destructor
  free_reps.memory[free_reps.count++] = memory;
}

struct thread_state {
  pending_list* pending = new pending_list;

  // A thread that ends computes what it left pending: other threads may hold those arrays, and the operands
  // change.
  ~thread_state() {
    try {
      effect();
    } catch (...) {  // whoever uses the array gets the error then
    }
    leave(pending, [] {});
  }
};
thread_local thread_state this_thread;
thread_local constinit bool anything_pending = false;

bool retain_unless_dropped(array_rep* rep) noexcept {
  int count = rep->references.load(std::memory_order_relaxed);
  while (count > 0)
    if (rep->references.compare_exchange_weak(count, count + 1, std::memory_order_acquire,
                                              std::memory_order_relaxed))
      return true;
  return false;
}

void unlink(array_rep* rep) noexcept {  // list locked
  (rep->previous ? rep->previous->next : rep->list->newest) = rep->next;
  if (rep->next) rep->next->previous = rep->previous;
  rep->list = nullptr;
}

}  // namespace

array_rep* new_rep(dtype type, device place, const dims& shape) {
  void* memory = free_reps.count ? free_reps.memory[--free_reps.count] : ::operator new(sizeof(array_rep));
  auto* rep = new (memory) array_rep;
  rep->type = type;
  rep->place = place;
  rep->shape = shape;
  rep->pending.store(false, std::memory_order_relaxed);
  rep->data = nullptr;
  rep->memory = nullptr;
  rep->list = nullptr;
  rep->of_unknown_shape = false;
  rep->reduces = false;
  rep->operation.count = 0;
  std::int64_t size = 1;
  for (std::int64_t n : shape) size *= n;
  rep->size = size;
  return rep;
}

void retain(array_rep* rep) noexcept { rep->references.fetch_add(1, std::memory_order_relaxed); }

void release(array_rep* rep) noexcept {
  if (rep->references.fetch_sub(1, std::memory_order_acq_rel) == 1) detail::destroy_array(rep);
}

void enlist(array_rep* rep) {
  pending_list* list = this_thread.pending;
  const list_lock lock(*list);
  ++list->references;
  rep->list = list;
  rep->previous = nullptr;
  rep->next = list->newest;
  if (list->newest) list->newest->previous = rep;
  list->newest = rep;
  anything_pending = true;
}

void delist(array_rep* rep) noexcept {
  pending_list* list = rep->list;
  if (!list) return;
  leave(list, [rep] { unlink(rep); });
}

std::vector<any_array> pending_reductions_beside(const array_rep* rep, std::size_t limit) {
  std::vector<any_array> result;
  pending_list* const list = this_thread.pending;
  if (rep->list != list) return result;
  const list_lock lock(*list);
  for (array_rep* other = list->newest; other && result.size() < limit; other = other->next)
    if (other != rep && other->reduces && other->place == rep->place &&
        other->reduced.element == rep->reduced.element && retain_unless_dropped(other))
      result.push_back(any_array::adopt(other));
  return result;
}

bool anything_is_pending() noexcept {
  if (!anything_pending) return false;
  const list_lock lock(*this_thread.pending);
  return this_thread.pending->newest != nullptr;
}

void effect() {
  if (!anything_pending) return;
  pending_list* list = this_thread.pending;
  // Newest first: an expression is computed before the temporaries that are fused into it, which it then
  // drops.
  for (;;) {
    array_rep* rep;
    {
      const list_lock lock(*list);
      rep = list->newest;
      // One that cannot be retained is being dropped by another thread at this moment, which waits for the
      // lock.
      while (rep && !retain_unless_dropped(rep)) rep = rep->next;
      if (!rep) {
        anything_pending = list->newest != nullptr;
        return;
      }
    }
    const any_array keep = any_array::adopt(rep);
    evaluate(rep);
  }
}

void set_layout(array_rep* rep, const dims& strides, std::byte* data, storage* memory) {
  rep->strides = strides;
  rep->data = data;
  rep->memory = memory;
  rep->c_contiguous = is_c_contiguous(rep->shape, strides, itemsize(rep->type));
  rep->f_contiguous = is_f_contiguous(rep->shape, strides, itemsize(rep->type));
}

any_array make_view(const array_rep* base, dtype type, const dims& shape, const dims& strides,
                    std::int64_t byte_offset) {
  array_rep* rep = new_rep(type, base->place, shape);
  retain(base->memory);
  set_layout(rep, strides, base->data + byte_offset, base->memory);
  return any_array::adopt(rep);
}

std::int64_t checked_size(const dims& shape, std::size_t item_bytes) {
  std::int64_t size = static_cast<std::int64_t>(item_bytes);
  bool overflow = false, zero = false;
  for (std::int64_t n : shape) {
    if (n < 0) throw value_error("negative dimensions are not allowed");
    zero |= n == 0;
    overflow |= n != 0 && __builtin_mul_overflow(size, n, &size);
  }
  if (overflow)
    fail<overflow_error>("array is too big; the size in bytes of shape {} exceeds the largest integer",
                         text(shape));
  return zero ? 0 : size / static_cast<std::int64_t>(item_bytes);
}

any_array allocate(dtype type, const dims& shape, const dims& strides, memory_space space, device place) {
  const std::int64_t size = checked_size(shape, itemsize(type));
  storage* memory =
      new_storage(static_cast<std::size_t>(size) * itemsize(type), space, place, current_queue(place));
  array_rep* rep = new_rep(type, place, shape);
  set_layout(rep, strides, static_cast<std::byte*>(memory->data), memory);
  return any_array::adopt(rep);
}

any_array allocate(dtype type, const dims& shape, device place) {
  checked_size(shape, itemsize(type));  // before strides are computed from it
  return allocate(type, shape, c_strides(shape, itemsize(type)), default_space(place), place);
}

const array_rep* described(const any_array& a) {
  static const any_array none = [] {
    array_rep* rep = new_rep(dtype::float64, device::cpu(), dims{0});
    set_layout(rep, dims{8}, nullptr, new_borrowed(nullptr, 0, memory_space::host, device::cpu(), {}));
    return any_array::adopt(rep);
  }();
  return a.rep() ? a.rep() : none.rep();
}

const array_rep* shaped(const any_array& a) {
  const array_rep* rep = described(a);
  if (rep->pending.load(std::memory_order_acquire) && rep->of_unknown_shape)
    evaluate(const_cast<array_rep*>(rep));
  return rep;
}

const array_rep* rep_of(const any_array& a) {
  const array_rep* rep = shaped(a);
  if (rep->pending.load(std::memory_order_acquire) && rep->reduces) evaluate(const_cast<array_rep*>(rep));
  return rep;
}

const array_rep* computed(const any_array& a) {
  const array_rep* rep = described(a);
  if (rep->pending.load(std::memory_order_acquire)) evaluate(const_cast<array_rep*>(rep));
  return rep;
}

}  // namespace core

namespace detail {

void destroy_array(shared_count* counted) noexcept {
  auto* rep = static_cast<core::array_rep*>(counted);
  core::delist(rep);
  for (int i = 0; i < rep->operation.count; ++i)
    if (core::array_rep* array = rep->operation.arguments[i].array) core::release(array);
  if (rep->memory) core::release(rep->memory);
  rep->~array_rep();
  core::keep_or_free(rep);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
