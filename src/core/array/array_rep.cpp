#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <pthread.h>
#include <vector>

#include <core/array/array_rep.hpp>
#include <core/array/layout.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/pending_view.hpp>
#include <core/array/plain_step.hpp>
#include <core/array/rolled.hpp>
#include <core/array/step_log.hpp>
#include <core/array/turns.hpp>
#include <core/array/unstored_names.hpp>
#include <core/runtime/debug.hpp>
#include <core/runtime/pending.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/array/library_access.hpp>
#include <support/errors.hpp>
#include <support/pause.hpp>
#include <support/thread_lifetime.hpp>
#include <support/thread_memory.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

constinit std::atomic<pending_list*> oldest_list{nullptr};

namespace {

constinit std::atomic<pending_list*> all_lists{nullptr};
thread_local constinit lasting<pending_list*> own_list = nullptr;

// Held while a list is added, and with all of their locks across a fork: the child finds the lists whole.
constinit std::atomic_flag adding_list;

void lock_lists() {
  while (adding_list.test_and_set(std::memory_order_acquire)) cpu_pause();
  for (pending_list* list = first_pending_list(); list; list = list->next) list->lock.lock();
}

void unlock_lists() {
  for (pending_list* list = first_pending_list(); list; list = list->next) list->lock.unlock();
  adding_list.clear(std::memory_order_release);
}

/// A child has none of the threads that were computing. What they had not finished is pending there.
void unlock_in_child() {
  for (pending_list* list = first_pending_list(); list; list = list->next) {
    new (&list->steps) std::recursive_mutex;
    if (list != own_list) list->owner.store(nullptr, std::memory_order_relaxed);
    if (list->log) list->log->is_read = false;
  }
  unlock_lists();
}

/// An unused list, or a new one.
pending_list* take_list() {
  [[maybe_unused]] static const bool prepared =
      pthread_atfork(&lock_lists, &unlock_lists, &unlock_in_child) == 0;
  for (pending_list* list = first_pending_list(); list; list = list->next) {
    const list_lock lock(*list);
    if (list->references > 0) continue;
    list->references = 1;
    list->owner.store(this_thread(), std::memory_order_relaxed);
    return list;
  }
  static constinit std::atomic<std::uint64_t> lists{0};
  auto* const list = new pending_list;
  list->all.number = lists.fetch_add(1, std::memory_order_relaxed) << 40;
  list->owner.store(this_thread(), std::memory_order_relaxed);
  while (adding_list.test_and_set(std::memory_order_acquire)) cpu_pause();
  list->next = all_lists.load(std::memory_order_relaxed);
  all_lists.store(list, std::memory_order_release);
  if (!list->next) oldest_list.store(list, std::memory_order_release);
  adding_list.clear(std::memory_order_release);
  return list;
}

void leave_list();

/// Beyond this all that is pending is computed.
constexpr int most_pending = 256, most_pending_in_loops = 2 * max_steps;
/// A larger name is computed where it is written: it may not fit, and the error belongs to that line.
constexpr std::int64_t most_bytes_of_a_name = std::int64_t{1} << 34;

thread_local constinit lasting<thread_end> own_list_end{&leave_list};
thread_local constinit lasting<bool> anything_pending = false;
thread_local constinit lasting<const array_rep*> spared = nullptr;
thread_local constinit lasting<bool> all_is_spared = false;
thread_local constinit lasting<bool> write_refused = false;
thread_local constinit lasting<int> refusing_gpu = 0;

// A thread that ends computes what it left pending: other threads may hold those arrays, and the operands
// change.
void leave_list() {
  try {
    effect();
  } catch (...) {  // the next use of the array throws the error
  }
  pending_list* const list = own_list;
  if (!list) return;
  const auto as_graph = hold_steps(list);
  const list_lock lock(*list);
  --list->references;
  list->owner.store(nullptr, std::memory_order_relaxed);
  own_list = nullptr;
}

void unlink(pending_list& list, array_rep* rep) noexcept {  // locked
  count_name(list, rep->operation.statement, -1);
  detach(list, rep);
}

void link(pending_list& list, array_rep* rep) noexcept {  // locked
  rep->home = &list;
  count_name(list, rep->operation.statement, 1);
  attach(list, rep);
}

}  // namespace

pending_list* first_pending_list() noexcept { return all_lists.load(std::memory_order_acquire); }
pending_list* find_own_list() {
  if (!own_list) [[unlikely]] {
    own_list_end.arm();
    own_list = take_list();
  }
  return own_list;
}

std::unique_lock<std::recursive_mutex> hold_steps(pending_list* list) {
  std::unique_lock held(list->steps);
  if (list->log && list->log->is_in_use()) write_out(list);
  return held;
}

bool retain_unless_dropped(array_rep* rep) noexcept {
  int count = rep->references.load(std::memory_order_relaxed);
  while (count > 0)
    if (rep->references.compare_exchange_weak(count, count + 1, std::memory_order_acquire,
                                              std::memory_order_relaxed))
      return true;
  return false;
}

spared_expression::spared_expression(const array_rep* rep) noexcept : before_(std::exchange(spared, rep)) {}
spared_expression::~spared_expression() { spared = before_; }

array_rep::~array_rep() = default;

array_rep* new_rep(dtype type, device on_device, const dims& shape, std::int64_t size) {
  auto* rep = new (thread_memory<array_rep>::take()) array_rep;
  rep->type = type;
  rep->device_ = on_device;
  rep->shape = shape;
  rep->pending.store(false, std::memory_order_relaxed);
  rep->read_only = false;
  rep->is_view = false;
  rep->begins_turn = rep->repeats_nothing = false;
  rep->was_used.store(false, std::memory_order_relaxed);
  rep->logged.store(-1, std::memory_order_relaxed);
  rep->data = nullptr;
  rep->memory = nullptr;
  rep->list.store(nullptr, std::memory_order_relaxed);
  rep->home = nullptr;
  rep->birth = 0;
  rep->seen = 0;
  rep->of_unknown_shape = false;
  rep->computed_by = nullptr;
  rep->compute_alone = nullptr;
  rep->mark = 0;
  rep->counted.store(0, std::memory_order_relaxed);
  rep->size = size;
  return rep;
}

array_rep* new_rep(dtype type, device on_device, const dims& shape) {
  return new_rep(type, on_device, shape, checked_size(shape, itemsize(type)));
}

void retain(array_rep* rep) noexcept { rep->references.fetch_add(1, std::memory_order_relaxed); }

void release(array_rep* rep) noexcept { detail::release_array(rep); }

void enlist(array_rep* rep, std::span<array_rep* const> fused) {
  pending_list* const own = rep->home ? rep->home : own_pending_list();
  bool full = false;
  if (rep->device_.is_cuda()) rep->stream = current_queue(rep->device_).stream;
  for (;;) {
    array_rep* shared = nullptr;
    {
      const list_lock lock(*own);
      // A thread that has just taken one from the list to compute it, or has a copy, may be reading it. Other
      // threads get a reference under this lock alone.
      for (array_rep* f : fused) {
        pending_list* const list = f->list.load(std::memory_order_relaxed);
        if (f->pending.load(std::memory_order_acquire) &&
            ((list && list != own) || f->references.load(std::memory_order_acquire) > 2))
          shared = f;
      }
      if (!shared) {
        for (array_rep* f : fused)
          if (is_logged(f)) end_name(*own, f);
          else if (f->list.load(std::memory_order_relaxed)) unlink(*own, f);
        link(*own, rep);
        anything_pending = true;
        full = own->references > (own->repeats ? most_pending_in_loops : most_pending);
        break;
      }
    }
    evaluate(shared);
  }
  for (const array_rep* f : fused)
    if (!f->pending.load(std::memory_order_acquire)) note_reader(f->memory, own);
  if (full || may_keep_too_much(*own)) effect();
}

namespace {

/// Takes a rep out of its list, unless more than so many references are left. False if there are more.
bool take_out(array_rep* rep, int most_references) noexcept {
  while (pending_list* const list = rep->list.load(std::memory_order_acquire)) {
    const list_lock lock(*list);
    if (rep->list.load(std::memory_order_relaxed) != list) continue;
    if (rep->references.load(std::memory_order_acquire) > most_references) return false;
    unlink(*list, rep);
    list->left.fetch_add(1, std::memory_order_relaxed);
  }
  return rep->references.load(std::memory_order_acquire) <= most_references;
}

}  // namespace

void delist(array_rep* rep) noexcept { take_out(rep, std::numeric_limits<int>::max()); }
bool delist_unless_shared(array_rep* rep) noexcept { return take_out(rep, 1); }

void give_up(array_rep* rep) noexcept {
  const auto as_graph = hold_steps(rep->home);
  delist(rep);
}

namespace {

/// Whether two operands of reductions may be the same elements, as far as that can be told without plans.
bool may_be_same(const array_rep* a, const array_rep* b) {
  if (a == b) return true;
  if (a->size != b->size) return false;
  const bool a_waits = is_pending(a), b_waits = is_pending(b);
  if (!a_waits && !b_waits) return a->data == b->data;
  if ((a_waits && a->view) || (b_waits && b->view)) return true;  // of what is computed by now
  return a_waits && b_waits && a->operation.op == b->operation.op && a->operation.count == b->operation.count;
}

}  // namespace

std::vector<any_array> pending_reductions_beside(const array_rep* rep, std::size_t limit) {
  std::vector<any_array> result;
  pending_list* const list = own_list;
  if (!list || rep->list.load(std::memory_order_relaxed) != list) return result;
  const list_lock lock(*list);
  // Lines that read the same are near each other; of a thousand names all would be asked about each.
  constexpr int near = 32;
  const array_rep* last = rep;
  array_rep* other = const_cast<array_rep*>(rep);
  for (int i = 0; i < near && last->next; ++i) last = last->next;
  for (int i = 0; i < near && other->previous; ++i) other = other->previous;
  for (; other != last->next && result.size() < limit; other = other->next)
    if (other != rep && other->computed_by == rep->computed_by && other->device_ == rep->device_ &&
        other->reduced.element == rep->reduced.element &&
        may_be_same(other->operation.arguments[0].array, rep->operation.arguments[0].array) &&
        retain_unless_dropped(other))
      result.push_back(any_array::adopt(other));
  return result;
}

bool anything_is_pending() noexcept {
  if (!anything_pending || !own_list) return false;
  const list_lock lock(*own_list);
  list_logged_names(*own_list);
  return own_list->newest != nullptr;
}

void refuse_at_next_effect(device on_device) noexcept {
  write_refused = anything_pending = true;
  refusing_gpu = on_device.is_cpu() ? -1 : on_device.index();
}

void throw_if_write_was_refused() {
  if (std::exchange(write_refused, false)) [[unlikely]]
    throw_refused_write(refusing_gpu < 0 ? device::cpu() : device::cuda(refusing_gpu));
}

bool is_spared(const array_rep* rep) noexcept { return rep == spared; }

namespace {

/// Everything that this thread has left pending, but names that were used if they may stay.
void compute_pending(bool used_names_stay) {
  if (!anything_pending || all_is_spared) return;
  throw_if_write_was_refused();
  pending_list* const list = own_list;
  if (!list) return;
  std::optional<name_groups> names;
  // Newest first: an expression is computed before the temporaries that are fused into it, which it then
  // drops.
  for (;;) {
    array_rep* rep;
    {
      const list_lock lock(*list);
      list_logged_names(*list);
      rep = list->newest;
      // One that cannot be retained is being dropped by another thread at this moment, which waits for the
      // lock.
      while (rep && (rep == spared || (used_names_stay && rep->was_used.load(std::memory_order_relaxed)) ||
                     !retain_unless_dropped(rep)))
        rep = rep->next;
      if (!rep) {
        anything_pending = list->newest != nullptr;
        return;
      }
    }
    const any_array keep = any_array::adopt(rep);
    try {
      if (!used_names_stay && compute_logged(rep, {})) continue;
      if (used_names_stay) compute_long_log(list);
      const auto steps = hold_steps(list);
      if (!is_pending(rep)) continue;
      used_names_stay ? evaluate(rep) : compute_with_relatives(rep, names);
    } catch (const fork_error&) {
      give_up(rep);  // left by the parent of this process; using it throws the error, and the CPU can be used
    } catch (const device_fault&) {
      give_up(rep);  // likewise, of a GPU that is lost
    }
  }
}

}  // namespace

void effect() {
  const storing_names all;
  compute_pending(false);
}

void effect_of_waiting() {
  if (has_streams()) effect();
  else compute_pending(true);
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
  array_rep* rep = new_rep(type, base->device_, shape);
  rep->read_only = base->read_only;
  rep->is_view = true;
  retain(base->memory);
  set_layout(rep, strides, place_in(base, byte_offset), base->memory);
  return any_array::adopt(rep);
}

std::int64_t checked_size(const dims& shape, std::size_t item_bytes) {
  std::int64_t size = 1, bytes = 0;
  bool overflow = false, zero = false;
  for (std::int64_t n : shape) {
    if (n < 0) throw value_error("negative dimensions are not allowed");
    zero |= n == 0;
    overflow |= n != 0 && __builtin_mul_overflow(size, n, &size);
  }
  if (overflow || __builtin_mul_overflow(size, item_bytes, &bytes))
    fail<overflow_error>("array is too big; the size in bytes of shape {} exceeds the largest integer",
                         text(shape));
  return zero ? 0 : size;
}

any_array allocate(dtype type, const dims& shape, const dims& strides, memory_space space, device on_device) {
  const std::int64_t size = checked_size(shape, itemsize(type));
  any_array result = any_array::adopt(new_rep(type, on_device, shape));
  storage* memory = new_storage(static_cast<std::size_t>(size) * itemsize(type), space, on_device,
                                current_queue(on_device));
  set_layout(result.rep(), strides, static_cast<std::byte*>(memory->data), memory);
  return result;
}

any_array allocate(dtype type, const dims& shape, device on_device) {
  checked_size(shape, itemsize(type));  // before strides are computed from it
  return allocate(type, shape, c_strides(shape, itemsize(type)), default_space(on_device), on_device);
}

const array_rep* rep_of_nothing() {
  // Never destroyed: static objects may hold handles without a rep, too.
  static const any_array& none = *new any_array([] {
    any_array made = any_array::adopt(new_rep(dtype::float64, device::cpu(), dims{0}));
    set_layout(made.rep(), dims{8}, nullptr, new_borrowed(nullptr, 0, memory_space::host, device::cpu(), {}));
    return made;
  }());
  return none.rep();
}

const array_rep* shaped(const any_array& a) {
  const array_rep* rep = described(a);
  if (rep->pending.load(std::memory_order_acquire) && rep->of_unknown_shape)
    evaluate(const_cast<array_rep*>(rep));
  return rep;
}

const array_rep* rep_of(const any_array& a) {
  const array_rep* rep = shaped(a);
  if (rep->pending.load(std::memory_order_acquire) && rep->computed_by) evaluate(const_cast<array_rep*>(rep));
  return rep;
}

void* address(const any_array& a) {
  const array_rep* rep = computed(a);
  effect();
  return rep->data;
}

}  // namespace core

namespace detail {

leaving_pending::leaving_pending() noexcept : before_(std::exchange(core::all_is_spared, true)) {}
leaving_pending::~leaving_pending() { core::all_is_spared = before_; }

void name_expression(const any_array& a) {
  core::array_rep* const rep = a.rep();
  if (!rep || !rep->pending.load(std::memory_order_acquire)) return;
  // What is selected has errors that depend on elements, which are thrown at this line. What a debugger's
  // checks find is to be found here, too.
  const core::debug_settings& debug = core::debug();
  const bool at_once = rep->of_unknown_shape || debug.sync || debug.nan;
  const std::int64_t bytes = rep->size * static_cast<std::int64_t>(itemsize(rep->type));
  if (at_once || bytes > core::most_bytes_of_a_name) core::evaluate(rep);
  else if (core::may_keep_too_much(*core::own_pending_list())) core::effect();
}

namespace {

[[gnu::noinline]] void destroy(core::array_rep* rep) noexcept {
  for (int i = 0; i < rep->operation.count; ++i)
    if (core::array_rep* array = rep->operation.arguments[i].array) core::release(array);
  if (rep->memory) core::release(rep->memory);
  rep->~array_rep();
  core::thread_memory<core::array_rep>::give_back(rep);
}

}  // namespace

void destroy_array(shared_count* counted) noexcept {
  auto* rep = static_cast<core::array_rep*>(counted);
  // Until it is out of its list, another thread may get a reference.
  const core::dropped how = core::is_logged(rep) ? core::leave_log(rep) : core::dropped::unused;
  if (how == core::dropped::kept_for_later) return;
  if (how == core::dropped::unused && core::delist_unless_shared(rep)) return destroy(rep);
  if (rep->references.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy_array(rep);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
