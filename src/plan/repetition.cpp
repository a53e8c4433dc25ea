#include <algorithm>
#include <cstring>

#include <plan/argument_lanes.hpp>
#include <plan/repetition.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

constexpr int longest_period = 64;

std::size_t arity_of(const step& s) { return static_cast<std::size_t>(arity(s)); }

/// The steps of a plan, or others that are numbered like them.
struct step_list {
  const step* steps;
  int n_inputs;
};

bool do_the_same(const step& a, const step& b) {
  return a.op == b.op && a.loop == b.loop && (a.op != ufunc::user || a.user == b.user);
}

/// Whether a step and the one a period behind it are the same step of two turns: each argument is the same
/// value, or one a period behind. `least` grows beyond steps that both read: those stand before the loop.
bool are_of_two_turns(const step_list& list, int s, int period, int& least) {
  const step &a = list.steps[s], &b = list.steps[s + period];
  if (!do_the_same(a, b)) return false;
  for (std::size_t i = 0; i < arity_of(a); ++i) {
    const int x = a.args[i], y = b.args[i];
    if (x >= list.n_inputs && x == y) least = std::max(least, x - list.n_inputs + 1);
    else if (x != y && (x < list.n_inputs || y != x + period)) return false;
  }
  return true;
}

/// The same of all of three steps, two neighbours of which are known to be, where what the next turn reads
/// anew, and what it reads again, are the same arguments as of the turn after that.
[[gnu::always_inline]] inline bool are_of_three_turns(const step_list& list, int s, int period) {
  const step &a = list.steps[s], &b = list.steps[s + period], &c = list.steps[s + 2 * period];
  const std::uint64_t before = first_arguments(b) - first_arguments(a),
                      behind = first_arguments(c) - first_arguments(b);
  // Those beyond the arity are 0.
  const int last_before = b.args.back() - a.args.back(), last_behind = c.args.back() - b.args.back();
  return do_the_same(a, c) && before == behind && last_before == last_behind;
}

/// Whether the arguments that are others in the next turn are steps.
bool carries_steps(const step_list& list, int s, int period) {
  const step &a = list.steps[s], &b = list.steps[s + period];
  const std::uint64_t four = first_arguments(a), are_other = not_less(four ^ first_arguments(b), 1);
  return (are_other & ~not_less(four, static_cast<std::uint64_t>(list.n_inputs))) == 0 &&
         (a.args.back() == b.args.back() || a.args.back() >= list.n_inputs);
}

/// The turns that end behind those steps [from, to) which are known to be of two turns: with the ones before
/// them, if these are alike, too.
repetition with_front(const step_list& list, int begin, int from, int to, int period, int least) {
  while (from > begin && from > least &&
         (from - 1 + period >= to
              ? are_of_two_turns(list, from - 1, period, least)
              : are_of_three_turns(list, from - 1, period) && carries_steps(list, from - 1, period)))
    --from;
  from = std::max(from, least);
  if (to - from < period) return {};
  return {from, period, (to - from) / period + 1};
}

/// That with this period, around a step.
repetition around(const step_list& list, int begin, int end, int middle, int period) {
  int least = begin, from = middle, to = middle;
  while (to < middle + period && to + period < end && are_of_two_turns(list, to, period, least)) ++to;
  if (to == middle + period)
    while (to + period < end && are_of_three_turns(list, to - period, period)) ++to;
  if (to - from < period && from - begin < period) return {};
  return with_front(list, begin, from, to, period, least);
}

}  // namespace

std::optional<repetition> find_repetition(const map_plan& plan, int begin, int end) {
  if (const auto [first, period, known_end] = plan.turns; period > 0 && begin <= first && known_end <= end) {
    const repetition known =
        with_front({plan.steps, plan.n_inputs}, begin, first, known_end - period, period, begin);
    if (known.turns > 0 && 2 * known.spared() >= end - begin) return known;
  }
  return find_repetition(plan.steps, plan.n_inputs, begin, end);
}

std::optional<repetition> find_repetition(const step* steps, int n_inputs, int begin, int end) {
  const step_list list{steps, n_inputs};
  repetition best;
  for (int quarter = 1; quarter < 4; ++quarter) {
    const int middle = begin + (end - begin) * quarter / 4;
    for (int period = 1; period <= longest_period && middle + period < end; ++period) {
      // Two turns taken for one spare less: what has been found is as good as a longer period can be.
      if (best.spared() >= end - begin - period) break;
      // Several turns taken for one are no more than those, but for a line that is in each of them twice.
      if (2 * best.spared() >= end - begin && period % best.period == 0) continue;
      if (steps[middle].op != steps[middle + period].op) continue;
      const repetition found = around(list, begin, end, middle, period);
      if (found.turns > 0 && found.spared() > best.spared()) best = found;
    }
    if (2 * best.spared() >= end - begin) return best;
  }
  return std::nullopt;
}

namespace {

/// Writes a loop down once.
class loop_writer {
 public:
  loop_writer(const map_plan& plan, const repetition& repeated, looped_plan& result)
      : plan_(plan), loop_(repeated), result_(result) {}

  bool write() {
    if (plan_.n_inputs == max_inputs || !find_carried()) return false;
    const int behind = plan_.n_steps - loop_.end();
    if (loop_.first + n_carried_ + loop_.period + behind > max_kernel_steps) return false;
    write_operands();
    for (int s = 0; s < loop_.first; ++s) copy_outside(s, s);
    result_.first = loop_.first;
    result_.carried = n_carried_;
    result_.period = loop_.period;
    for (int c = 0; c < n_carried_; ++c) write_carried(c);
    const int turn = loop_.first + n_carried_;
    for (int k = 0; k < loop_.period; ++k) copy_turn(k, turn + k);
    for (int k = 0; k < behind; ++k) copy_outside(loop_.end() + k, turn + loop_.period + k);
    result_.map.n_steps = turn + loop_.period + behind;
    for (int k = 0; k < plan_.n_stores; ++k)
      result_.map.stores[k] = {outside(plan_.stores[k].value), plan_.stores[k].data};
    return true;
  }

 private:
  /// The value that step `offset` of a turn made `back` turns ago: as the next turn finds it, 1.
  struct carried {
    int offset, back;
    bool operator==(const carried&) const = default;
  };

  int step_of(int v) const { return v - plan_.n_inputs; }
  /// Whether argument i of step k of a turn is another turn's value, or one of a step before the loop that
  /// the first turn finds in its place.
  bool is_carried(int k, std::size_t i) const {
    const int v = plan_.steps[loop_.first + k].args[i];
    return v >= plan_.n_inputs && step_of(v) < loop_.first &&
           plan_.steps[loop_.first + loop_.period + k].args[i] != v;
  }
  /// What a value of an earlier turn is carried as, if step s is one of the loop's or of the turns before.
  carried carried_as(int s) const {
    const int back = (loop_.first - s + loop_.period - 1) / loop_.period;
    return {s - loop_.first + back * loop_.period, back};
  }
  /// Of what steps behind the loop read: made in a turn before the last one, and so carried on once more.
  bool is_of_earlier_turn(int v) const {
    const int s = step_of(v);
    return s >= loop_.first && s < loop_.end() - loop_.period;
  }
  carried behind_loop(int v) const {
    const int s = step_of(v) - loop_.first;
    return {s % loop_.period, loop_.turns - s / loop_.period};
  }

  bool find_carried() {
    bool all = true;
    for (int k = 0; k < loop_.period; ++k) {
      const step& s = plan_.steps[loop_.first + k];
      for (std::size_t i = 0; i < arity_of(s); ++i)
        if (is_carried(k, i)) all = all && carry(carried_as(step_of(s.args[i])), true);
    }
    const auto carry_behind = [&](int v) {
      if (is_of_earlier_turn(v)) all = all && carry(behind_loop(v), false);
    };
    for (int s = loop_.end(); s < plan_.n_steps; ++s)
      for (std::size_t i = 0; i < arity_of(plan_.steps[s]); ++i) carry_behind(plan_.steps[s].args[i]);
    for (int k = 0; k < plan_.n_stores; ++k) carry_behind(plan_.stores[k].value);
    return all;
  }

  /// False if there is no room, or nothing that the first turn could find. `is_read`: by the first turns, not
  /// behind the loop alone, where those that are left out have been handed on.
  bool carry(carried c, bool is_read) {
    if (std::find(carried_, carried_ + n_carried_, c) != carried_ + n_carried_) return true;
    const auto fits = [&](int s) {
      return output_dtype(plan_.steps[s]) == output_dtype(plan_.steps[loop_.first + c.offset]);
    };
    int first = loop_.first + c.offset - c.back * loop_.period;
    if (first < 0 || !fits(first)) {
      if (is_read) return false;
      for (first = loop_.first - 1; first >= 0 && !fits(first);) --first;  // any value will do
      if (first < 0) return false;
    }
    if (c.back > 1 && !carry({c.offset, c.back - 1}, is_read)) return false;
    if (n_carried_ == most_carried) return false;
    found_first_[n_carried_] = first;
    carried_[n_carried_++] = c;
    return true;
  }

  void write_operands() {
    map_plan& map = result_.map;
    map.ndim = plan_.ndim;
    map.size = plan_.size;
    std::copy_n(plan_.shape, plan_.ndim, map.shape);
    map.n_inputs = plan_.n_inputs + 1;
    std::copy_n(plan_.inputs, plan_.n_inputs, map.inputs);
    result_.count = plan_.n_inputs;
    input& count = map.inputs[result_.count];
    count.kind = input_kind::constant;
    count.type = dtype::int64;
    count.data = nullptr;
    const std::int64_t turns = loop_.turns;
    std::memcpy(count.value.bytes, &turns, sizeof turns);
    std::fill_n(count.strides, plan_.ndim, 0);
    map.out = plan_.out;
    map.n_stores = plan_.n_stores;
    map.loads_within_rows = plan_.loads_within_rows;
  }

  void copy_outside(int from, int to) {
    step& copied = result_.map.steps[to] = plan_.steps[from];
    for (std::size_t i = 0; i < arity_of(copied); ++i)
      copied.args[i] = static_cast<std::uint16_t>(outside(copied.args[i]));
  }
  void copy_turn(int k, int to) {
    const step& s = plan_.steps[loop_.first + k];
    step& copied = result_.map.steps[to] = s;
    for (std::size_t i = 0; i < arity_of(s); ++i) {
      const int v = s.args[i];
      copied.args[i] =
          static_cast<std::uint16_t>(is_carried(k, i) ? number(carried_as(step_of(v))) : in_turn(v));
    }
  }
  void write_carried(int c) {
    const auto [offset, back] = carried_[c];
    const int before = found_first_[c];
    const int next = back == 1 ? value(loop_.first + n_carried_ + offset) : number({offset, back - 1});
    const dtype type = output_dtype(plan_.steps[before]);
    result_.map.steps[loop_.first + c] = step(
        ufunc::cast, type, {static_cast<std::uint16_t>(value(before)), static_cast<std::uint16_t>(next)});
  }

  /// The number of the value that a step of the result makes.
  int value(int s) const { return plan_.n_inputs + 1 + s; }
  int number(carried c) const {
    return value(loop_.first + static_cast<int>(std::find(carried_, carried_ + n_carried_, c) - carried_));
  }
  /// Of a value that a turn reads, which is not carried.
  int in_turn(int v) const {
    if (v < plan_.n_inputs) return v;
    const int s = step_of(v);
    return s < loop_.first ? value(s) : value(n_carried_ + s);
  }
  /// Of one that a step before or behind the loop reads.
  int outside(int v) const {
    if (v < plan_.n_inputs) return v;
    const int s = step_of(v);
    if (s < loop_.first) return value(s);
    const int turn = loop_.first + n_carried_;
    if (s >= loop_.end()) return value(turn + loop_.period + s - loop_.end());
    if (is_of_earlier_turn(v)) return number(behind_loop(v));
    return value(turn + (s - loop_.first) % loop_.period);
  }
  static constexpr int most_carried = 32;
  const map_plan& plan_;
  const repetition& loop_;
  looped_plan& result_;
  int n_carried_ = 0;
  carried carried_[most_carried];
  int found_first_[most_carried];  // the step whose value the first turn finds
};

}  // namespace

bool write_once(const map_plan& plan, const repetition& repeated, looped_plan& result) {
  return loop_writer(plan, repeated, result).write();
}

}  // namespace core
GPARRAY_END_NAMESPACE
