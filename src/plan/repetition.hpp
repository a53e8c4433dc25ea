// The steps of a loop, which a plan has one turn behind the other.
#pragma once
#include <optional>

#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Steps [first, first + turns * period) of a plan are `turns` times the same: each turn reads the same
/// inputs, the same values of earlier steps, and, where one reads its own or an earlier turn's values, so do
/// all.
struct repetition {
  int first = 0, period = 0, turns = 0;

  int end() const { return first + turns * period; }
  /// Steps that need not be written out.
  int spared() const { return (turns - 1) * period; }
};

/// The one of steps [begin, end) that spares most of them; none if that is fewer than a half of them.
std::optional<repetition> find_repetition(const map_plan& plan, int begin, int end);
/// The same of steps whose values below n_inputs are those of inputs.
std::optional<repetition> find_repetition(const step* steps, int n_inputs, int begin, int end);

/// A plan whose repetition is written once. Of `map`, which is no plan of its own, steps [first, first +
/// carried) stand for values that one turn hands to the next: casts to their own dtype, of the value that the
/// first turn finds, args[0], and of the one that each turn leaves, args[1]. The next `period` steps are a
/// turn. Input `count`, an int64, says how many turns there are; behind them, values of a turn are those of
/// the last one.
struct looped_plan {
  map_plan map;
  int first, carried, period, count;

  looped_plan() {}  // NOLINT: see map_plan
};

/// Fills in a new looped_plan; false if it has more operands or steps than a kernel, or if the steps behind
/// the loop read what turns before the last one made and handed to none.
bool write_once(const map_plan& plan, const repetition& repeated, looped_plan& result);

}  // namespace core
GPARRAY_END_NAMESPACE
