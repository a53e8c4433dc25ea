#include <algorithm>
#include <cstring>
#include <optional>

#include <core/array/layout.hpp>
#include <core/array/loads.hpp>
#include <core/array/plain_step.hpp>
#include <core/array/plan_size.hpp>
#include <core/array/step_log.hpp>
#include <core/array/turns.hpp>
#include <plan/convert_scalar.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

void step_log::begin(const array_rep& like) {
  count.store(0, std::memory_order_relaxed);
  n_operands = n_listed = n_living = period = n_series = 0;
  addresses = 0;
  may_have_rows = on.is_cuda() && may_load_later(on);
  on = like.device_;
  stream = like.stream;
  size = like.size;
  shape = like.shape;
  while (spare) detail::destroy_array(std::exchange(spare, spare->next));
  n_spare = 0;
}

int step_log::operand(pending_list& home, array_rep* array) {
  for (int i = 0; i < n_operands; ++i)
    if (operands[i].array == array && !is_address(i)) return i;
  if (n_operands == max_inputs) return -1;
  note_reader(array->memory, &home);
  count_array(home.all, array);
  retain(array);
  operands[n_operands] = {array, array->type, {}};
  return n_operands++;
}

int step_log::number(pending_list& home, dtype type, const scalar_bits& bits, dtype wanted) {
  const node_argument number{nullptr, wanted, type == wanted ? bits : convert_scalar(bits, type, wanted)};
  for (int i = 0; i < n_operands; ++i)
    if (!operands[i].array && is_same_constant(operands[i], number)) return i;
  if (n_operands == max_inputs) return -1;
  count_constant(home.all, number);
  operands[n_operands] = number;
  return n_operands++;
}

int step_log::put(ufunc f, dtype loop, const int* values, int n) {
  const int at = count.load(std::memory_order_relaxed);
  step& added = steps[at];
  added.user = nullptr;
  added.op = f;
  added.loop = loop;
  added.args = {};
  for (int i = 0; i < n; ++i) {
    added.args[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(values[i]);
  }
  count.store(at + 1, std::memory_order_relaxed);
  return at;
}

step_log::note& step_log::add(ufunc f, dtype loop, const int* values, int n, std::uint64_t birth) {
  note& added = notes[put(f, loop, values, n)];
  const dtype type = output_dtype(f, loop);
  added = {0,     birth,     nullptr, size * static_cast<std::int64_t>(itemsize(type)), type, 0, false,
           false, no_series, 0};
  return added;
}

int step_log::convert(int value, dtype to, std::uint64_t birth) {
  add(ufunc::cast, to, &value, 1, birth).series = conversion;
  return step_base + count.load(std::memory_order_relaxed) - 1;
}

void step_log::expect_turn_of(int at) {
  for (int before = at - 1; before >= std::max(at - longest_turn, 0); --before)
    if (notes[before].statement == notes[at].statement && !notes[before].is_part()) {
      period = at - before;
      return;
    }
}

array_rep* step_log::new_rep_of_step(pending_list& home, dtype type) const {
  array_rep* const rep = new_rep(type, on, shape, size);
  rep->operation.user = nullptr;
  rep->home = &home;
  rep->pending.store(true, std::memory_order_relaxed);
  return rep;
}

void step_log::describe(array_rep* rep, int at) const {
  node& n = rep->operation;
  n.op = steps[at].op;
  n.loop = steps[at].loop;
  n.inputs = n_operands;
  n.steps = at + 1;
  n.statement = notes[at].statement;
  rep->birth = notes[at].birth;
  rep->stream = stream;
}

namespace {

/// The step, which anything has, is fused into another one, or not wanted.
void end_name(pending_list& list, step_log::note& n) noexcept {
  if (std::exchange(n.is_name, false)) count_name(list, n.statement, n.bytes, -1);
  if (n.rep->list.load(std::memory_order_relaxed)) detach(list, n.rep);
}

/// Whether an array is one that steps of the log may read.
bool may_be_operand(const step_log& log, const array_rep* rep) {
  return rep->device_ == log.on && !is_exposed(rep->memory) &&
         (rep->c_contiguous || rep->shape.size() < log.shape.size()) && broadcasts_to(rep->shape, log.shape);
}

/// A step of a program to be added to the log of this thread, whose list is locked.
class new_step {
 public:
  new_step(pending_list& own, ufunc f, dtype loop, std::span<const detail::argument> arguments,
           bool turns_go_on)
      : own_(own), log_(*own.log), f_(f), loop_(loop), arguments_(arguments), turns_go_on_(turns_go_on) {}

  /// Its rep; null if it is none for the log, which then has an operand too many at the most.
  array_rep* add() {
    if (!log_.is_in_use() || log_.is_read) return nullptr;
    const int at = log_.count.load(std::memory_order_relaxed);
    if (at + 3 * size() >= max_steps) return nullptr;  // each argument may be a row, and converted
    if (const int before = of_last_turn(at); before >= 0 && is_as(before)) return add_as(before);
    if (!find_arrays() || !find_operands()) return nullptr;
    return add_anew();
  }
  bool reads_memory() const { return reads_memory_; }

 private:
  int size() const { return static_cast<int>(arguments_.size()); }
  const detail::argument& argument(int i) const { return arguments_[static_cast<std::size_t>(i)]; }

  /// Whether no turn of the loop ends at a name that becomes an operand. Of others end_turns() knows.
  bool is_within_turn(array_rep* name) const {
    if (turns_go_on_ || name->begins_turn) return true;
    return name->operation.statement == own_.leader ? begin_turn(own_, name) : has_room_for_step(own_);
  }

  /// The step of the last turn in the place of one that is added here, behind what is part of it.
  int of_last_turn(int at) const {
    int before = at - log_.period;
    if (before < 0) return -1;
    while (before < at && log_.notes[before].is_part()) ++before;
    return before < at ? before : -1;
  }

  /// Whether it does what a step of the last turn did, with the same operands and numbers, and with steps of
  /// the same dtypes in the place of steps.
  bool is_as(int before) {
    const step& s = log_.steps[before];
    if (s.op != f_ || s.loop != loop_) return false;
    const unsigned fused = log_.notes[before].fused;
    unsigned converted = 0;
    for (int i = 0; i < size(); ++i) {
      const detail::argument& a = argument(i);
      int value = s.args[static_cast<std::size_t>(i)];
      if (log_.is_conversion(value)) {
        value = log_.steps[step_log::step_of(value)].args[0];
        converted |= 1u << i;
      }
      if (!step_log::is_step(value)) {
        const node_argument& operand = log_.operands[value];
        if (a.array ? !operand.array || operand.array != a.array->rep()
                    : operand.array || operand.type != a.type ||
                          std::memcmp(&operand.value, a.value, sizeof a.value) != 0)
          return false;
        reads_memory_ = reads_memory_ || a.array;
        values_[i] = value;
        continue;
      }
      if (!a.array || !a.array->rep()) return false;
      array_rep* const rep = a.array->rep();
      const int made = rep->logged.load(std::memory_order_relaxed);
      if (made < 0) {
        if (!is_row_behind(i, log_.notes[step_log::step_of(value)], a)) return false;
        continue;
      }
      values_[i] = step_log::step_base + made;
      if (rep->home != &own_) return false;
      const step_log::note &now = log_.notes[made], &then = log_.notes[step_log::step_of(value)];
      const bool fuses = is_temporary(a, rep);
      if (fuses != ((fused >> i & 1) != 0) || now.type != then.type) return false;
      if (fuses ? now.statement != then.statement : !is_within_turn(rep)) return false;
    }
    fused_ = fused;
    converted_ = converted;
    return true;
  }

  /// Whether an argument is the row behind the one that the last turn read.
  bool is_row_behind(int i, const step_log::note& load, const detail::argument& a) {
    const array_rep* const rep = a.array->rep();
    if (!load.is_of_row() || is_pending(rep) || is_exposed(rep->memory) || a.type != load.type) return false;
    const auto found = log_.row_behind(load, rep);
    if (!found) return false;
    are_rows_ |= 1u << i;
    rows_[i] = found->first;
    row_[i] = found->second;
    reads_memory_ = true;
    return true;
  }

  array_rep* add_as(int before) {
    for (int i = 0; are_rows_ >> i != 0; ++i)
      if ((are_rows_ >> i & 1) != 0) values_[i] = log_.value_of(own_, *rows_[i], row_[i]);
    array_rep* const rep = take_rep(log_.notes[before].type);
    use_steps();
    convert_arguments();
    const int at = log_.put(f_, loop_, values_, size());
    step_log::note& note = log_.notes[at] = log_.notes[before];
    note.birth = ++own_.births;
    note.was_used = false;
    return named(rep, at);
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
        else if (!is_within_turn(rep)) return false;
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
    array_rep* const rep = take_rep(output_dtype(f_, loop_));
    use_steps();
    convert_arguments();
    step_log::note& note = log_.add(f_, loop_, values_, size(), ++own_.births);
    note.statement = statement;
    note.fused = static_cast<std::uint8_t>(fused_);
    const int at = log_.count.load(std::memory_order_relaxed) - 1;
    log_.expect_turn_of(at);
    return named(rep, at);
  }

  void convert_arguments() {
    for (int i = 0; converted_ >> i != 0; ++i) {
      if ((converted_ >> i & 1) == 0) continue;
      values_[i] = log_.convert(values_[i], input_dtype(f_, i, loop_), ++own_.births);
      ++own_.all.steps;
    }
  }

  /// Steps that are its arguments: temporaries are no names any more.
  void use_steps() {
    for (int i = 0; i < size(); ++i) {
      if (!step_log::is_step(values_[i])) continue;
      step_log::note& used = log_.notes[step_log::step_of(values_[i])];
      used.was_used = true;
      if ((fused_ >> i & 1) != 0) end_name(own_, used);
    }
  }

  /// A new one, or one that was a step of the log, and is still described as one.
  array_rep* take_rep(dtype type) {
    array_rep* const rep = log_.spare;
    if (!rep) return log_.new_rep_of_step(own_, type);
    log_.spare = rep->next;
    --log_.n_spare;
    rep->type = type;
    rep->references.store(1, std::memory_order_relaxed);
    rep->begins_turn = rep->read_only = rep->is_view = false;
    rep->was_used.store(false, std::memory_order_relaxed);
    return rep;
  }

  array_rep* named(array_rep* rep, int at) {
    step_log::note& note = log_.notes[at];
    note.rep = rep;
    note.is_name = true;
    ++log_.n_living;
    ++own_.all.steps;
    count_name(own_, note.statement, note.bytes, 1);
    log_.describe(rep, at);
    rep->logged.store(at, std::memory_order_relaxed);
    return rep;
  }

  pending_list& own_;
  step_log& log_;
  ufunc f_;
  dtype loop_;
  std::span<const detail::argument> arguments_;
  bool turns_go_on_, reads_memory_ = false;
  unsigned fused_ = 0, converted_ = 0, are_rows_ = 0;  // bit i: argument i
  int values_[max_arity];
  step_log::row_series* rows_[max_arity];  // of arguments that are rows of the next turn
  int row_[max_arity];
};

}  // namespace

any_array log_step(pending_list& own, ufunc f, dtype loop, std::span<const detail::argument> arguments,
                   bool turns_go_on) {
  new_step added(own, f, loop, arguments, turns_go_on);
  any_array made = [&] {
    const list_lock lock(own);
    return any_array::adopt(added.add());
  }();
  if (added.reads_memory() && made.rep() && std::ranges::any_of(arguments, is_exposed_now)) [[unlikely]]
    evaluate(made.rep());
  return made;
}

void list_logged_names(pending_list& list) noexcept {
  if (!list.log || !list.log->is_in_use()) return;
  step_log& log = *list.log;
  const int count = log.count.load(std::memory_order_relaxed);
  for (int k = log.n_listed; k < count; ++k) {
    const step_log::note& n = log.notes[k];
    if (n.rep && n.is_name && !n.rep->list.load(std::memory_order_relaxed)) attach(list, n.rep);
  }
  log.n_listed = count;
}

void end_name(pending_list& list, array_rep* rep) noexcept {
  end_name(list, list.log->notes[rep->logged.load(std::memory_order_relaxed)]);
}

namespace {

/// Ends a log if nobody wants what the loop has made. Not in leave_log(), which each step comes to.
[[gnu::noinline]] void end_unwanted_log(pending_list& list) noexcept {
  std::optional<end_of_log> ended;
  const list_lock lock(list);
  step_log& log = *list.log;
  if (log.n_living > 0 || log.is_read || !log.is_in_use()) return;
  for (int k = 0, count = log.count.load(std::memory_order_relaxed); k < count; ++k)
    if (log.notes[k].is_name) count_name(list, log.notes[k].statement, log.notes[k].bytes, -1);
  ended.emplace(log);
}

}  // namespace

bool leave_log(array_rep* rep) noexcept {
  pending_list& list = *rep->home;
  bool is_spare = false, is_last = false;
  {
    const list_lock lock(list);
    const int at = rep->logged.load(std::memory_order_relaxed);
    if (at < 0) return false;  // it has been written out meanwhile
    step_log& log = *list.log;
    step_log::note& n = log.notes[at];
    if (!n.was_used) end_name(list, n);
    else if (rep->list.load(std::memory_order_relaxed)) detach(list, rep);
    n.rep = nullptr;
    rep->logged.store(-1, std::memory_order_relaxed);
    is_last = --log.n_living == 0;
    if (log.n_spare < step_log::most_spare) {
      ++log.n_spare;
      rep->next = std::exchange(log.spare, rep);
      is_spare = true;
    }
  }
  if (is_last) [[unlikely]]
    end_unwanted_log(list);
  return is_spare;
}

int references_of_log(const pending_list& list, const array_rep* rep) noexcept {
  if (!list.log) return 0;
  const std::span<const node_argument> operands = list.log->all_operands();
  return static_cast<int>(std::ranges::count(operands, rep, &node_argument::array));
}

}  // namespace core
GPARRAY_END_NAMESPACE
