#include <algorithm>
#include <vector>

#include <core/array/evaluate.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/step_log.hpp>
#include <core/array/turns.hpp>
#include <core/array/unstored_names.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Whether test(rep) is true of a rep of a locked list, or of one below it: pending or, without its
/// arguments, computed.
template<class Test>
bool any_below(array_rep* rep, std::uint32_t search, const Test& test) {
  if (!rep->pending.load(std::memory_order_acquire)) return test(rep);
  if (std::exchange(rep->seen, search) == search) return false;  // by another way
  if (test(rep)) return true;
  if (is_logged(rep)) {
    const std::span<const node_argument> operands = rep->home->log->all_operands();
    return std::ranges::any_of(operands, [&](const node_argument& a) { return a.array && test(a.array); });
  }
  for (int i = 0; i < rep->operation.count; ++i)
    if (array_rep* const a = rep->operation.arguments[i].array)
      if (any_below(a, search, test)) return true;
  return false;
}

bool reads(const pending_list& list, array_rep* rep, const storage* s) {
  return any_below(rep, list.searches, [s](const array_rep* a) {
    if (!a->pending.load(std::memory_order_acquire)) return a->memory == s;
    if (const array_rep* loaded = a->loads_from.rep(); loaded && loaded->memory == s) return true;
    return a->computed_by && a->computed_by->reads && a->computed_by->reads(a, s);
  });
}

bool calls(const pending_list& list, array_rep* rep, const detail::user_function* function) {
  return any_below(rep, list.searches, [function](const array_rep* a) {
    const node& n = a->operation;
    return a->pending.load(std::memory_order_acquire) && !a->computed_by && n.count > 0 &&
           n.op == ufunc::user && n.user->function == function;
  });
}

/// On the stream of the thread that made it; this thread's stream is then ordered behind that one.
void evaluate_at_home(array_rep* rep) {
  if (rep->device_.is_cpu()) return evaluate(rep);
  const queue here = current_queue(rep->device_), home{here.device, rep->stream};
  {
    const current_stream_scope on(rep->device_, rep->stream);
    evaluate(rep);
  }
  if (home.stream != here.stream) order_queues(home, here);
}

/// Computes the reps of a list for which wanted(rep) is true; false if there are none.
template<class Wanted>
bool compute_some(pending_list& list, Wanted wanted) {
  if (recording_on(any_device))
    return false;  // what is recorded runs later, see kept_memory::compute_readers()
  const storing_names all;
  for (bool any = false;; any = true) {
    array_rep* rep;
    {
      const list_lock lock(list);
      ++list.searches;
      list_logged_names(list);
      rep = list.newest;
      while (rep && !(rep->pending.load(std::memory_order_acquire) && !is_spared(rep) && wanted(rep) &&
                      retain_unless_dropped(rep)))
        rep = rep->next;
    }
    if (!rep) return any;
    const any_array keep = any_array::adopt(rep);
    try {
      evaluate_at_home(rep);
    } catch (const fork_error&) {  // as in effect()
      give_up(rep);
    } catch (const device_fault&) {
      give_up(rep);
    }
  }
}

}  // namespace

bool keeps_too_much(pending_list& own) {
  // Who computes some of them now may hold its own list's while it waits for this one: it is asked again
  // soon.
  const std::unique_lock held(own.steps, std::try_to_lock);
  if (!held) return false;
  struct operand {
    const array_rep* rep;
    int uses;
  };
  std::vector<operand> operands;
  const auto use = [&](const array_rep* a) {
    if (!a || is_pending(a)) return;
    const auto known = std::ranges::find(operands, a, &operand::rep);
    if (known != operands.end()) ++known->uses;
    else operands.push_back({a, 1});
  };
  std::int64_t kept = 0, on_host = 0, largest_on_host = 0;
  {
    const list_lock lock(own);
    for (const array_rep* rep : pending_with_uses(own)) {
      use(rep->loads_from.rep());
      if (is_logged(rep)) continue;
      for (int i = 0; i < rep->operation.count; ++i) use(rep->operation.arguments[i].array);
    }
    if (own.log && own.log->is_in_use())
      for (const node_argument& a : own.log->all_operands()) use(a.array);
    // What arrays that only steps have are parts of, if nobody else has a part.
    std::erase_if(operands, [](const operand& a) {
      return a.rep->references.load(std::memory_order_relaxed) > a.uses;
    });
    std::ranges::sort(operands, {}, [](const operand& a) { return a.rep->memory; });
    for (auto a = operands.begin(); a != operands.end();) {
      const storage* const s = a->rep->memory;
      const auto end = std::find_if(a, operands.end(), [s](const operand& b) { return b.rep->memory != s; });
      const bool is_kept = s->references.load(std::memory_order_relaxed) <= end - a;
      a = end;
      if (!is_kept) continue;
      kept += weight(s);
      if (!is_on_host(s)) continue;
      on_host += static_cast<std::int64_t>(s->bytes);
      largest_on_host = std::max(largest_on_host, static_cast<std::int64_t>(s->bytes));
    }
  }
  // What has been looked at may still be dropped: so all of it counts once more when as much again is read.
  const std::int64_t little = little_kept.load(std::memory_order_relaxed);
  own.newly_read.store(std::min(kept, little / 8 * 7), std::memory_order_relaxed);
  // Of large arrays on a host those of a line or two, so that a loop of them stays a loop.
  constexpr std::int64_t few = 4, most_on_host = std::int64_t{1} << 30;
  const bool are_few = on_host <= few * largest_on_host && on_host <= most_on_host;
  return kept - (are_few ? on_host * weight_on_host : 0) > little;
}

namespace {

template<class Wanted>
bool compute_others(const Wanted& wanted) {
  if (!has_streams()) return false;
  bool any = false;
  pending_list* const own = own_pending_list();
  for (pending_list* list = first_pending_list(); list; list = list->next)
    if (list != own && compute_some(*list, wanted)) any = true;
  return any;
}

}  // namespace

bool compute_left_on(queue q) {
  return compute_others([q](const array_rep* rep) {
    return rep->device_.is_cuda() && rep->device_.index() == q.device && rep->stream == q.stream;
  });
}

bool compute_left_on(device d) {
  return d.is_cuda() && compute_others([d](const array_rep* rep) { return rep->device_ == d; });
}

void compute_readers(storage* s) {
  forget_numbers(s);
  pending_list* const reader = s->reader.load(std::memory_order_relaxed);
  if (!reader) return;
  pending_list* const own = own_pending_list();
  if (reader == own) return;
  for (pending_list* list = first_pending_list(); list; list = list->next)
    if (list != own && (list == reader || reader == several_readers()))
      compute_some(*list, [list, s](array_rep* rep) { return reads(*list, rep, s); });
}

void effect_on(const array_rep* target) {
  throw_if_write_was_refused();
  if (recording_on(any_device)) effect();
  storage* const s = target->memory;
  forget_numbers(s);
  pending_list* const reader = s->reader.load(std::memory_order_relaxed);
  if (!reader) return;
  pending_list* const own = own_pending_list();
  if (reader == own || reader == several_readers())
    compute_some(*own, [own, s](array_rep* rep) { return reads(*own, rep, s); });
  compute_readers(s);
}

namespace {

/// Takes the locks of all lists: a thread that enlists after this sees that s is exposed.
void compute_all_readers(storage* s) {
  for (pending_list* list = first_pending_list(); list; list = list->next)
    compute_some(*list, [list, s](array_rep* rep) { return reads(*list, rep, s); });
}

}  // namespace

void expose_for_good(storage* s) {
  if (s->exposures.load(std::memory_order_acquire) & exposed_and_read) return;
  s->exposures.fetch_or(exposed_for_good, std::memory_order_acq_rel);
  forget_numbers(s);
  compute_all_readers(s);
  s->exposures.fetch_or(exposed_and_read, std::memory_order_acq_rel);
}

void expose(storage* s) {
  s->exposures.fetch_add(1, std::memory_order_acq_rel);
  forget_numbers(s);
  if (!(s->exposures.load(std::memory_order_acquire) & exposed_and_read)) compute_all_readers(s);
}

void end_exposure(storage* s) noexcept {
  forget_numbers(s);
  s->exposures.fetch_sub(1, std::memory_order_release);
}

void compute_calls(const detail::user_function* function) {
  for (pending_list* list = first_pending_list(); list; list = list->next)
    compute_some(*list, [list, function](array_rep* rep) { return calls(*list, rep, function); });
}

}  // namespace core
GPARRAY_END_NAMESPACE
