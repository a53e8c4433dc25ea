// Loops whose steps are logged while they go on, and what ends that: whatever a program does between two
// turns, it leaves the bits of single steps.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <new>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <core/array/step_log.hpp>
#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"
#include "core/support/log_checks.hpp"
#include "support/random_names.hpp"
#include "support/random_rows.hpp"
#include "support/same_bits.hpp"

namespace gp = gparray;

namespace {

using array = gp::ndarray<float>;

/// How many rows the longest of this thread's series has.
int logged_rows() {
  const gp::core::step_log* const log = gp::core::own_pending_list()->log;
  int most = 0;
  for (int i = 0; log && log->is_in_use() && i < log->n_series; ++i)
    most = std::max(most, log->series[i].n_rows);
  return most;
}

std::vector<float> values(const array& a) { return a.to_vector(); }

/// Random lines in a loop on four names, with something else between two of its turns.
class looping_program {
 public:
  looping_program(std::uint64_t seed, bool at_once) : random_(seed), at_once_(at_once) {
    const std::int64_t rows = 2 + random_.below(5), columns = 2 + random_.below(6);
    for (int i = 0; i < 4; ++i)
      names_.push_back(gp::linspace<float>(0.1f + static_cast<float>(i), 2.f, rows * columns)
                           .reshape({rows, columns})
                           .copy());
    row_ = gp::linspace<float>(-1.f, 1.f, columns);
    table_ = gp::linspace<float>(-1.f, 1.f, 205 * 2 * rows * columns).reshape({205, 2, rows, columns}).copy();
    body_ = static_cast<std::uint64_t>(random_.below(1 << 30));
    lines_ = 1 + random_.below(4);
  }

  std::vector<std::vector<float>> run() {
    const int turns = 3 + random_.below(random_.below(4) ? 30 : 200);
    const int odd = random_.below(2) ? random_.below(turns) : -1;
    for (int turn = 0; turn < turns; ++turn) {
      random_names::numbers same(body_);  // each turn draws the same
      for (int line = 0; line < lines_; ++line) take_line(same, turn);
      if (turn == odd || (odd >= 0 && random_.below(40) == 0)) interrupt();
      most_logged = std::max(most_logged, logged_steps());
      most_rows = std::max(most_rows, logged_rows());
      if (random_.below(8) == 0) look_at_log();
    }
    std::vector<std::vector<float>> result;
    if (random_.below(2)) gp::eval(names_[0], names_[1], names_[2]);
    for (const array& a : names_) result.push_back(values(a));
    for (const array& a : kept_) result.push_back(values(a));
    result.push_back(seen_);
    return result;
  }

  int most_logged = 0, most_rows = 0, most_turns_known = 0;

 private:
  void look_at_log() {
    if (logged_steps() == 0) return;
    const gp::core::step_log& log = *gp::core::own_pending_list()->log;
    CHECK(has_known_turns(log));
    CHECK(are_marked(log));
    const auto [first, period, end] = log.turns(logged_steps());
    if (period > 0) most_turns_known = std::max(most_turns_known, (end - first) / period);
  }

  array& name(random_names::numbers& from) { return names_[static_cast<std::size_t>(from.below(4))]; }

  array once(const array& a) {
    if (at_once_) a.eval();
    return a;
  }

  void take_line(random_names::numbers& r, int turn) {
    array &a = name(r), &b = name(r), &to = name(r);
    switch (r.below(16)) {
      case 0:
        to = once(a * 0.5f + b * b * 0.125f);
        break;
      case 1:
        to = once(gp::where(a > b, a - row_, b * 0.75f));
        break;
      case 2:
        to += once(once(a - b) * 0.25f);
        break;
      case 3:
        to = once((a > 0.5f).astype<float>() * 0.5f + a * 0.25f);
        break;
      case 4: {
        const array t = once(gp::abs(a) + 1.f);
        to = once(b / t - t * 0.125f);
        break;
      }
      case 5:
        to = once(gp::minimum(gp::maximum(a + b, -2.f), 2.f));
        break;
      case 6:
        to = once(0.5 * a - 0.25 * gp::sqrt(gp::abs(b)));
        break;
      case 7: {
        const gp::ndarray<std::int32_t> whole = (a * 4.f).astype<std::int32_t>();
        if (at_once_) whole.eval();
        to = once((whole + (b > a)).astype<float>() * 0.125f);
        break;
      }
      case 8:
        to = once(0.75f * a + table_(2 + turn, 0));
        break;
      case 9: {  // backwards, and the rows of two turns
        const array now = table_(203 - turn, 1), before = table_(204 - turn, 1);
        to = once(a * now + (b - before) * 0.125f);
        break;
      }
      case 10:  // each broadcast, or lying otherwise than the steps do
        to = once(gp::maximum(a * table_(2 + turn, 0, 1), table_(2 + turn, 0)("::-1, ::-1")));
        break;
      case 11:
      case 12:
        to = once(a * 0.5f - 0.125f * table_(3 + turn, 0));
        break;
      case 13:
        to = once(a * 0.5f + table_(2 + turn % 7 * (turn % 2), 0, 0, 1));
        break;
      default:
        to -= once(a * row_ * 0.0625f);
        break;
    }
  }

  void interrupt() {
    array &a = name(random_), &b = name(random_);
    switch (random_.below(16)) {
      case 0:
        seen_.push_back(a(0, 1).item());
        break;
      case 1:
        seen_.push_back(gp::sum(a).item());
        break;
      case 2:
        row_ += 0.125f;
        break;
      case 3:
        a("1:, :") *= 0.5f;
        break;
      case 4:
        kept_.push_back(once(a * 0.5f));
        break;
      case 5:
        a = once(a - gp::mean(b, {1}, {.keepdims = true}));
        break;
      case 6:
        a = once(gp::roll(b, 1, 1) * 0.5f);
        break;
      case 7:
        a = b;
        break;
      case 8:
        kept_.push_back(once(once(a(0) * 2.f) + b));
        break;
      case 9:
        b = once(gp::zeros_like(a));
        break;
      case 10:
        static_cast<void>(a.data());
        break;
      case 11: {
        std::thread([&] { seen_.push_back(a(1, 0).item() + gp::max(b).item()); }).join();
        break;
      }
      case 12: {
        array other = once(a + b);
        std::thread([&] { other = row_ * 0.5f; }).join();
        row_ = once(row_ * 0.75f);
        kept_.push_back(other);
        break;
      }
      case 13:
        table_(random_.below(205)) *= 0.5f;
        break;
      case 14:
        table_ = once(table_ * 0.75f);
        table_.eval();
        break;
      default:
        if (kept_.size() > 2) kept_.erase(kept_.begin());
        gp::eval(a, b);
        break;
    }
  }

  random_names::numbers random_;
  bool at_once_;
  std::uint64_t body_;
  int lines_;
  std::vector<array> names_, kept_;
  array row_, table_;
  std::vector<float> seen_;
};

using counts = gp::ndarray<std::int32_t>;

/// What a loop goes on with.
struct loop_state {
  bool at_once;
  array x = gp::linspace<float>(-2.f, 2.f, 40).copy(), y = gp::ones<float>({40}),
        other = gp::linspace<float>(1.f, 3.f, 40).copy();
  counts count = gp::zeros<std::int32_t>({40});

  template<class A>
  A once(A a) const {
    if (at_once) a.eval();
    return a;
  }
};

}  // namespace

TEST_CASE("logs: random loops leave the bits of single steps, whatever ends them") {
  const fake::installed fake;
  int logged = 0, with_rows = 0, knowing = 0;
  for (std::int64_t seed = 1; seed <= 400 / wanted_sample(); ++seed) {
    looping_program pending(static_cast<std::uint64_t>(seed), false),
        single(static_cast<std::uint64_t>(seed), true);
    const auto result = pending.run(), expected = single.run();
    REQUIRE(result.size() == expected.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      INFO("seed " << seed << ", name " << i);
      REQUIRE(result[i].size() == expected[i].size());
      CHECK(same_bits(result[i], expected[i]));
    }
    logged += pending.most_logged > 16;
    with_rows += pending.most_rows > 4;
    knowing += pending.most_turns_known > 4;
  }
  CHECK(logged > 100 / wanted_sample());
  CHECK(with_rows > 40 / wanted_sample());
  CHECK(knowing > 40 / wanted_sample());
}

TEST_CASE("logs: turns that differ from the one before, in one thing") {
  const fake::installed fake;
  const auto line = [](loop_state& s, float factor) {
    s.x = s.once(s.once(s.x * factor) + s.once(s.y * 0.5f));
  };
  using turn_of_loop = std::function<void(loop_state&, int)>;
  const std::vector<std::pair<const char*, turn_of_loop>> loops = {
      {"another number", [&](loop_state& s, int turn) { line(s, turn == 20 ? 0.5f : 0.25f); }},
      {"another operand",
       [&](loop_state& s, int turn) {
         s.x = s.once(s.once(s.x * 0.5f) + (turn % 16 == 15 ? s.other : s.y));
       }},
      {"another function",
       [&](loop_state& s, int turn) {
         line(s, 0.5f);
         s.x = turn == 23 ? s.once(s.x - s.y) : s.once(s.x + s.y);
       }},
      {"a name for a temporary",
       [&](loop_state& s, int turn) {
         if (turn % 9 == 8) {
           const array half = s.once(s.x * 0.5f);
           s.x = s.once(half + s.once(s.y * 0.25f));
         } else {
           line(s, 0.5f);
         }
       }},
      {"a temporary made by another line",
       [&](loop_state& s, int turn) {
         s.x = turn % 5 == 4 ? s.once(s.once(s.x + 0.5f) + s.y) : s.once(s.once(s.x * 0.5f) + s.y);
       }},
      {"another dtype, which is converted",
       [&](loop_state& s, int turn) {
         if (turn % 8 == 7) s.count = s.once(s.count + s.once(s.x > 0.5f).astype<std::int32_t>());
         else s.count += s.once(s.x > 0.25f);
         line(s, 0.5f);
         s.y = s.once(s.once(s.y * 0.5f) + s.once(s.count * 0.125f).template astype<float>());
       }},
      {"a name of another dtype",
       [&](loop_state& s, int turn) {
         const gp::ndarray<bool> negative = s.once(s.x < 0.f);
         const array half = s.once(s.x * 0.5f);
         if (turn % 10 == 9) s.x = s.once(negative - s.y);
         else s.x = s.once(half - s.y);
       }},
      {"a conversion where there was none",
       [&](loop_state& s, int turn) {
         const counts one = s.once((s.x > 0.f).template astype<std::int32_t>());
         if (turn == 30) s.count = s.once(s.count + s.once(s.x > 0.f));
         else s.count = s.once(s.count + one);
         line(s, 0.5f);
       }},
      {"two lines in turn, which look alike",
       [&](loop_state& s, int turn) {
         if (turn % 2) s.x = s.once(s.once(s.x * s.x) * 0.25f);
         else s.y = s.once(s.once(s.y * s.y) * 0.75f);
         line(s, -0.5f);
       }},
      {"a loop in a loop",
       [&](loop_state& s, int turn) {
         for (int i = 0; i < turn % 4; ++i) line(s, 0.75f);
         s.y = s.once(s.y - s.once(s.x * 0.125f));
       }},
      {"what nobody reads, in the first turns",
       [&](loop_state& s, int turn) {
         if (turn < 12) static_cast<void>(s.once(s.once(s.x * s.other) + 1.f));
         line(s, 0.5f);
       }},
      {"what nobody reads, in each turn",
       [&](loop_state& s, int) {
         static_cast<void>(s.once(s.once(s.x * s.other) + 1.f));
         line(s, 0.5f);
       }},
  };
  for (const auto& [name, turn_of] : loops) {
    INFO(name);
    loop_state pending{false}, single{true};
    int logged = 0;
    for (int turn = 0; turn < 70; ++turn) {
      turn_of(pending, turn);
      logged = std::max(logged, logged_steps());
    }
    CHECK(logged > 64);
    gp::eval(pending.x, pending.y, pending.count);
    for (int turn = 0; turn < 70; ++turn) turn_of(single, turn);
    CHECK(same_bits(values(pending.x), values(single.x)));
    CHECK(same_bits(values(pending.y), values(single.y)));
    CHECK(pending.count.to_vector() == single.count.to_vector());
  }
}

TEST_CASE("logs: other threads look at names of a loop, and write to what it reads, while it goes on") {
  constexpr std::int64_t n = 20'000;  // small arrays are computed turn by turn on a CPU
  constexpr int turns = 120;
  gp::ndarray<double> x = gp::linspace(-1., 1., n).copy(), slow = x.copy();
  std::vector<gp::ndarray<double>> factors;
  std::vector<double> sums(turns), expected(turns);
  for (int turn = 0; turn < turns; ++turn) factors.push_back(gp::full({n}, 1. + turn % 3));
  for (int turn = 0; turn < turns; ++turn) {
    slow = (slow * factors[static_cast<std::size_t>(turn / 40)] * 0.5 + slow * slow * 0.125).eval();
    expected[static_cast<std::size_t>(turn)] = gp::sum(slow).item();
  }
  std::vector<gp::ndarray<double>> seen(turns);
  std::atomic<int> made{0};
  std::thread reader([&] {
    for (int turn = 7; turn < turns; turn += 9) {
      while (made.load(std::memory_order_acquire) <= turn) std::this_thread::yield();
      sums[static_cast<std::size_t>(turn)] = gp::sum(seen[static_cast<std::size_t>(turn)]).item();
    }
  });
  std::thread writer([&] {
    for (int part = 0; part < 3; ++part) {
      while (made.load(std::memory_order_acquire) < 40 * (part + 1)) std::this_thread::yield();
      factors[static_cast<std::size_t>(part)](gp::ellipsis) = 7.;
    }
  });
  for (int turn = 0; turn < turns; ++turn) {
    const gp::ndarray<double> square = x * x;
    x = x * factors[static_cast<std::size_t>(turn / 40)] * 0.5 + square * 0.125;
    if (turn % 9 == 7) seen[static_cast<std::size_t>(turn)] = x;
    made.store(turn + 1, std::memory_order_release);
  }
  reader.join();
  writer.join();
  for (int turn = 7; turn < turns; turn += 9)
    CHECK(sums[static_cast<std::size_t>(turn)] == expected[static_cast<std::size_t>(turn)]);
  CHECK(gp::array_equal(x, slow));
}

TEST_CASE(
    "logs: what a loop has read goes with its results, and an error in a line leaves the loop as it was") {
  const fake::installed fake;
  array x = gp::ones<float>({4, 3});
  const array other = gp::ones<float>({2, 2});
  const auto turns = [&](const array& factor, bool fails) {
    array y = x;
    for (int turn = 0; turn < 40; ++turn) {
      y = y * factor - 0.125f * y * y;
      if (fails && turn == 30) CHECK_THROWS_AS(static_cast<void>(y + other), gp::value_error);
    }
    return y;
  };
  const array factor = gp::full<float>({4, 3}, 1.25f);
  CHECK(turns(factor, true).to_vector() == turns(factor, false).to_vector());
  {
    const array unseen = turns(factor, false);
    CHECK(logged_steps() > 60);
    CHECK(factor.rep()->references.load() == 2);
  }
  CHECK(logged_steps() == 0);
  CHECK(factor.rep()->references.load() == 1);
}

TEST_CASE("logs: a name that another thread is dropping, and waits to, is no step of one") {
  const fake::installed fake;
  array x = gp::ones<float>({4, 3});
  const array factor = gp::full<float>({4, 3}, 1.25f);
  std::vector<array> unseen;
  for (int turn = 0; logged_steps() == 0 && turn < 20; ++turn) {
    array name = x * factor;
    if (logged_steps() == 0) {
      name.rep()->references.store(0);
      unseen.push_back(std::move(name));
    }
    x = x * 0.5f + factor;
  }
  REQUIRE(logged_steps() > 0);
  REQUIRE(!unseen.empty());
  CHECK(gp::core::is_logged(x.rep()));
  for (const array& name : unseen) {
    CHECK_FALSE(gp::core::is_logged(name.rep()));
    CHECK(name.rep()->references.load() == 0);
    name.rep()->references.store(1);
  }
  unseen.clear();
  CHECK(x.item(0, 0) > 1.f);
}

TEST_CASE("logs: a name that is found while it is being dropped stays what it is") {
  const fake::installed fake;
  const array factor = gp::full<float>({4, 3}, 1.25f);
  const auto drop_found = [](const array& name) {
    alignas(array) std::byte dropped[sizeof(array)];
    new (dropped) array(name);  // its reference is the one that is dropped: nobody had the other one before
    gp::core::array_rep* const rep = name.rep();
    const int references = rep->references.load();
    gp::detail::destroy_array(rep);
    CHECK(rep->references.load() == references - 1);
  };
  for (const int turns : {1, 30}) {
    array x = gp::ones<float>({4, 3});
    for (int turn = 0; turn < turns; ++turn) x = x * factor - 0.25f;
    CHECK(gp::core::is_logged(x.rep()) == (turns > 1));
    drop_found(x);
    CHECK(gp::core::is_logged(x.rep()) == (turns > 1));
    CHECK(x.rep()->list.load() == (turns > 1 ? nullptr : gp::core::own_pending_list()));
    CHECK(x.pending());
    CHECK(gp::all(x == 1.f));
    drop_found(x);
    CHECK(gp::all(x == 1.f));
  }
}

TEST_CASE("logs: random loops over rows leave the bits of single steps") {
  const fake::installed fake;
  random_names::for_each_seed(20, random_rows::check_recurrence<float>);
  random_rows::check_recurrence<float>(267);  // reads more arrays than a kernel, but as rows
  random_rows::check_recurrence<double>(1063);
}
