// What a log knows of the turns of its loop, so that nobody has to look for them.
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include <core/array/step_log.hpp>
#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"
#include "core/support/log_checks.hpp"

namespace gp = gparray;

using array = gp::ndarray<float>;

TEST_CASE("logs: what the steps of a long loop are for, where the program keeps a name of one of its turns") {
  const fake::installed fake;
  const array factor = gp::full<float>({4, 3}, 1.25f);
  const auto run = [&](int kept_turn, bool at_once) {
    array x = gp::ones<float>({4, 3}), y = x, kept = x;
    for (int turn = 0; turn < 60; ++turn) {
      const array before = x;
      x = x * factor - 0.125f * y;
      y = before + 0.5f;
      if (turn == kept_turn) kept = y;
      if (at_once) gp::eval(x, y);
    }
    if (!at_once) {
      const gp::core::step_log& log = *gp::core::own_pending_list()->log;
      CHECK(log.turns(logged_steps()).period > 0);
      CHECK(has_known_turns(log));
      CHECK(are_marked(log));
    }
    return std::vector{kept.to_vector(), y.to_vector(), x.to_vector()};
  };
  for (const int kept_turn : {0, 12, 30, 55, 59}) CHECK(run(kept_turn, false) == run(kept_turn, true));
}

TEST_CASE("logs: turns are known of one length") {
  const auto log = std::make_unique<gp::core::step_log>();
  log->count = 20;
  log->period = 4;
  log->alike_from = 6;
  log->expect_period(4);
  CHECK(log->turns(20).first == 2);
  log->expect_period(3);
  CHECK(log->turns(20).period == 0);
}

TEST_CASE("logs: names beside a loop are still counted when all of the loop has been computed") {
  const fake::installed fake;
  const array factor = gp::full<float>({4, 3}, 1.25f), small = gp::ones<float>({2});
  const gp::core::pending_list& own = *gp::core::own_pending_list();
  array x = gp::ones<float>({4, 3}), beside;
  for (int turn = 0; turn < 60; ++turn) {
    x = x * factor - 0.125f;
    if (turn == 40) beside = small * 2.f;
  }
  CHECK(logged_steps() > 60);
  x.eval();
  CHECK(logged_steps() == 0);
  REQUIRE(beside.pending());
  CHECK(own.n_names == 1);
  CHECK(beside.to_vector() == std::vector<float>{2.f, 2.f});
  CHECK(own.n_names == 0);
}
