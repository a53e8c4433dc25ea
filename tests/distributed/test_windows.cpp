// Windows of sharded arrays: stencils, shifted assignment, and how often neighbours' elements are fetched.
#include <functional>
#include <random>

#include "distributed/ranks.hpp"

using namespace ranks;

namespace {

int exchanges(const gd::any_sharded& a) { return gd::detail::exchanges(a.state()); }

/// The same text for both kinds of arrays.
template<class A>
void smooth(const A& to, const A& from) {
  to("1:-1, 1:-1") =
      0.25 * (from(":-2, 1:-1") + 2. * from("2:, 1:-1") + from("1:-1, :-2") - from("1:-1, 2:")) +
      gp::sqrt(gp::abs(from(":-2, 2:")));
}

}  // namespace

TEST_CASE("a stencil has the bits of one process, and fetches once for each write") {
  with_ranks({1, 2, 3, 4, 5}, [](const gd::communicator& world, notes& note) {
    std::vector<gd::layout> layouts{gd::layout::rows(world), gd::layout::blocks(world, {-1, 0})};
    if (world.size() == 4) layouts.push_back(gd::layout::blocks(gd::mesh(world, {2, 2}), {0, 1}));
    if (world.size() == 3) layouts.push_back(layouts[0].with_boundaries(0, {0, 1, 2, 11}));
    if (world.size() == 3) layouts.push_back(layouts[0].with_boundaries(0, {0, 0, 11, 11}));
    for (const gd::layout& where : layouts) {
      gp::ndarray<double> a = some_numbers({11, 13});
      gd::sharded<double> x = gd::shard(a, where);
      for (int step = 0; step < 5; ++step) {
        const gp::ndarray<double> b = a.copy();
        const gd::sharded<double> y = x.copy();
        smooth(b, a);
        smooth(y, x);
        note.check(exchanges(x) == 1, "exchanges of " + where.str());
        smooth(y, x);
        note.check(exchanges(x) == 1, "exchanges of what was not written to");
        a = b;
        x = y;
      }
      note.check(same_bits(x.gather(), a), where.str());
    }
  });
}

TEST_CASE("windows as wide as several blocks, of several arrays, in expressions that get a name") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = some_numbers({10, 3}), b = some_numbers({10, 3});
    const auto rows = gd::layout::rows(world);
    const gd::sharded<double> x = gd::shard(a, rows), y = gd::shard(b, rows);
    const gd::sharded<double> differences = x("7:") - y(":3");
    note.check(same_bits(differences.gather(), gp::ndarray<double>(a("7:") - b(":3"))), "seven rows");
    // What a window made is where the window was.
    const gd::sharded<double> inner = x("2:-2") * 2.;
    note.check(same_bits(gp::ndarray<double>((inner + y("2:-2")).gather()),
                         gp::ndarray<double>(a("2:-2") * 2. + b("2:-2"))),
               "aligned");
    note.check(exchanges(y) == (world.size() > 1 ? 1 : 0) || world.size() == 1, "nothing is fetched for it");
    note.check(
        same_bits((inner(":-1") + y("4:-1")).gather(), gp::ndarray<double>(a("2:-3") * 2. + b("4:-1"))),
        "a window of it");
    note.check(same_sum(gp::sum(x("1:-1")), gp::sum(a("1:-1")), 24, 100), "sum of a window");
    note.check(same_bits(gp::ndarray<double>(x("3:8, ::-1").gather()),
                         gp::ndarray<double>(a("3:8, ::-1").copy(gp::order::C))),
               "steps along whole axes");
    note.check(same_bits(x("-4:, 1").gather(), gp::ndarray<double>(a("-4:, 1").copy(gp::order::C))),
               "numbers");
    note.check(same_bits(x(gp::slice(2, gp::none), gp::newaxis, gp::_).gather(),
                         a(gp::slice(2, gp::none), gp::newaxis, gp::_)),
               "newaxis");
    note.check(same_bits(x("{}:{}, ...", 1, gp::none).gather(), a("1:")), "braces");
  });
}

TEST_CASE("assignment to windows: numbers, elements, arrays and what overlaps") {
  with_ranks({1, 2, 3}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = some_numbers({9, 4});
    const gd::sharded<double> x = gd::shard(a, gd::layout::rows(world));
    const auto same = [&](const std::string& what) { note.check(same_bits(x.gather(), a), what); };
    x(4, 2) = 7.;
    a(4, 2) = 7.;
    same("an element");
    x("1:3, 0") = -1;
    a("1:3, 0") = -1;
    same("a part of a column");
    x("2:-2") = x(":5") * 2.;
    a("2:-2") = a(":5") * 2.;
    same("overlapping rows");
    x(-1) = gp::arange<double>(4);
    a(-1) = gp::arange<double>(4);
    same("a row from an array");
    x("3:6") += 10;
    a("3:6") += 10;
    same("in place");
    x("1:") = x(":-1");
    a("1:") = a(":-1").copy();
    same("shifted by one");
    for (const gd::sharded<double> y : {x("1:4"), x("..."), x(3)}) y.fill(0);
    same("a name has elements of its own");
  });
}

TEST_CASE("rows and columns by a number are read, whichever rank has them") {
  with_ranks({1, 2, 3, 4}, [](const gd::communicator& world, notes& note) {
    for (const auto& [name, where] : layouts(world)) {
      const gp::ndarray<double> a = some_numbers({6, 5});
      const gd::sharded<double> x = gd::shard(a, where);
      note.check(same(x(4), a(4).copy()) && same(x(gp::all, -1), a(gp::all, -1).copy(gp::order::C)),
                 name + " a row, a column");
      note.check(x(4, 2).item() == a.item(4, 2) && x(4)("1:3").item(1) == a.item(4, 2), name + " an element");
      note.check(same(x - x(2), gp::ndarray<double>(a - a(2))), name + " in an expression");
      note.check(same(x("1:") * x(0) - x(":-1"), gp::ndarray<double>(a("1:") * a(0) - a(":-1"))),
                 name + " beside windows");
      note.check(same(x(1)(x(2) > x(3)), gp::ndarray<double>(a(1)(a(2) > a(3)))), name + " masked");
      // A border without a gradient.
      x(0) = x(1);
      x(gp::all, -1) = x(gp::all, -2) * 2.;
      x(3, 3) += 1.;
      a(0) = a(1);
      a(gp::all, -1) = a(gp::all, -2) * 2.;
      a(3, 3) += 1.;
      note.check(same(x, a), name + " written from others");
      const auto before = x(1) + 0.;
      const gp::ndarray<double> was = a(1).copy();
      x(1) = 0.;
      note.check(same(before, was), name + " as it was");
    }
  });
}

TEST_CASE("arrays in the layout of a window are used beside it") {
  with_ranks({1, 3}, [](const gd::communicator& world, notes& note) {
    for (const auto& [name, where] : layouts(world)) {
      const gp::ndarray<double> a = some_numbers({9, 7}), b = some_numbers({7, 5});
      const gd::sharded<double> x = gd::shard(a, where), y = gd::shard(b, where);
      const auto inner = x("1:-1, 1:-1").layout();
      const gp::ndarray<double> sum = a(":-2, 2:") + b;
      note.check(same(x(":-2, 2:") + y.reshard(inner), sum), name + " reshard");
      note.check(same(x(":-2, 2:") + gd::shard(b, inner), sum), name + " shard");
      const gd::sharded<double> named = x("1:-1, 1:-1");
      note.check(same(gp::zeros_like(named) + x("2:, 1:-1"), gp::ndarray<double>(a("2:, 1:-1") + 0.)),
                 name + " zeros_like");
      const auto doubled = gd::map_blocks([](const auto& part) { return (part * 2.).eval(); }, named);
      note.check(same(doubled + x("2:, 2:"), gp::ndarray<double>(a("1:-1, 1:-1") * 2. + a("2:, 2:"))),
                 name + " map_blocks");
      note.check(same(gp::roll(gd::shard(b, inner), 2, 0), gp::roll(b, 2, 0)) &&
                     same(gd::shard(b, inner).reshard(where), b),
                 name + " as any other");
      x("1:-1, 1:-1") = y.reshard(inner);
      a("1:-1, 1:-1") = b;
      note.check(same(x, a), name + " written");
    }
  });
}

TEST_CASE("what windows cannot do is said on every rank") {
  with_ranks({2}, [](const gd::communicator& world, notes& note) {
    const gd::sharded<double> x = gd::zeros({6, 4}, gd::layout::rows(world));
    const auto says = [&](const auto& f, const std::string& part) {
      const std::string text = error_of<gp::error>(f);
      note.check(contains(text, part), part + ", not: " + text);
    };
    says([&] { x("::2"); }, "axis 0 is cut, and a window along it has step 1, not 2");
    says([&] { x("7, 0"); }, "index 7 is out of bounds for axis 0 with size 6");
    says([&] { x("1, 2, 3"); }, "too many indices");
    says([&] { x("a:b"); }, "expected a number, ':', '...' or 'None' at position 0");
    says([&] { x("zwei"); }, "expected a number, ':', '...' or 'None' at position 0");
    says([&] { x("{}:"); }, "has 1 {} for 0 numbers");
    says([&] { return x + gd::zeros({6, 4}, gd::layout::blocks(world, {-1, 0})); },
         "axis 0 of one array and axis 1 of another are cut among the same ranks");
    says([&] { x("1:3") = gp::zeros({3, 4}); },
         "could not broadcast input array from shape (3,4) into shape (2,4)");
    const auto late = x("1:") - x(":-1");
    x(0, 0) = 1.;
    says([&] { late.gather(); }, "was written to after");
    // The halo of before is not used.
    note.check((x("1:") - x(":-1")).item(0, 0) == -1, "written");
    if (world.rank() == 0) x.local()(-1, 0) = 5.;
    x.written();
    note.check((x("1:") - x(":-1")).item(2, 0) == -5, "written to the part");
  });
}

TEST_CASE("a loop whose rounds are recorded once") {
  with_ranks({1, 2, 3}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const gp::ndarray<double> start = here(gp::abs(some_numbers({140, 9})).eval());
    const auto step = [](const auto& x) { return 0.25 * (x(":-2") + x("2:") + 2. * x("1:-1")); };
    const auto run = [&](auto p, const auto& loop) {
      auto q = p.copy();
      gp::ndarray<bool> go_on = gp::full({}, true);
      const std::int64_t rounds = loop(go_on, [&] {
        for (int i = 0; i < 3; ++i) {
          q("1:-1") = step(p);
          p("1:-1") = step(q);
        }
        go_on(gp::ellipsis) = gp::max(gp::abs(p - q)) > 0.02;
      });
      return std::pair(rounds, p);
    };
    const auto [rounds, expected] = run(start.copy(), [](const auto& go_on, const auto& body) {
      std::int64_t n = 0;
      for (; go_on.item(); ++n) body();
      return n;
    });
    const auto by_ranks = [](std::int64_t most) {
      return [most](const auto& go_on, const auto& body) {
        return gd::while_loop(go_on, body, {.max_iterations = most});
      };
    };
    const auto [made, found] = run(gd::shard(start, rows), by_ranks(1000));
    note.check(rounds > 3 && made == rounds, "rounds");
    note.check(same_bits(found.gather(), expected), "values");
    for (const std::int64_t most : {0, 1, 2})
      note.check(run(gd::shard(start, rows), by_ranks(most)).first == most, "at most");
    const gp::ndarray<bool> several = gp::full({2}, true);
    note.check(contains(error_of<gp::value_error>([&] { gd::while_loop(several, [] {}); }), "2 elements"),
               "a condition");
    note.check(contains(error_of<gp::value_error>([&] {
                          gd::while_loop(gp::ndarray<bool>(gp::full({}, true)), [] {},
                                         {.max_iterations = -1});
                        }),
                        "max_iterations is -1"),
               "a number");
  });
}

TEST_CASE("rows of neighbours come once for several steps, which compute what neighbours do of them") {
  with_ranks({1, 2, 3, 4}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> start = here(some_numbers({200, 70}).eval()),
                              source = here(gp::abs(some_numbers({200, 70})).eval());
    const auto step = [](const auto& to, const auto& from, const auto& f) {
      to("1:-1, 2:-1") = 0.25 * (from(":-2, 2:-1") + from("2:, 1:-2") + from("1:-1, :-3") + f("1:-1, 2:-1"));
    };
    std::vector<gd::layout> layouts{gd::layout::rows(world), gd::layout::blocks(world, {-1, 0})};
    if (world.size() == 4) layouts.push_back(gd::layout::blocks(gd::mesh(world, {2, 2}), {1, 0}));
    if (world.size() == 3) layouts.push_back(layouts[0].with_boundaries(0, {0, 150, 150, 200}));
    for (const gd::layout& where : layouts) {
      // New arrays in each step; two arrays there and back; the same array.
      gp::ndarray<double> a = start.copy(), b = start.copy(), c = start.copy(), d = start.copy();
      gd::sharded<double> p = gd::shard(start, where), q = p.copy(), r = q.copy(), s = p.copy();
      const gd::sharded<double> f = gd::shard(source, where);
      int fetched = 0;
      for (int i = 0; i < 23; ++i) {
        const gp::ndarray<double> a_new = a.copy();
        step(a_new, a, source);
        a = a_new;
        const gd::sharded<double> p_new = p.copy();
        const int before = exchanges(p);
        step(p_new, p, f);
        fetched += exchanges(p) - before;
        p = p_new;
        if (i % 5 == 1) note.check(same_bits(p.gather(), a), where.str() + ": new arrays");
        step(i % 2 == 0 ? c : b, i % 2 == 0 ? b : c, source);
        step(i % 2 == 0 ? r : q, i % 2 == 0 ? q : r, f);
        step(d, d, source);
        step(s, s, f);
        if (i == 11) {  // another box, a number, and what others wrote
          r("3:9, :") = 1.5 * q("4:10, :");
          c("3:9, :") = 1.5 * b("4:10, :");
          q(0, 1) = 8.;
          b(0, 1) = 8.;
          s("60:70, 3:5") = 2.;
          d("60:70, 3:5") = 2.;
        }
        if (i == 17) {
          f(100, 30) = 4.;
          source(100, 30) = 4.;
        }
      }
      note.check(same_bits(p.gather(), a), where.str() + ": new arrays");
      note.check(same_bits(q.gather(), b) && same_bits(r.gather(), c), where.str() + ": there and back");
      note.check(same_bits(s.gather(), d), where.str() + ": in place");
      note.check(same_bits(gd::sharded<double>(p("1:") - p(":-1")).gather(),
                           gp::ndarray<double>(a("1:") - a(":-1"))),
                 where.str() + ": read");
      source(100, 30) = 0.5;
    }
  });
}

TEST_CASE("programs of random writes to windows, each several times, have the bits of one process") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    for (int seed = 30; seed < 42; ++seed) {
      std::mt19937 draws(static_cast<unsigned>(seed));
      const auto below = [&](int n) { return static_cast<std::int64_t>(draws() % static_cast<unsigned>(n)); };
      const std::int64_t n = 60 + below(300), m = 9 + below(8);
      gd::layout where = gd::layout::rows(world);
      if (seed % 4 == 1) where = gd::layout::blocks(world, {-1, 0});
      if (seed % 4 == 2 && world.size() > 1) {
        std::vector<std::int64_t> cuts{0};
        for (int r = 1; r < world.size(); ++r)
          cuts.push_back(cuts.back() + below(static_cast<int>(n - cuts.back())));
        cuts.push_back(n);
        where = where.with_boundaries(0, cuts);
      }
      std::vector<gp::ndarray<double>> a;
      std::vector<gd::sharded<double>> x;
      for (int i = 0; i < 3; ++i) {
        a.push_back(here(gp::ndarray<double>(some_numbers({n, m}) * (i + 1.))));
        x.push_back(gd::shard(a.back(), where));
      }
      using program = std::vector<std::function<void(int)>>;
      program steps;
      const int kinds = 8;
      for (int s = 0; s < 4; ++s) {
        const auto kind = s == 0 ? 0 : below(kinds);
        const auto to = static_cast<std::size_t>(below(3)), from = static_cast<std::size_t>(below(3)),
                   other = static_cast<std::size_t>(below(3));
        const std::int64_t up = below(3), down = below(3), left = below(2), right = below(3),
                           i = below(int(n) - 9);
        const auto both = [&a, &x](const auto& f) {
          return [&a, &x, f](int round) {
            f(a, round);
            f(x, round);
          };
        };
        if (kind <= 3) {
          const std::int64_t high = up + down, wide = left + right;
          steps.push_back(both([=](auto& v, int) {
            const auto part = [&](const auto& of, std::int64_t row, std::int64_t column) {
              return of(gp::slice(row, n - high + row), gp::slice(column, m - wide + column));
            };
            if (kind == 1) v[to] = v[from].copy();
            part(v[to], up, left) =
                0.5 * part(v[from], 0, 0) - 0.25 * part(v[from], high, wide) + 0.1 * part(v[other], up, left);
          }));
        } else if (kind == 4) {
          steps.push_back(both([=](auto& v, int) { v[to](v[to] > 1.5) = 0.5; }));
        } else if (kind == 5) {
          steps.push_back(
              both([=](auto& v, int round) { v[to](gp::slice(i, i + 7), gp::slice(1, 4)) = round * 0.25; }));
        } else if (kind == 6) {
          steps.push_back(both([=](auto& v, int) { v[to](i) = v[from](i + 1) * 0.5; }));
        } else {
          steps.push_back(both([=](auto& v, int) { v[to](gp::ellipsis) = v[to] + 0.125 * v[from]; }));
        }
      }
      const auto rare = below(9);
      for (int round = 0; round < 9; ++round)
        for (const auto& step : steps) {
          step(round);
          if (round == rare) {
            a[0](3, 2) = 1.75;
            x[0](3, 2) = 1.75;
          }
        }
      for (std::size_t i = 0; i < 3; ++i)
        note.check_same(x[i].gather(), a[i], "program " + std::to_string(seed) + " on " + where.str());
    }
  });
}
