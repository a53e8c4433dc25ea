#include <algorithm>

#include <core/array/marked_steps.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

void marked_steps::mark(const step_log& log, int count, const int* living, int n) {
  log_ = &log;
  n_ = n;
  std::fill_n(of_, step_log::step_base + count, set{0});
  std::fill_n(steps_of_, 1 << n, 0);
  for (int i = 0; i < n; ++i) of_step(living[i]) = bit(i);
  int k = count;
  if (const known_turns turns = log.turns(count); turns.period > 0) mark_turns(turns, living[n - 1], k);
  while (k > 0) mark_step(--k);
  for (int i = 0; i < n; ++i) std::fill_n(common_[i], n, 0);
  for (unsigned s = 1; s < bit(n); ++s)
    for (unsigned i = s; steps_of_[s] > 0 && i != 0; i &= i - 1)
      for (unsigned j = s; j != 0; j &= j - 1)
        common_[std::countr_zero(i)][std::countr_zero(j)] += steps_of_[s];
}

void marked_steps::mark_step(int k) {
  const set of = of_step(k);
  ++steps_of_[of];
  if (of == 0 || log_->notes[k].is_of_row()) return;  // series of rows go on for all who read some
  const step& s = log_->steps[k];
  for (std::size_t i = 0, n = step_log::arity_of(s); i < n; ++i) of_[s.args[i]] |= of;
}

/// Marks turns that are alike, from the last one on, down to step k. What a turn is for follows from the
/// turns behind it that read what it makes: where so many are for the same, those before them are, too, as
/// long as none of their steps is a living one.
void marked_steps::mark_turns(const known_turns& turns, int oldest_living, int& k) {
  const int period = turns.period, reach = turns_read(turns);
  const auto is_as_the_next = [&] {
    return k + 2 * period <= turns.end && std::equal(&of_step(k), &of_step(k) + period, &of_step(k) + period);
  };
  int alike = 0;
  while (alike < reach || k + period > oldest_living) {
    if (k - period < turns.first) return;
    for (int i = 0; i < period; ++i) mark_step(--k);
    alike = is_as_the_next() ? alike + 1 : 0;
  }
  // The first turns read what is before them: they are marked one by one.
  const int spared = (k - turns.first) / period - reach;
  if (spared <= 0) return;
  for (int s = k; s-- > k - (spared + reach) * period;) of_step(s) = of_step(s + period);
  for (int s = k; s < k + period; ++s) steps_of_[of_step(s)] += spared;
  k -= spared * period;
}

/// How many turns back the last one reads what a turn makes, at the most.
int marked_steps::turns_read(const known_turns& turns) const {
  int most = 1;
  for (int k = turns.end - turns.period; k < turns.end; ++k) {
    const step &now = log_->steps[k], &before = log_->steps[k - turns.period];
    for (std::size_t i = 0, n = step_log::arity_of(now); i < n; ++i)
      if (now.args[i] != before.args[i])
        most = std::max(most, (k - step_log::step_of(now.args[i]) + turns.period - 1) / turns.period);
  }
  return most;
}

}  // namespace core
GPARRAY_END_NAMESPACE
