// What is added to a log: mostly the step of the turn before in its place.
#include <algorithm>
#include <cstring>

#include <core/array/layout.hpp>
#include <core/array/plain_step.hpp>
#include <core/array/step_log.hpp>
#include <core/array/turns.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Whether an array is one that steps of the log may read.
bool may_be_operand(const step_log& log, const array_rep* rep) {
  return rep->device_ == log.on && !is_exposed(rep->memory) &&
         (rep->c_contiguous || rep->shape.size() < log.shape.size()) && broadcasts_to(rep->shape, log.shape);
}

/// What ends a turn of the loop at a name that becomes an operand, of one step: asked once for all of these.
class end_of_turn {
 public:
  end_of_turn(const pending_list& own, const step_log& log, bool turns_go_on)
      : own_(own), goes_on_(turns_go_on), has_room_(turns_go_on || has_room_for_step(own, log.on)) {}

  /// Whether none ends there. Of others end_turns() knows.
  bool is_not_at(array_rep* name) const {
    if (goes_on_ || name->begins_turn) return true;
    return name->operation.statement == own_.leader ? begin_turn(own_, name) : has_room_;
  }

 private:
  const pending_list& own_;
  bool goes_on_, has_room_;
};

/// The value of an argument that stands where the last turn had another one: the same operand or number, or a
/// step of the same dtype, and of the same line if it is a temporary. Negative if it is none.
inline int in_place_of(int value, const detail::argument& a, bool was_fused, const pending_list& own,
                       const step_log& log, const end_of_turn& end) {
  if (!step_log::is_step(value)) {
    const node_argument& operand = log.operands[value];
    const bool is_it = a.array ? operand.array && operand.array == a.array->rep()
                               : !operand.array && operand.type == a.type &&
                                     std::memcmp(&operand.value, a.value, sizeof a.value) == 0;
    return is_it ? value : -1;
  }
  array_rep* const rep = a.array ? a.array->rep() : nullptr;
  if (!rep) return -1;
  const int made = rep->logged.load(std::memory_order_relaxed);
  if (made < 0 || rep->home != &own) return -1;
  const step_log::note &now = log.notes[made], &then = log.notes[step_log::step_of(value)];
  if (now.type != then.type || is_temporary(a, rep) != was_fused) return -1;
  if (was_fused ? now.statement != then.statement : !end.is_not_at(rep)) return -1;
  return step_log::step_base + made;
}

/// Adds the conversions of a step's arguments in front of it, as they are in front of the one a turn before.
[[gnu::noinline]] void convert_again(pending_list& own, int at, int n_parts) {
  step_log& log = *own.log;
  step& s = log.steps[at];
  const step& then = log.steps[at - log.period];
  for (int part = at - n_parts; part < at; ++part) {
    std::size_t i = 0;
    while (then.args[i] != step_log::step_base + part - log.period) ++i;
    log.steps[part] = log.steps[part - log.period];
    log.notes[part] = log.notes[part - log.period];
    log.notes[part].birth = ++own.births;
    log.steps[part].args[0] =
        std::exchange(s.args[i], static_cast<std::uint16_t>(step_log::step_base + part));
    ++own.all.steps;
  }
}

/// Adds the step of the last turn once more, behind what it is made of now, and behind the conversions of
/// arguments if it had some. Null if it is not the same, or if there are rows to be added in front of it.
inline array_rep* add_again(pending_list& own, ufunc f, dtype loop,
                            std::span<const detail::argument> arguments, bool turns_go_on,
                            bool& reads_memory) {
  step_log& log = *own.log;
  const int first = log.count.load(std::memory_order_relaxed);
  int before = first - log.period;
  if (before < 0) return nullptr;
  while (before < first && log.notes[before].series == step_log::conversion) ++before;
  const int at = before + log.period, n_parts = at - first;
  const step& s = log.steps[before];
  const step_log::note& as = log.notes[before];
  if (before == first || s.op != f || s.loop != loop || as.is_part()) return nullptr;
  const end_of_turn end(own, log, turns_go_on);
  const int period = log.period, n = static_cast<int>(arguments.size());
  const unsigned fused = as.fused;
  step& added = log.steps[at] = s;
  int alike_from = log.alike_from;
  bool reads = false;
  for (int i = 0; i < n; ++i) {
    const detail::argument& a = arguments[static_cast<std::size_t>(i)];
    int then = s.args[static_cast<std::size_t>(i)];
    if (n_parts > 0 && log.is_conversion(then)) then = log.steps[step_log::step_of(then)].args[0];
    const int value = in_place_of(then, a, (fused >> i & 1) != 0, own, log, end);
    if (value < 0) return nullptr;
    added.args[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(value);
    if (!step_log::is_step(value)) reads = reads || a.array;
    else if (value == then) alike_from = std::max(alike_from, step_log::step_of(value) + 1 + period);
    else if (value != then + period) alike_from = at + 1;
  }
  reads_memory = reads;
  array_rep* const rep = log.take_rep(own, as.type);
  for (int i = 0; i < n; ++i) log.use(own, added.args[static_cast<std::size_t>(i)], (fused >> i & 1) != 0);
  if (n_parts > 0) convert_again(own, at, n_parts);
  log.alike_from = alike_from;
  step_log::note& note = log.notes[at] = as;
  note.birth = ++own.births;
  note.was_used = false;
  log.count.store(at + 1, std::memory_order_relaxed);
  log.name(own, rep, at);
  return rep;
}

/// Any other step of a program to be added to the log of this thread, whose list is locked.
class new_step {
 public:
  new_step(pending_list& own, ufunc f, dtype loop, std::span<const detail::argument> arguments,
           bool turns_go_on)
      : own_(own), log_(*own.log), f_(f), loop_(loop), arguments_(arguments), end_(own, log_, turns_go_on) {}

  /// Its rep; null if it is none for the log, which then has an operand too many at the most.
  array_rep* add() {
    if (const int before = of_last_turn(); before >= 0 && is_as(before)) return add_with_parts(before);
    if (!find_arrays() || !find_operands()) return nullptr;
    return add_anew();
  }
  bool reads_memory() const { return reads_memory_; }

 private:
  int size() const { return static_cast<int>(arguments_.size()); }
  const detail::argument& argument(int i) const { return arguments_[static_cast<std::size_t>(i)]; }

  /// The step of the last turn in its place, behind its parts; negative if it has none.
  int of_last_turn() {
    const int at = log_.count.load(std::memory_order_relaxed);
    int before = at - log_.period;
    if (before < 0 || !log_.notes[before].is_part()) return -1;
    while (before < at && log_.notes[before].is_part()) ++before;
    return before < at ? before : -1;
  }

  /// Whether it does what a step of the last turn did, with arguments in the place of that one's.
  bool is_as(int before) {
    const step& s = log_.steps[before];
    if (s.op != f_ || s.loop != loop_) return false;
    unsigned converted = 0;
    for (int i = 0; i < size(); ++i) {
      const detail::argument& a = argument(i);
      const auto k = static_cast<std::size_t>(i);
      int value = s.args[k];
      if (log_.is_conversion(value)) {
        value = log_.steps[step_log::step_of(value)].args[0];
        converted |= 1u << i;
      }
      values_[i] = in_place_of(value, a, log_.notes[before].is_fused(k), own_, log_, end_);
      if (values_[i] < 0 ? !is_row_behind(i, value, a) : false) return false;
      reads_memory_ = reads_memory_ || (!step_log::is_step(value) && a.array);
    }
    fused_ = log_.notes[before].fused;
    converted_ = converted;
    return true;
  }

  /// Whether an argument is the row behind the one that the last turn read.
  bool is_row_behind(int i, int value, const detail::argument& a) {
    const array_rep* const rep = a.array ? a.array->rep() : nullptr;
    if (!rep || !step_log::is_step(value)) return false;
    const step_log::note& load = log_.notes[step_log::step_of(value)];
    if (!load.is_of_row() || is_pending(rep) || is_exposed(rep->memory) || a.type != load.type) return false;
    const auto found = log_.row_behind(load, rep);
    if (!found) return false;
    are_rows_ |= 1u << i;
    rows_[i] = found->first;
    row_[i] = found->second;
    reads_memory_ = true;
    return true;
  }

  array_rep* add_with_parts(int before) {
    for (int i = 0; are_rows_ >> i != 0; ++i)
      if ((are_rows_ >> i & 1) != 0) values_[i] = log_.value_of(own_, *rows_[i], row_[i]);
    return add_step(log_.notes[before].type, log_.notes[before].statement);
  }

  /// Whether its arrays are steps of the log, or such that those may read.
  bool find_arrays() {
    bool has_its_shape = false;
    for (int i = 0; i < size(); ++i) {
      const detail::argument& a = argument(i);
      if (!a.array) continue;
      array_rep* const rep = a.array->rep();
      if (!rep) return false;
      const int made = rep->logged.load(std::memory_order_relaxed);
      if (made >= 0) {
        if (rep->home != &own_) return false;
        if (is_temporary(a, rep)) fused_ |= 1u << i;
        else if (!end_.is_not_at(rep)) return false;
        values_[i] = step_log::step_base + made;
        has_its_shape = true;
      } else {
        if (is_pending(rep) || !may_be_operand(log_, rep)) return false;
        has_its_shape = has_its_shape || rep->shape == log_.shape;
        reads_memory_ = true;
      }
      if (f_ != ufunc::cast && a.type != input_dtype(f_, i, loop_)) converted_ |= 1u << i;
    }
    return has_its_shape && (f_ != ufunc::cast || arguments_[0].type != loop_);
  }

  bool find_operands() {
    for (int i = 0; i < size(); ++i) {
      const detail::argument& a = argument(i);
      if (!a.array) {
        scalar_bits bits;
        std::memcpy(&bits, a.value, sizeof bits);
        values_[i] = log_.number(own_, a.type, bits, f_ == ufunc::cast ? a.type : input_dtype(f_, i, loop_));
      } else if (!is_logged(a.array->rep())) {
        values_[i] = log_.operand_or_row(own_, a.array->rep());
      }
      if (values_[i] < 0) return false;
    }
    return true;
  }

  array_rep* add_anew() {
    std::uint64_t statement = statement_of(f_, loop_, nullptr);
    for (int i = 0; i < size(); ++i) {
      const bool fuses = (fused_ >> i & 1) != 0;
      statement =
          mixed(statement, part_of_statement(argument(i), fuses ? argument(i).array->rep() : nullptr));
    }
    array_rep* const rep = add_step(output_dtype(f_, loop_), statement);
    log_.expect_turn_of(log_.count.load(std::memory_order_relaxed) - 1);
    return rep;
  }

  array_rep* add_step(dtype type, std::uint64_t statement) {
    array_rep* const rep = log_.take_rep(own_, type);
    for (int i = 0; i < size(); ++i) {
      const bool fuses = (fused_ >> i & 1) != 0;
      log_.use(own_, values_[i], fuses);
      if ((converted_ >> i & 1) == 0) continue;
      values_[i] = log_.convert(values_[i], input_dtype(f_, i, loop_), ++own_.births);
      ++own_.all.steps;
    }
    step_log::note& note = log_.add(f_, loop_, values_, size(), ++own_.births);
    note.statement = statement;
    note.fused = static_cast<std::uint8_t>(fused_);
    log_.name(own_, rep, log_.count.load(std::memory_order_relaxed) - 1);
    return rep;
  }

  pending_list& own_;
  step_log& log_;
  ufunc f_;
  dtype loop_;
  std::span<const detail::argument> arguments_;
  end_of_turn end_;
  bool reads_memory_ = false;
  unsigned fused_ = 0, converted_ = 0, are_rows_ = 0;  // bit i: argument i
  int values_[max_arity];
  step_log::row_series* rows_[max_arity];  // of arguments that are rows of the next turn
  int row_[max_arity];
};

/// Computes a rep at once if what it reads may change without a call of the library.
void compute_exposed(array_rep* rep, std::span<const detail::argument> arguments) {
  if (!std::ranges::any_of(arguments, is_exposed_now)) return;
  try {
    evaluate(rep);
  } catch (...) {
    release(rep);
    throw;
  }
}

[[gnu::noinline]] array_rep* add_otherwise(pending_list& own, ufunc f, dtype loop,
                                           std::span<const detail::argument> arguments, bool turns_go_on,
                                           bool& reads_memory) {
  new_step step(own, f, loop, arguments, turns_go_on);
  array_rep* const rep = step.add();
  reads_memory = step.reads_memory();
  return rep;
}

}  // namespace

array_rep* log_step(pending_list& own, ufunc f, dtype loop, std::span<const detail::argument> arguments,
                    bool turns_go_on) {
  array_rep* rep = nullptr;
  bool reads_memory = false;
  {
    const list_lock lock(own);
    const step_log& log = *own.log;
    // Each argument may be a row, and converted.
    const int most = log.count.load(std::memory_order_relaxed) + 3 * static_cast<int>(arguments.size());
    if (!log.is_in_use() || log.is_read || most >= max_steps) return nullptr;
    rep = add_again(own, f, loop, arguments, turns_go_on, reads_memory);
    if (!rep) rep = add_otherwise(own, f, loop, arguments, turns_go_on, reads_memory);
  }
  if (reads_memory && rep) compute_exposed(rep, arguments);
  return rep;
}

}  // namespace core
GPARRAY_END_NAMESPACE
