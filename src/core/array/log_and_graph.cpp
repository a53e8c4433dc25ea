// From a graph of pending steps to a log, and back.
#include <algorithm>
#include <vector>

#include <core/array/filled.hpp>
#include <core/array/layout.hpp>
#include <core/array/plan_size.hpp>
#include <core/array/released_later.hpp>
#include <core/array/step_log.hpp>
#include <core/array/turns.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Whether a pending step may stand in a log, but for its operands.
bool may_be_logged(const array_rep* rep, const array_rep* like) {
  const node& n = rep->operation;
  for (int i = 0; i < n.count; ++i)
    if (const array_rep* const a = n.arguments[i].array;
        a && !is_pending(a) && !a->c_contiguous && a->shape.size() == rep->shape.size())
      return false;
  return !rep->computed_by && !rep->roll && !rep->view && !rep->places && !rep->loads_from.rep() &&
         !rep->compute_alone && n.reductions == 0 && !n.rolls && n.c_order && n.op != ufunc::user &&
         rep->birth != 0 && rep->home == like->home && rep->device_ == like->device_ &&
         rep->shape == like->shape;
}

/// Whether a step is its argument's value in a plan.
bool is_no_step(const node& n) {
  return n.op == ufunc::cast && n.count == 1 && n.arguments[0].type == n.loop;
}

/// Logs a pending step, to which the caller has a reference, and whose operands are logged: its position is
/// its value in the log. False if that cannot be.
bool log_pending(pending_list& list, array_rep* rep) {
  step_log& log = *list.log;
  const node& n = rep->operation;
  int values[max_arity];
  unsigned fused = 0;
  for (int i = 0; i < n.count; ++i) {
    const node_argument& a = n.arguments[i];
    const dtype wanted = wanted_dtype(n, i);
    if (!a.array) {
      values[i] = log.number(list, a.type, a.value, wanted);
    } else if (is_pending(a.array)) {
      values[i] = a.array->position;
    } else {
      values[i] = log.operand_or_row(list, a.array);
    }
    if (values[i] < 0) return false;
    if (step_log::is_step(values[i])) log.notes[step_log::step_of(values[i])].was_used = true;
    if (a.array && a.type != wanted) values[i] = log.convert(values[i], wanted, rep->birth);
    if (a.array && is_pending(a.array) && !a.array->list.load(std::memory_order_relaxed)) fused |= 1u << i;
  }
  if (is_no_step(n)) {
    rep->position = values[0];
    return rep->references.load(std::memory_order_relaxed) == rep->uses + 1;  // else it is wanted itself
  }
  step_log::note& added = log.add(n.op, n.loop, values, n.count, rep->birth);
  added.statement = n.statement;
  added.rep = rep;
  added.fused = static_cast<std::uint8_t>(fused);
  added.is_name = rep->list.load(std::memory_order_relaxed) != nullptr;
  rep->position = step_log::step_base + log.count.load(std::memory_order_relaxed) - 1;
  return true;
}

}  // namespace

bool begin_log(pending_list* own, const array_rep* like) {
  if (std::exchange(own->keeps_graph, true)) return false;
  compute_ranges(*own);
  released_later dropped;
  std::optional<end_of_log> failed;
  const list_lock lock(*own);
  if (!own->log) own->log = new step_log;
  step_log& log = *own->log;
  std::vector<array_rep*> steps = pending_with_uses(*own);

  if (steps.size() * 2 > max_steps) return false;
  std::size_t references = steps.size();
  for (const array_rep* rep : steps) {
    if (!may_be_logged(rep, like)) return false;
    references += static_cast<std::size_t>(rep->operation.count);
  }
  dropped.reserve(references);
  // What another thread is dropping waits for the lock, to go as a step of the graph: nothing is made of it.
  // The others are held, or they might wait, too, before they are logged.
  std::erase_if(steps, [&](array_rep* rep) {
    const bool stays = retain_unless_dropped(rep);
    if (stays) dropped.add(rep);
    return !stays;
  });
  std::ranges::sort(steps, {}, &array_rep::birth);
  log.begin(*like);
  for (array_rep* rep : steps)
    if (!log_pending(*own, rep)) {
      failed.emplace(log);
      return false;
    }
  // From here on the log stands for the graph: nothing fails.
  const int count = log.count.load(std::memory_order_relaxed);
  log.n_listed = count;
  for (int k = 0; k < count; ++k) {
    array_rep* const rep = log.notes[k].rep;
    log.notes[k].birth = ++own->births;  // conversions are steps now, and each has a birth of its own
    if (!rep) continue;
    rep->birth = log.notes[k].birth;
    for (int i = 0; i < rep->operation.count; ++i)
      if (array_rep* const a = rep->operation.arguments[i].array) dropped.add(a);
    rep->operation.count = 0;
    rep->logged.store(k, std::memory_order_relaxed);
    ++log.n_living;
  }
  count_nothing(own->all);
  count_logged(*own);
  own->all.note_counted();
  is_logged_loop(*own);
  return true;
}

void write_out(pending_list* list) {
  if (!list->log || !list->log->is_in_use()) return;
  step_log& log = *list->log;
  released_later dropped;
  std::optional<end_of_log> ended;
  std::vector<any_array> rows;  // released behind the lock, as they take locks
  const list_lock lock(*list);
  const int count = log.count.load(std::memory_order_relaxed);
  if (log.n_series > 0) rows.resize(static_cast<std::size_t>(count));
  std::vector<array_rep*> reps(static_cast<std::size_t>(count));
  std::vector<char> needed(static_cast<std::size_t>(count));
  int n_rows = 0;  // so far: more than a plan has room for, which is for evaluation to see
  for (int k = count; k-- > 0;) {
    const step& s = log.steps[k];
    const auto at = static_cast<std::size_t>(k);
    if (array_rep* const rep = log.notes[k].rep) {
      if (retain_unless_dropped(rep)) {
        reps[at] = rep;
      } else {  // it goes, as it were no step any more, once the list is unlocked
        if (rep->list.load(std::memory_order_relaxed)) detach(*list, rep);
        rep->logged.store(-1, std::memory_order_release);
      }
    }
    needed[at] = needed[at] || reps[at];
    if (log.notes[k].is_of_row()) continue;
    for (std::size_t i = 0; needed[at] && i < step_log::arity_of(s); ++i)
      if (const int v = s.args[i]; step_log::is_step(v))
        needed[static_cast<std::size_t>(step_log::step_of(v))] = 1;
  }
  for (int k = 0; k < count; ++k) {
    const step& s = log.steps[k];
    const step_log::note& l = log.notes[k];
    const auto at = static_cast<std::size_t>(k);
    if (l.is_of_row()) {  // a load is an array again, and its address nothing
      if (needed[at]) {
        rows[at] = log.row_of(log.series[l.series], l.row);
        ++n_rows;
      }
      continue;
    }
    if (!needed[at]) {
      if (l.is_name) log.count_name(*list, l, -1);
      continue;
    }
    if (!reps[at]) {
      reps[at] = log.new_rep_of_step(*list, l.type);
      log.describe(reps[at], k);
    }
    // Of what others have, they may look at everything but the arguments meanwhile.
    array_rep* const rep = reps[at];
    dropped.add(rep);
    node& n = rep->operation;
    for (std::size_t i = 0; i < step_log::arity_of(s); ++i) {
      const int v = s.args[i];
      const auto made = static_cast<std::size_t>(step_log::step_of(v));
      array_rep* const below = !step_log::is_step(v)         ? nullptr
                               : log.notes[made].is_of_row() ? rows[made].rep()
                                                             : reps[made];
      n.arguments[i] = below ? node_argument{below, below->type, {}} : log.operands[v];
      if (n.arguments[i].array) retain(n.arguments[i].array);
    }
    n.count = static_cast<int>(step_log::arity_of(s));
    n.inputs = std::max(n.inputs, log.n_arrays() + n_rows);
    if (l.is_name && !rep->list.load(std::memory_order_relaxed)) attach(*list, rep);
    rep->logged.store(-1, std::memory_order_release);
  }
  ended.emplace(log);
}

}  // namespace core
GPARRAY_END_NAMESPACE
