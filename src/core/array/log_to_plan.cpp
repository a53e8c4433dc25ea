// From a log to a plan.
#include <algorithm>
#include <numeric>
#include <optional>

#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/marked_steps.hpp>
#include <core/array/new_results.hpp>
#include <core/array/plan_builder.hpp>
#include <core/array/plan_size.hpp>
#include <core/array/released_later.hpp>
#include <core/array/step_log.hpp>
#include <core/runtime/stream_state.hpp>
#include <plan/repetition.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

bool is_logged_loop(pending_list& own) {
  step_log& log = *own.log;
  const int count = log.count.load(std::memory_order_relaxed);
  // What comes before the loop, or is another in its first turn, is some of the first quarter.
  const auto found = find_repetition(log.steps, step_log::step_base, count / 4, count);
  if (found) log.expect_period(found->period);
  return found.has_value();
}

void count_logged(pending_list& list) {
  if (!list.log->is_in_use()) return;
  const step_log& log = *list.log;
  list.all.steps += log.count.load(std::memory_order_relaxed);
  for (const node_argument& a : log.all_operands())
    if (!a.array) count_constant(list.all, a);
    else if (log.is_address(static_cast<int>(&a - log.operands))) ++list.all.inputs;
    else count_array(list.all, a.array);
}

namespace {

/// What is made of more is not computed again with each of the names that share it.
constexpr int fewest_steps = 64;

/// Of a log, whose list's steps are held: what a rep is computed with, and what stays.
class living_steps {
 public:
  explicit living_steps(pending_list& list) : list_(list), log_(*list.log) {}
  living_steps(const living_steps&) = delete;
  living_steps& operator=(const living_steps&) = delete;
  ~living_steps() {
    const list_lock lock(list_);
    log_.is_read = false;
  }

  /// Finds what the program, or anything else, has. False if that is more than there is room for.
  bool find() {
    const list_lock lock(list_);
    log_.is_read = true;
    count_ = log_.count.load(std::memory_order_relaxed);
    if (log_.n_living > marked_steps::most_living) return false;
    for (int k = count_, left = log_.n_living; left > 0;) {
      array_rep* const rep = log_.notes[--k].rep;
      if (!rep) continue;
      --left;
      if (!retain_unless_dropped(rep)) continue;
      living_[n_living_] = any_array::adopt(rep);
      at_[n_living_++] = k;
    }
    return n_living_ > 0;
  }

  /// Whether one kernel computes `rep` and what is made of the same steps: the newest of them, and beside it
  /// the others. Those of `wanted` are, all if it is empty, and names that are made of hardly anything else,
  /// which would be computed from the beginning later.
  bool are_computed_together(const array_rep* rep, std::span<array_rep* const> wanted) {
    marks_.mark(log_, count_, at_, n_living_);
    root_ = -1;
    for (int i = 0; i < n_living_; ++i)
      if (living_[i].rep() == rep) together_ = bit(i);
    for (unsigned before = 0; std::exchange(before, together_) != together_;)
      for (int i = 0; i < n_living_; ++i)
        for (int j = 0; j < n_living_; ++j)
          if (is_computed(i) && marks_.common(i, j) > 0) together_ |= bit(j);
    unsigned all_wanted = 0;
    for (int i = n_living_; i-- > 0;) {
      if (!is_computed(i)) continue;
      root_ = i;
      if (wanted.empty() || std::ranges::find(wanted, living_[i].rep()) != wanted.end()) all_wanted |= bit(i);
    }
    int stores = -1;
    for (int i = 0; i < n_living_; ++i) {
      if (!is_computed(i)) continue;
      const bool is_wanted = (all_wanted & bit(i)) != 0;
      // What has been fused is no name. Of few steps a name might stay pending, or its numbers be known.
      const bool is_short = marks_.common(i, i) <= fewest_steps;
      if (!log_.notes[at_[i]].is_name && living_[i].rep() != rep) return false;
      if (is_short && (!is_wanted || living_[i].dtype() == dtype::int64)) return false;
      if (!is_wanted && !is_hardly_more(i, all_wanted)) return false;
      if (is_wanted && marks_.common(i, root_) == 0) return false;
      ++stores;
    }
    return root_ >= 0 && stores <= max_stores && log_.has_room(stores, 0);
  }

  void compute() {
    array_rep* const root = living_[root_].rep();
    const queue q = current_queue(root->device_);
    mark_rows();
    const auto has_its_shape = [&](const node_argument& a) {
      return !a.array || (a.array->c_contiguous && a.array->shape == log_.shape);
    };
    flat_ = std::ranges::all_of(log_.all_operands(), has_its_shape);
    map_plan plan;
    plan_builder builder = flat_ ? plan_builder::flat(plan, log_.size) : plan_builder(plan, log_.shape);
    write_steps(builder);
    if (plan.n_steps == at_[root_] + 1) plan.turns = log_.turns(plan.n_steps);  // all, as the log has them
    new_results results(q);
    for (int i = n_living_; i-- > root_;) {
      if (!is_computed(i)) continue;
      array_rep* const rep = living_[i].rep();
      rep->strides = c_strides(log_.shape, itemsize(rep->type));
      std::byte* const data = results.add(rep);
      if (i != root_) builder.store(number_of_step(at_[i]), data);
      else builder.store_to(data, rep->type, rep->strides);
    }
    builder.finish(number_of_step(at_[root_]));
    for (int i = 0; i < log_.n_operands; ++i)
      plan.loads_within_rows = plan.loads_within_rows || (numbers_[i] >= 0 && log_.is_address(i));
    backend_of(root->device_).map(plan, q);
    for (int i = 0; i < log_.n_operands; ++i)
      if (numbers_[i] >= 0 && log_.operands[i].array) record_use(log_.operands[i].array->memory, q);
    end_steps();
    results.publish();
  }

 private:
  static unsigned bit(int i) { return marked_steps::bit(i); }

  /// Whether the plan has the step.
  bool is_needed(int k) const { return (marks_.of_step(k) & together_) != 0; }
  /// Whether the log still has it behind that.
  bool is_kept(int k) const { return (marks_.of_step(k) & ~together_) != 0; }

  /// What of series of rows is needed, and kept: addresses are made of those of all rows before.
  void mark_rows() {
    const auto is_needed_too = static_cast<std::uint16_t>(together_),
               is_kept_too = static_cast<std::uint16_t>(~together_);
    for (int i = 0; i < log_.n_series; ++i) {
      const step_log::row_series& rows = log_.series[i];
      first_kept_[i] = rows.n_rows;
      if (rows.operand < 0) continue;
      bool needed = false;
      for (int row = rows.n_rows; row-- > 0;) {
        const int load = rows.loads[row];
        needed = needed || is_needed(load);
        if (needed) marks_.of_step(load - 1) |= is_needed_too;
        if (is_kept(load)) first_kept_[i] = row;
      }
      if (needed) marks_.of_value(rows.operand) |= is_needed_too;
      if (needed) marks_.of_value(rows.distance_operand) |= is_needed_too;
      if (first_kept_[i] == rows.n_rows) continue;
      for (int row = first_kept_[i]; row < rows.n_rows; ++row)
        for (const int k : {rows.loads[row] - 1, int{rows.loads[row]}}) marks_.of_step(k) |= is_kept_too;
      first_rows_[i] = log_.row_of(rows, first_kept_[i]);
    }
  }

  std::int16_t& number_of_step(int k) { return numbers_[step_log::step_base + k]; }
  bool is_computed(int i) const { return (together_ & bit(i)) != 0; }

  /// Whether most steps of a living one are those of one that is wanted.
  bool is_hardly_more(int i, unsigned wanted) const {
    for (int w = 0; w < n_living_; ++w)
      if ((wanted & bit(w)) != 0 && 4 * marks_.common(i, w) >= 3 * marks_.common(i, i)) return true;
    return false;
  }

  /// In the order of the program, so the newest is the last.
  void write_steps(plan_builder& builder) {
    std::fill_n(numbers_, log_.n_operands, std::int16_t{-1});
    for (int k = write_front(builder); k <= at_[root_]; ++k) {
      if (!is_needed(k)) continue;
      number_of_step(k) = static_cast<std::int16_t>(builder.next_step());
      step& s = builder.add(log_.steps[k], log_.notes[k].type);
      for (std::size_t i = 0, n = step_log::arity_of(s); i < n; ++i) {
        std::int16_t& number = numbers_[s.args[i]];
        if (number < 0) number = static_cast<std::int16_t>(write_operand(builder, s.args[i]));
        s.args[i] = static_cast<std::uint16_t>(number);
      }
    }
  }
  /// If the plan has all operands, steps have its numbers up to the first that it has not. How many that are.
  int write_front(plan_builder& builder) {
    for (int v = 0; v < log_.n_operands; ++v)
      if ((marks_.of_value(v) & together_) == 0) return 0;
    bool are_same = builder.next_step() == step_log::step_base;
    for (int v = 0; v < log_.n_operands; ++v) {
      numbers_[v] = static_cast<std::int16_t>(write_operand(builder, v));
      are_same = are_same && numbers_[v] == v;
    }
    int count = are_all_needed() ? at_[root_] + 1 : 0;
    while (are_same && count <= at_[root_] && is_needed(count)) ++count;
    if (!are_same || count == 0) return 0;
    std::iota(&number_of_step(0), &number_of_step(count), static_cast<std::int16_t>(step_log::step_base));
    builder.add({log_.steps, static_cast<std::size_t>(count)}, log_.notes[count - 1].type);
    return count;
  }
  /// Whether the plan has all steps up to the newest one.
  bool are_all_needed() const { return log_.n_series == 0 && marks_.count(together_) == at_[root_] + 1; }
  int write_operand(plan_builder& builder, int operand) const {
    const node_argument& a = log_.operands[operand];
    if (log_.is_address(operand)) return addresses(builder, operand);
    return a.array ? builder.array(a.array) : builder.constant(a.type, a.value);
  }

  /// Where the elements of the row in front of a series' first one would be.
  int addresses(plan_builder& builder, int operand) const {
    const step_log::row_series& rows =
        *std::ranges::find(log_.series, operand, &step_log::row_series::operand);
    const array_rep* const first = log_.operands[operand].array;
    const dims strides = flat_ ? dims(static_cast<std::int64_t>(itemsize(first->type)))
                               : broadcast_strides(first->shape, first->strides, log_.shape);
    return builder.iota(reinterpret_cast<std::int64_t>(first->data) - rows.distance, strides);
  }

  /// Leaves those steps in the log that nothing of what has been computed is made of.
  void end_steps() {
    released_later dropped;
    std::optional<end_of_log> ended;
    const list_lock lock(list_);
    if (are_all_computed()) {
      for (int i = 0; i < n_living_; ++i) end_step(living_[i].rep());
      if (!list_.newest) {  // the list has no other names
        count_no_names(list_);
        ended.emplace(log_);
        return;
      }
    }
    log_.n_living = 0;
    int left = 0, n_kept = 0, n_kept_numbers = 0;
    node_argument kept[max_inputs];
    std::bitset<max_inputs> kept_addresses;
    std::fill_n(numbers_, log_.n_operands, std::int16_t{-1});
    for (int k = 0; k < count_; ++k) {
      step_log::note& n = log_.notes[k];
      if (!is_kept(k)) {
        if (n.is_name) log_.count_name(list_, n, -1);
        if (n.rep) end_step(n.rep);
        continue;
      }
      step& s = log_.steps[left] = log_.steps[k];
      if (n.is_of_row() && s.op != ufunc::load && n.row == first_kept_[n.series])
        s.args[0] = static_cast<std::uint16_t>(log_.series[n.series].operand);
      log_.notes[left] = n;
      if (n.is_of_row()) log_.notes[left].row -= static_cast<std::int16_t>(first_kept_[n.series]);
      if (n.rep) {
        n.rep->logged.store(left, std::memory_order_relaxed);
        ++log_.n_living;
      }
      for (std::size_t i = 0, arity = step_log::arity_of(s); i < arity; ++i) {
        const int v = s.args[i];
        if (numbers_[v] < 0) {
          kept[n_kept] = log_.operands[v];
          kept_addresses[static_cast<std::size_t>(n_kept)] = log_.is_address(v);
          n_kept_numbers += !log_.operands[v].array;
          numbers_[v] = static_cast<std::int16_t>(n_kept++);
        }
        s.args[i] = static_cast<std::uint16_t>(numbers_[v]);
      }
      number_of_step(k) = static_cast<std::int16_t>(step_log::step_base + left++);
    }
    for (int i = 0; i < log_.n_operands; ++i)
      if (numbers_[i] < 0 && log_.operands[i].array) dropped.add(log_.operands[i].array);
    std::copy_n(kept, n_kept, log_.operands);
    log_.n_operands = n_kept;
    log_.n_numbers = n_kept_numbers;
    log_.addresses = kept_addresses;
    for (int i = 0; i < log_.n_series; ++i)
      if (array_rep* const first = move_series(i)) dropped.add(first);
    log_.n_listed = 0;
    log_.alike_from = left;
    log_.count.store(left, std::memory_order_relaxed);
  }

  /// Whether all steps have been computed that anything has the reps of.
  bool are_all_computed() const {
    return log_.n_series == 0 && log_.n_living == n_living_ && together_ + 1 == bit(n_living_);
  }
  /// A living step is none of the log's any more.
  void end_step(array_rep* rep) {
    if (rep->list.load(std::memory_order_relaxed)) detach(list_, rep);
    rep->logged.store(-1, std::memory_order_release);
  }

  /// Has a series begin with the first row that is kept. Returns the one that was its first, which it had
  /// a reference to.
  array_rep* move_series(int i) {
    step_log::row_series& rows = log_.series[i];
    const int first = first_kept_[i];
    if (first == rows.n_rows) rows.operand = -1;
    if (rows.operand < 0) return nullptr;
    rows.operand = numbers_[rows.operand];
    rows.distance_operand = numbers_[rows.distance_operand];
    for (int row = first; row < rows.n_rows; ++row)
      rows.loads[row - first] = static_cast<std::int16_t>(step_log::step_of(number_of_step(rows.loads[row])));
    rows.n_rows -= first;
    retain(first_rows_[i].rep());
    return std::exchange(log_.operands[rows.operand].array, first_rows_[i].rep());
  }

  pending_list& list_;
  step_log& log_;
  int count_ = 0, n_living_ = 0, root_ = -1;
  bool flat_ = false;
  unsigned together_ = 0;                        // bit i: living_[i]
  any_array living_[marked_steps::most_living];  // newest first
  int at_[marked_steps::most_living];
  marked_steps marks_;
  std::int16_t
      numbers_[step_log::step_base + max_steps];  // of the log's values, in the plan, then in the log
  int first_kept_[step_log::most_series];         // rows of series
  any_array first_rows_[step_log::most_series];   // those kept, as arrays
};

}  // namespace

bool compute_logged(array_rep* rep, std::span<array_rep* const> wanted) {
  if (!is_logged(rep)) return false;
  const std::unique_lock held(rep->home->steps);
  if (!is_logged(rep) || recording_on(any_device)) return false;
  living_steps steps(*rep->home);
  if (!steps.find()) return false;
  // A graph has no room for the rows that a log has, so that rather all is computed that there is.
  const bool reads_rows = rep->home->log->n_series > 0;
  if (!steps.are_computed_together(rep, wanted) && !(reads_rows && steps.are_computed_together(rep, {})))
    return false;
  steps.compute();
  return true;
}

void compute_long_log(pending_list* own) {
  const step_log* const log = own->log;
  if (!log || log->count.load(std::memory_order_relaxed) <= fewest_steps) return;
  any_array newest;
  {
    const list_lock lock(*own);
    for (int k = log->count.load(std::memory_order_relaxed); k-- > 0 && !newest.rep();)
      if (array_rep* const rep = log->notes[k].rep; rep && retain_unless_dropped(rep))
        newest = any_array::adopt(rep);
  }
  if (newest.rep()) compute_logged(newest.rep(), {});
}

}  // namespace core
GPARRAY_END_NAMESPACE
