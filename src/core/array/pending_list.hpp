// The pending expressions of each thread, and how a write finds those that read what it changes.
//
// A storage knows which thread has built expressions on it, which costs a comparison for each operand. So a
// write to what nobody has read looks for nothing; one to what this thread has read looks through its list,
// and through the others' if they have read it, too.
#pragma once
#include <mutex>

#include <core/array/array_rep.hpp>
#include <support/biased_lock.hpp>
#include <support/this_thread.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// An upper bound for a plan of everything that a list's thread has left pending: it is counted up by each
/// expression that the thread builds, and anew when nothing is pending or when there is no more room in a
/// plan (plan_size.hpp).
struct everything_pending {
  std::uint64_t number;       // of the count, different from all others'
  int inputs = 0, steps = 0;  // inputs but numbers
  int numbers = 0;
  /// By the last walk over all that is pending.
  int inputs_when_counted = 0, steps_when_counted = 0;
  int inputs_apart = 0;  // of the inputs, those that are in no kernel with the loop that goes on
  void note_counted() { inputs_when_counted = inputs, steps_when_counted = steps; }
  std::uint64_t walked = 0;         // the number of the count that a walk began,
  std::uint32_t left_before = 0;    // and how many reps had left the list then
  node_argument seen[max_numbers];  // numbers
};

struct step_log;

/// The pending reps made by one thread, newest first. What is pending below one of them was made by the same
/// thread. Another thread may drop or compute one of them, hence
/// the lock, which is almost never contended. Lists are reused, and never freed: any thread may look at all.
/// While a rep is in a list, what it is made of stays.
struct pending_list {
  biased_lock lock;
  std::atomic<const void*> owner{nullptr};  // this_thread() of its thread; null once that has ended
  int references = 1;                       // by its thread and its reps; 0 if it is free
  array_rep* newest = nullptr;
  pending_list* next = nullptr;  // of all lists
  std::atomic<int> n_names{0};   // that are listed
  /// Of memory that steps have begun to read, by weight(), since it was last asked what they keep.
  std::atomic<std::int64_t> newly_read{0};
  everything_pending all;  // the thread's own
  /// How often something that was pending has been dropped or computed, by any thread.
  std::atomic<std::uint32_t> left{0};
  std::atomic<std::uint16_t> names[256]{};
  /// How many reps are listed that the statement has made; others may be counted with them.
  std::atomic<std::uint16_t>& names_of(std::uint64_t statement) noexcept {
    return names[statement * 0x9e3779b97f4a7c15u >> 56];
  }
  const std::atomic<std::uint16_t>& names_of(std::uint64_t statement) const noexcept {
    return const_cast<pending_list*>(this)->names_of(statement);
  }
  std::uint32_t searches = 0;
  std::uint64_t births = 0;  // the thread's own: how many steps it has built
  // While `steps` is held: walks so far (plan_size.hpp), and the statement at whose names loops are cut
  // (turns.hpp).
  std::uint64_t walks = 0, leader = 0;
  // Operands that were pending when the first turn ended: what is added since, is added by each turn.
  int inputs_of_first_turn = 0, numbers_of_first_turn = 0;
  // What is pending are the turns of a loop, which may have more steps than a kernel: a kernel goes round it.
  bool repeats = false;
  std::uint64_t looked_at = 0;  // births, when that was asked last
  // In place of a graph, while a loop goes on: the steps in the order of the program. Under this list's lock,
  // but for the pointer, which is the thread's own.
  step_log* log = nullptr;
  bool keeps_graph = false;  // the thread's own: what is pending has been logged, and is a graph again
  // Held by whoever computes some of the reps, or builds on those that have names. A thread that holds it
  // waits for no other list's.
  std::recursive_mutex steps;
};

inline bool is_own(const pending_list& list) noexcept {
  return list.owner.load(std::memory_order_relaxed) == this_thread();
}

class list_lock {
 public:
  [[gnu::always_inline]] explicit list_lock(pending_list& list) noexcept : list_(list) {
    if (is_own(list)) is_biased_ = list.lock.lock_as_owner();
    else list.lock.lock();
  }
  [[gnu::always_inline]] ~list_lock() { list_.lock.unlock(is_biased_); }
  list_lock(const list_lock&) = delete;
  list_lock& operator=(const list_lock&) = delete;

 private:
  pending_list& list_;
  bool is_biased_ = false;  // and this thread's
};

/// Whether a plan of what is pending has room for so many operands and numbers. A CPU has as many elements of
/// each number in its first-level cache as of an array, and what jumps is cut at as few; else there may be
/// one less than a plan has, as a loop's has the number of its turns.
inline bool have_room(device on, bool rolls, int inputs, int numbers) {
  if (inputs > max_operands) return false;
  return on.is_cuda() && !rolls ? numbers < max_numbers : inputs + numbers <= max_operands;
}

/// The most steps that a plan of what is pending may have; of one that rolls or reduces, of a kernel's.
inline int most_steps(const pending_list& list) { return list.repeats ? max_steps : max_kernel_steps; }
/// The most values that its plan stores beside its own. What jumps is in a thread's registers several times.
inline int most_stores(const array_rep* rep) { return rep->operation.rolls ? usual_stores : max_stores; }

/// The list made last; others follow it.
pending_list* first_pending_list() noexcept;
/// The list made first: mostly of the thread that makes most arrays, which so finds its own without a
/// thread_local variable.
extern constinit std::atomic<pending_list*> oldest_list;
/// This thread's, made where it has none yet.
pending_list* find_own_list();
inline pending_list* own_pending_list() {
  pending_list* const oldest = oldest_list.load(std::memory_order_acquire);
  return oldest && is_own(*oldest) ? oldest : find_own_list();
}
/// What holds the steps of a list, which are a graph then: what has been logged is written out.
std::unique_lock<std::recursive_mutex> hold_steps(pending_list* list);

/// Counts a name that a statement has made into a locked list, or out of it with -1. Others only read these
/// numbers, so that no locked instruction is needed.
inline void count_name(pending_list& list, std::uint64_t statement, int count) noexcept {
  auto& names = list.names_of(statement);
  names.store(static_cast<std::uint16_t>(names.load(std::memory_order_relaxed) + count),
              std::memory_order_relaxed);
  list.n_names.store(list.n_names.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
}
/// Counts all names of a locked list out of it.
inline void count_no_names(pending_list& list) noexcept {
  for (auto& names : list.names) names.store(0, std::memory_order_relaxed);
  list.n_names.store(0, std::memory_order_relaxed);
}
/// Puts a rep into a locked list, or takes it out, without counting it.
inline void attach(pending_list& list, array_rep* rep) noexcept {
  ++list.references;
  rep->list.store(&list, std::memory_order_relaxed);
  rep->previous = nullptr;
  rep->next = list.newest;
  if (list.newest) list.newest->previous = rep;
  list.newest = rep;
}
inline void detach(pending_list& list, array_rep* rep) noexcept {
  (rep->previous ? rep->previous->next : list.newest) = rep->next;
  if (rep->next) rep->next->previous = rep->previous;
  rep->list.store(nullptr, std::memory_order_release);  // who drops it sees that it has been retained
  --list.references;
}
/// A reference to a rep of a locked list, unless another thread is dropping it and waits for the lock.
bool retain_unless_dropped(array_rep* rep) noexcept;

/// What pending steps may keep in any case: 64 MiB of a host's memory, which is written more quickly while it
/// is in a cache, or 4 GiB of a GPU's, as weight() counts. Tests make it less.
inline constinit std::atomic<std::int64_t> little_kept{std::int64_t{1} << 32};
constexpr std::int64_t weight_on_host = 64;
inline bool is_on_host(const storage* s) noexcept {
  return s->space != memory_space::device && s->space != memory_space::managed;
}
/// In bytes of a GPU's memory.
inline std::int64_t weight(const storage* s) noexcept {
  return static_cast<std::int64_t>(s->bytes) * (is_on_host(s) ? weight_on_host : 1);
}

inline pending_list* several_readers() noexcept { return reinterpret_cast<pending_list*>(std::uintptr_t{1}); }

/// Before an expression that reads s is put in the list. The note stays when the expression goes.
inline void note_reader(storage* s, pending_list* list) noexcept {
  pending_list* known = s->reader.load(std::memory_order_relaxed);
  if (known == list || known == several_readers()) return;
  list->newly_read.fetch_add(weight(s), std::memory_order_relaxed);
  if (!known && s->reader.compare_exchange_strong(known, list, std::memory_order_relaxed)) return;
  if (known != list) s->reader.store(several_readers(), std::memory_order_relaxed);
}

/// Whether this thread's pending steps keep more memory that the program has dropped than they may: it would
/// have been free by now had they been computed when they were written.
bool keeps_too_much(pending_list& own);
/// The same, to be asked often: only where much is read that was not read before.
inline bool may_keep_too_much(pending_list& own) {
  return own.newly_read.load(std::memory_order_relaxed) > little_kept.load(std::memory_order_relaxed) &&
         keeps_too_much(own);
}

/// Whether what reads s must be computed at once, as it may change without a call of the library. To be asked
/// when the expression is in its list, or an address that is given out at the same time could be missed.
inline bool is_exposed(const storage* s) noexcept {
  return s->exposures.load(std::memory_order_relaxed) != 0;
}

/// Throws the error of an earlier write through an iterator, once.
void throw_if_write_was_refused();
/// Whether this thread is consuming the rep.
bool is_spared(const array_rep* rep) noexcept;

/// While one of these lives, this thread's effect() skips the expression, since the caller is consuming it.
class spared_expression {
 public:
  explicit spared_expression(const array_rep* rep) noexcept;
  ~spared_expression();
  spared_expression(const spared_expression&) = delete;
  spared_expression& operator=(const spared_expression&) = delete;

 private:
  const array_rep* before_;
};

/// The address of the storage is given out, for good or for the lifetime of a view: computes what any thread
/// has left pending on it.
void expose_for_good(storage* s);
void expose(storage* s);
void end_exposure(storage* s) noexcept;
/// Computes what any thread has left pending that calls the user's function.
void compute_calls(const detail::user_function* function);

}  // namespace core
GPARRAY_END_NAMESPACE
