// Loops in plans: they are found, and what is written once stands for all turns.
#include <cstring>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>
#include <plan/backend.hpp>

#include "core/support/looping_plans.hpp"
#include "support/same_bits.hpp"

using namespace gparray;
using namespace looping;

namespace {

constexpr int size = 37;

/// A plan of one dimension with its memory.
struct program {
  program(unsigned seed, int turns, int back) : random(seed) {
    plan.ndim = 1;
    plan.size = plan.shape[0] = size;
    plan.n_inputs = 1 + below(3);
    plan.n_steps = 0;
    for (int i = 0; i < plan.n_inputs; ++i) {
      for (double& x : operands[i]) x = below(2000) * 0.001 - 1;
      core::input& in = plan.inputs[i];
      in.kind = core::input_kind::array;
      in.type = dtype::float64;
      in.data = operands[i];
      in.strides[0] = sizeof(double);
    }
    add_loop(plan, [this](int n) { return below(n); }, turns, back);
    plan.out.type = plan.value_type(plan.last_value());
    plan.out.data = result;
    plan.out.strides[0] = static_cast<std::int64_t>(itemsize(plan.out.type));
    for (int k = below(3); k > 0; --k) {  // of any turn, and of what stands before them
      const int v = plan.n_inputs + plan.n_steps - 1 - below(std::min(plan.n_steps, 30));
      if (plan.value_type(v) == dtype::float64) plan.stores[plan.n_stores++] = {v, stored[plan.n_stores]};
    }
  }

  int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
  std::vector<double> results_of(const map_plan& of) {
    std::memset(result, 0, sizeof result);
    std::memset(stored, 0, sizeof stored);
    core::host_backend().map(of, {});
    std::vector<double> all(result, result + size);
    for (const auto& s : stored) all.insert(all.end(), s, s + size);
    return all;
  }

  std::mt19937 random;
  map_plan plan;
  double operands[3][size], result[size], stored[core::max_stores][size];
};

}  // namespace

TEST_CASE("repetition: a loop that is written once has the bits of its turns") {
  int found = 0, written = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    program p(seed, 12 + static_cast<int>(seed % 20), seed % 3 == 0 ? 2 : 1);
    const auto repeated = core::find_repetition(p.plan, 0, p.plan.n_steps);
    if (!repeated) continue;
    ++found;
    CHECK(repeated->end() <= p.plan.n_steps);
    core::looped_plan loop;
    if (!core::write_once(p.plan, *repeated, loop)) continue;
    ++written;
    const map_plan again = written_out(loop);
    CHECK(loop.map.n_steps < p.plan.n_steps);
    CHECK(again.n_steps == p.plan.n_steps);
    CHECK(same_bits(p.results_of(again), p.results_of(p.plan)));
  }
  CHECK(found > 280);
  CHECK(written > 250);
}

TEST_CASE("repetition: turns that are known are not looked for, but for those in front of them") {
  int checked = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    program p(seed, 12 + static_cast<int>(seed % 20), 1);
    const auto found = core::find_repetition(p.plan, 0, p.plan.n_steps);
    if (!found || found->turns < 8) continue;
    const auto [first, period, turns] = *found;
    p.plan.turns = {first + 2 * period, period, found->end()};
    const auto known = core::find_repetition(p.plan, 0, p.plan.n_steps);
    REQUIRE(known);
    CHECK(known->first == first);
    CHECK(known->period == period);
    CHECK(known->turns == turns);
    p.plan.turns.period = 2 * period;  // as true, and no search says so
    const auto of_two = core::find_repetition(p.plan, 0, p.plan.n_steps);
    REQUIRE(of_two);
    CHECK(of_two->period == 2 * period);
    ++checked;
  }
  CHECK(checked > 50);
}

TEST_CASE("repetition: none is found where turns differ") {
  program p(1, 20, 1);
  const auto repeated = core::find_repetition(p.plan, 0, p.plan.n_steps);
  REQUIRE(repeated);
  // Another operation in every fifth step.
  for (int s = 0; s < p.plan.n_steps; s += 5) p.plan.steps[s].op = s % 2 ? ufunc::fmax : ufunc::fmin;
  const auto left = core::find_repetition(p.plan, 0, p.plan.n_steps);
  CHECK((!left || left->spared() < repeated->spared()));
}
