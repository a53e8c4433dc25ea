// What the steps of a log are for.
#pragma once
#include <bit>
#include <cstdint>

#include <core/array/step_log.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Which of some living steps, those that anything has the reps of, each value of a log is part of.
class marked_steps {
 public:
  /// Bit i: living step i.
  using set = std::uint16_t;
  static constexpr int most_living = 12;
  static set bit(int i) { return static_cast<set>(1u << i); }

  /// Marks what the first `count` steps, with the operands, are for: of `n` living ones, newest first.
  void mark(const step_log& log, int count, const int* living, int n);

  set& of_value(int v) { return of_[v]; }
  set of_value(int v) const { return of_[v]; }
  set& of_step(int k) { return of_[step_log::step_base + k]; }
  set of_step(int k) const { return of_[step_log::step_base + k]; }

  /// How many steps both living ones are made of.
  int common(int i, int j) const { return common_[i][j]; }
  /// How many steps are for a living one of these.
  int count(unsigned living) const {
    int steps = 0;
    for (unsigned s = 1; s < bit(n_); ++s)
      if ((s & living) != 0) steps += steps_of_[s];
    return steps;
  }

 private:
  void mark_step(int k);
  void mark_turns(const known_turns& turns, int oldest_living, int& k);
  int turns_read(const known_turns& turns) const;

  const step_log* log_;
  int n_;
  set of_[step_log::step_base + max_steps];
  int steps_of_[1 << most_living];  // how many steps are for just these
  int common_[most_living][most_living];
};

}  // namespace core
GPARRAY_END_NAMESPACE
