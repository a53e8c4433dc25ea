// Plans of loops: random ones, and what a loop that is written once stands for.
#pragma once
#include <algorithm>
#include <cstring>

#include <plan/repetition.hpp>

namespace looping {

using namespace gparray;
using core::looped_plan;
using core::map_plan;

/// Adds random steps on float64 values to a plan of `turns` turns, of float64 inputs alone. Each turn reads
/// inputs, steps before the loop, its own steps and, where `back` is 2, those of two turns before it.
template<class Below>
void add_loop(map_plan& plan, Below below, int turns, int back) {
  const auto add = [&plan](ufunc op, dtype loop, int a, int b, int c = 0) {
    plan.steps[plan.n_steps++] = core::step(
        op, loop,
        {static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b), static_cast<std::uint16_t>(c)});
    return plan.n_inputs + plan.n_steps - 1;
  };
  const auto add_one = [&](int kind, int a, int b) {
    constexpr ufunc simple[] = {ufunc::add, ufunc::subtract, ufunc::minimum, ufunc::maximum};
    if (kind < 4) return add(simple[kind], dtype::float64, a, b);
    if (kind == 4) return add(ufunc::where, dtype::float64, add(ufunc::less, dtype::float64, a, b), b, a);
    const int narrow = add(ufunc::cast, dtype::float32, a, 0);
    return add(ufunc::multiply, dtype::float64, add(ufunc::cast, dtype::float64, narrow, 0), b);
  };
  int before[4];
  for (int& v : before) v = add_one(below(4), below(plan.n_inputs), below(plan.n_inputs));
  // An operand of a turn: an input, a step before the loop, or result k of the turn so many back.
  struct operand {
    int kind, number, turns_back;
  };
  struct function {
    int kind;
    operand a, b;
  };
  constexpr int most = 6;
  function body[most];
  const int length = 2 + below(most - 1);
  const auto any = [&](int k) -> operand {
    const int kind = below(6);
    if (kind == 0) return {0, below(plan.n_inputs), 0};
    if (kind == 1) return {1, below(4), 0};
    const int turns_back = k == 0 ? 1 : below(back + 1);
    return {2, turns_back == 0 ? below(k) : below(length), turns_back};
  };
  for (int k = 0; k < length; ++k)
    // Each step is read: the first by the second, and the last by the next turn.
    body[k] = {below(6), k == 0 ? operand{2, length - 1, 1} : operand{2, k - 1, 0}, any(k)};
  int results[3][most];  // of this turn and of those before it
  for (auto& of_turn : results) std::fill_n(of_turn, most, before[0]);
  for (int turn = 0; turn < turns; ++turn) {
    std::copy_n(results[1], most, results[2]);
    std::copy_n(results[0], most, results[1]);
    for (int k = 0; k < length; ++k) {
      const auto value = [&](const operand& o) {
        if (o.kind == 0) return o.number;
        return o.kind == 1 ? before[o.number] : results[o.turns_back][o.number];
      };
      results[0][k] = add_one(body[k].kind, value(body[k].a), value(body[k].b));
    }
  }
  for (int k = below(4); k > 0; --k)
    add_one(below(6), plan.n_inputs + plan.n_steps - 1, results[below(2)][below(length)]);
}

/// All turns of a loop one behind the other.
inline map_plan written_out(const looped_plan& loop) {
  map_plan result;
  result.ndim = loop.map.ndim;
  result.size = loop.map.size;
  std::copy_n(loop.map.shape, loop.map.ndim, result.shape);
  result.n_inputs = loop.map.n_inputs - 1;
  std::copy_n(loop.map.inputs, result.n_inputs, result.inputs);
  result.out = loop.map.out;
  result.n_steps = 0;
  int now[core::max_inputs + core::max_kernel_steps];  // what each value of the loop is
  for (int v = 0; v < result.n_inputs; ++v) now[v] = v;
  const auto write = [&](int s) {
    core::step& copied = result.steps[result.n_steps] = loop.map.steps[s];
    for (int i = 0; i < arity(copied); ++i) {
      auto& argument = copied.args[static_cast<std::size_t>(i)];
      argument = static_cast<std::uint16_t>(now[argument]);
    }
    now[loop.map.n_inputs + s] = result.n_inputs + result.n_steps++;
  };
  std::int64_t turns;
  std::memcpy(&turns, loop.map.inputs[loop.count].value.bytes, sizeof turns);
  const int turn = loop.first + loop.carried, end = turn + loop.period;
  for (int s = 0; s < loop.first; ++s) write(s);
  const auto hand_on = [&](std::size_t from) {
    int next[core::max_kernel_steps];
    for (int s = loop.first; s < turn; ++s) next[s] = now[loop.map.steps[s].args[from]];
    for (int s = loop.first; s < turn; ++s) now[loop.map.n_inputs + s] = next[s];
  };
  hand_on(0);
  for (std::int64_t t = 0; t < turns; ++t) {
    for (int s = turn; s < end; ++s) write(s);
    hand_on(1);
  }
  for (int s = end; s < loop.map.n_steps; ++s) write(s);
  result.n_stores = loop.map.n_stores;
  for (int k = 0; k < result.n_stores; ++k)
    result.stores[k] = {now[loop.map.stores[k].value], loop.map.stores[k].data};
  return result;
}

}  // namespace looping
