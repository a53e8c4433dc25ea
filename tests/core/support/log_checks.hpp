// Checks of what is known of a log, against its steps.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include <core/array/marked_steps.hpp>

/// How many steps this thread has logged.
inline int logged_steps() {
  const gparray::core::step_log* const log = gparray::core::own_pending_list()->log;
  return log ? log->count.load() : 0;
}

/// Whether the turns that a log says it has are there.
inline bool has_known_turns(const gparray::core::step_log& log) {
  using gparray::core::step_log;
  const auto [first, period, end] = log.turns(log.count.load());
  for (int k = first + period; k < end; ++k) {
    const gparray::core::step &now = log.steps[k], &before = log.steps[k - period];
    if (now.op != before.op || now.loop != before.loop) return false;
    for (std::size_t i = 0; i < now.args.size(); ++i) {
      const int v = now.args[i], then = before.args[i];
      if (v != then + period && (v != then || v >= step_log::step_base + first)) return false;
    }
  }
  return true;
}

/// Whether what the steps of a log are for is what their arguments say.
inline bool are_marked(const gparray::core::step_log& log) {
  using namespace gparray::core;
  const int count = log.count.load();
  std::vector<int> living;
  for (int k = count; k-- > 0 && living.size() < marked_steps::most_living;)
    if (log.notes[k].rep) living.push_back(k);
  if (living.empty()) return true;
  const int n = static_cast<int>(living.size());
  const auto marks = std::make_unique<marked_steps>();
  marks->mark(log, count, living.data(), n);
  std::vector<unsigned> of(static_cast<std::size_t>(step_log::step_base + count));
  for (int i = 0; i < n; ++i)
    of[static_cast<std::size_t>(step_log::step_base + living[static_cast<std::size_t>(i)])] = 1u << i;
  std::vector<int> common(static_cast<std::size_t>(n * n));
  for (int k = count; k-- > 0;) {
    const unsigned is_for = of[static_cast<std::size_t>(step_log::step_base + k)];
    for (int i = 0; i < n * n; ++i)
      common[static_cast<std::size_t>(i)] += (is_for >> i / n & 1) != 0 && (is_for >> i % n & 1) != 0;
    if (log.notes[k].is_of_row()) continue;
    for (std::size_t i = 0; i < step_log::arity_of(log.steps[k]); ++i) of[log.steps[k].args[i]] |= is_for;
  }
  bool all = true;
  for (int v = 0; v < step_log::step_base + count; ++v)
    if (v < log.n_operands || step_log::is_step(v))
      all = all && marks->of_value(v) == of[static_cast<std::size_t>(v)];
  for (int i = 0; i < n * n; ++i)
    all = all && marks->common(i / n, i % n) == common[static_cast<std::size_t>(i)];
  return all;
}
