// Creation, comparisons and cumulative sums of sharded arrays against those of one rank.
#include "distributed/ranks.hpp"

using namespace ranks;

TEST_CASE("linspace, and arrays like others") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    for (const auto& [start, stop] :
         {std::pair(0., 1.), std::pair(-1.3, 7.1), std::pair(3., 3.), std::pair(0., 5e-324)}) {
      for (const std::int64_t n : {0, 1, 2, 10, 1001}) {
        note.check(same(gd::linspace(start, stop, n, rows), gp::linspace(start, stop, n)), "linspace");
        note.check(same(gd::linspace(start, stop, n, rows, false),
                        gp::linspace(start, stop, n, {.endpoint = false})),
                   "without its end");
      }
    }
    note.check(same(gd::linspace<float>(0.1, 0.7, 100, rows), gp::linspace<float>(0.1, 0.7, 100)), "float32");
    const auto x = gd::zeros<float>({5, 3}, gd::layout::blocks(world, {-1, 0}));
    note.check(same(gp::full_like(x, 3), gp::full<float>({5, 3}, 3)), "full_like");
    note.check(same(gp::ones_like<int>(x), gp::ones<int>({5, 3})), "ones_like");
    note.check(same(gp::zeros_like(x), gp::zeros<float>({5, 3})), "zeros_like");
    note.check(gp::zeros_like(x).layout().mesh_axis(1) == 0, "layout");
    note.check(gp::empty_like<int>(x).local().shape() == x.local().shape() &&
                   gd::empty<float>({5, 3}, x.layout()).local_shape() == x.local_shape(),
               "empty");
    for (const auto& [start, stop, step] : {std::tuple(2, 11, 3), std::tuple(2, 10, 3), std::tuple(9, -3, -4),
                                            std::tuple(3, 3, 1), std::tuple(5, 2, 1)})
      note.check(same(gd::arange(start, stop, step, rows), gp::arange<std::int64_t>(start, stop, step)),
                 "arange");
    note.check(same(gd::arange<float>(3, 9, rows), gp::arange<float>(3, 9)), "arange of two");
    note.check(contains(error_of<gp::value_error>([&] { return gd::arange(1, 9, 0, rows); }), "step is 0"),
               "step");
    note.check(same(gd::eye(4, rows), gp::eye(4)), "eye");
    // A name for later.
    gd::sharded<double> later;
    note.check(later.shape() == gp::dims{0} && gp::sum(later) == 0 && later.gather().size() == 0, "none yet");
    later = gd::eye(3, rows);
    const gd::sharded<double> taken = std::move(later);
    note.check(taken.item(2, 2) == 1, "moved");
    note.check(contains(error_of<gp::value_error>([&] { return later.gather(); }), "was moved from"),
               "moved from");
  });
}

TEST_CASE("isclose, allclose and array_equal are the same on all ranks") {
  with_ranks({1, 2, 3}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = some_numbers({7, 5});
    gp::ndarray<double> b = a + 1e-9;
    for (const auto& [name, where] : layouts(world)) {
      const auto x = gd::shard(a, where);
      const gd::sharded<double> y = gd::shard(b, where);
      note.check(gp::allclose(x, y) && gp::allclose(x, b) && !gp::allclose(x, y, {.rtol = 0, .atol = 1e-12}),
                 name);
      note.check(gp::array_equal(x, a) && !gp::array_equal(x, y) && !gp::array_equal(x, gp::ones({7, 4})),
                 name + " equal");
      y(6, 4) = 9.;
      b(6, 4) = 9.;
      note.check(!gp::allclose(x, y), name + " one that is not");
      note.check(same(gp::isclose(x, y), gp::ndarray<bool>(gp::isclose(a, b))), name + " isclose");
      note.check(same(gp::isclose(x, 1., {.atol = 1}), gp::ndarray<bool>(gp::isclose(a, 1., {.atol = 1}))),
                 name + " to a number");
      b(6, 4) = a.item(6, 4);
    }
  });
}

TEST_CASE("differences along any axis") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = some_numbers({7, 6});
    for (const auto& [name, where] : layouts(world)) {
      const auto x = gd::shard(a, where);
      for (const int axis : {0, -1})
        for (const int n : {0, 1, 3, 8})
          note.check(same(gp::diff(x, n, axis), gp::diff(a, n, {.axis = axis})),
                     name + " diff " + std::to_string(n));
      note.check(same(gp::diff(x > 0., 1, 0), gp::diff(gp::ndarray<bool>(a > 0.), 1, {.axis = 0})),
                 name + " of bools");
      gp::diff(x, 0).fill(0.);
      note.check(same(x, a), name + " of its own");
    }
    const auto x = gd::shard(a, gd::layout::rows(world));
    note.check(contains(error_of<gp::value_error>([&] { return gp::diff(x, -1); }), "non-negative"), "order");
    note.check(contains(error_of<gp::axis_error>([&] { return gp::diff(x, 1, 2); }), "out of bounds"),
               "axis");
  });
}

TEST_CASE("cumulative sums and products along any axis") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<std::int64_t> a = gp::random::Generator(1).integers(-9, 10, gp::dims{7, 6});
    const gp::ndarray<double> d = some_numbers({7, 6});
    for (const auto& [name, where] : layouts(world)) {
      const auto x = gd::shard(a, where);
      for (const int axis : {0, 1}) {
        note.check(same(gp::cumsum(x, axis), gp::cumsum(a, axis)), name + " cumsum");
        note.check(same(gp::cumprod(x, axis), gp::cumprod(a, axis)), name + " cumprod");
        // Each of 7 additions rounds by half a unit of at most 7 * 20, in both orders.
        note.check(gp::all(gp::abs(gp::cumsum(gd::shard(d, where), axis).gather() - gp::cumsum(d, axis)) <
                           2 * 7 * 140 * 1.2e-16)
                       .item(),
                   name + " of float64");
      }
    }
    const auto rows = gd::layout::rows(world);
    note.check(same(gp::cumsum(gd::shard(a, rows)), gp::cumsum(a)), "flattened");
    const auto small = a.astype<std::int8_t>();
    note.check(same(gp::cumsum(gd::shard(small, rows), 0), gp::cumsum(small, 0)), "int8, which widens");
    note.check(same(gp::cumsum<std::int8_t>(gd::shard(small, rows), 0), gp::cumsum<std::int8_t>(small, 0)),
               "int8");
    std::vector<std::int64_t> cuts(static_cast<std::size_t>(world.size()), 0);
    cuts.push_back(7);
    note.check(same(gp::cumsum(gd::shard(a, rows.with_boundaries(0, cuts)), 0), gp::cumsum(a, 0)),
               "on the last rank");
    gp::ndarray<double> with_nan = gp::ndarray<double>(a.astype<double>());
    with_nan(2, 3) = std::nan("");
    note.check(same(gp::nancumsum(gd::shard(with_nan, rows), 0), gp::nancumsum(with_nan, 0)), "nancumsum");
    note.check(contains(error_of<gp::axis_error>([&] { return gp::cumsum(gd::shard(a, rows), 2); }),
                        "out of bounds"),
               "axis");
  });
}
