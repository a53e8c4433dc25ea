// Halos for several writes: which rounds of a loop fetch them, as where one of these is recorded and repeated
// all must do the same on the same memory.
#include <distributed/arrays/shard.hpp>

#include "distributed/ranks.hpp"

using namespace ranks;
using gd::detail::recorded_rounds;

namespace {

template<class A, class B>
void relax(const A& to, const B& from, const B& f) {
  to("1:-1, 1:-1") = 0.25 * (from(":-2, 1:-1") + from("2:, 1:-1") + from("1:-1, :-2") + f("1:-1, 1:-1"));
}

}  // namespace

TEST_CASE("from the third round of a loop on each one fetches the same, into the same memory") {
  with_ranks({1, 2, 3}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> start = some_numbers({200, 20}), source = some_numbers({200, 20});
    for (const int steps : {1, 2, 3, 8, 20}) {
      gp::ndarray<double> a = start.copy(), b = start.copy();
      const auto rows = gd::layout::rows(world);
      const gd::sharded<double> p = gd::shard(start, rows), q = p.copy(), f = gd::shard(source, rows);
      const auto fetched = [&] {
        return gd::detail::exchanges(p.state()) + gd::detail::exchanges(q.state()) +
               gd::detail::exchanges(f.state());
      };
      int in_third = 0;
      const double *p_at = nullptr, *q_at = nullptr;
      {
        recorded_rounds loop;
        for (int round = 0; round < 6; ++round) {
          const int before = fetched();
          for (int i = 0; i < steps; ++i) {
            relax(q, p, f);
            relax(b, a, source);
            // Once a round, another time than the first.
            if (i == 1) f(90, 3) = 2.;
            if (i == 1) source(90, 3) = 2.;
            relax(p, q, f);
            relax(a, b, source);
          }
          const int here = fetched() - before;
          if (round == 2) in_third = here;
          if (round > 2) note.check(here == in_third, std::to_string(steps) + " steps: fetches");
          if (round > 1)
            note.check(p.local().data() == p_at && q.local().data() == q_at,
                       std::to_string(steps) + " steps: memory");
          p_at = p.local().data();
          q_at = q.local().data();
          loop.next_round(round > 0);
        }
      }
      note.check(in_third <= (steps + 3) / 2 + 3,
                 std::to_string(steps) + " steps: " + std::to_string(in_third));
      note.check(same_bits(p.gather(), a) && same_bits(q.gather(), b),
                 std::to_string(steps) + " steps: values");
      source(90, 3) = some_numbers({200, 20}).item(90, 3);
    }
  });
}
