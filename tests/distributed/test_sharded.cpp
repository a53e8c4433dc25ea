// Sharded arrays against arrays of one rank, by bits.
#include "distributed/ranks.hpp"

using namespace ranks;

TEST_CASE("blocks are as even as units of 2048 allow, or as boundaries say, and may be empty") {
  with_ranks({3}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const auto sizes = [&](const gd::sharded<double>& a) {
      std::string text;
      for (const std::int64_t n : gd::all_gather_values(a.local_shape()[0], world))
        text += std::to_string(n) + " ";
      return text;
    };
    note.check(sizes(gd::zeros(10, rows)) == "4 3 3 ", "10");
    note.check(sizes(gd::zeros(2, rows)) == "1 1 0 ", "2");
    note.check(sizes(gd::zeros(0, rows)) == "0 0 0 ", "0");
    note.check(sizes(gd::zeros(60000, rows)) == "20480 20480 19040 ",
               "60000: " + sizes(gd::zeros(60000, rows)));
    note.check(sizes(gd::zeros(5000, rows)) == "1667 1667 1666 ", "5000");
    const auto uneven = rows.with_boundaries(0, {0, 0, 7, 10});
    note.check(sizes(gd::zeros({10, 2}, uneven)) == "0 7 3 ", "given");
    note.check(gd::zeros({10, 2}, uneven).layout().str() == "axis 0 cut for 3 ranks at 0 0 7 10", "str");
    note.check(contains(error_of<gp::value_error>([&] { gd::zeros({11, 2}, uneven); }),
                        "are for 10 elements along axis 0"),
               "other size");
    note.check(
        contains(error_of<gp::value_error>([&] { rows.with_boundaries(0, {0, 7, 3, 10}); }), "none less"),
        "order");
    note.check(contains(error_of<gp::value_error>([&] { gd::zeros({2, -3}, rows); }), "negative dimensions"),
               "negative size");
    note.check(contains(error_of<gp::value_error>([&] { gd::mesh(world, {2, 2}); }), "has not the 3 ranks"),
               "mesh");
    note.check(contains(error_of<gp::value_error>([&] { gd::layout::blocks(world, {0, 0}); }), "two axes"),
               "twice");
  });
}

TEST_CASE("arrays are made of the same values for any number of ranks") {
  with_ranks({1, 2, 3, 4}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> whole = some_numbers({7, 5});
    for (const auto& [name, where] : layouts(world)) {
      note.check(same(gd::zeros<float>({7, 5}, where), gp::zeros<float>({7, 5})), name + " zeros");
      note.check(same(gd::full({7, 5}, 2.5, where), gp::full({7, 5}, 2.5)), name + " full");
      note.check(same(gd::shard(whole, where), whole), name + " shard");
      const auto f = [](const auto& i, const auto& j) { return gp::sqrt(i * 10. + j); };
      note.check(same(gd::from_function({7, 5}, where, f),
                      gp::ndarray<double>(
                          f(gp::arange<std::int64_t>(7).reshape({7, 1}), gp::arange<std::int64_t>(5)))),
                 name + " from_function");
      note.check(
          contains(error_of<gp::value_error>([&, &where = where] { gd::from_function({7, 5, 2}, where, f); }),
                   "the shape has 3 axes"),
          name + " from_function of too few arguments");
      const gd::sharded<double> x = gd::shard(whole, where);
      note.check(same(gd::from_local(x.local(), where), whole), name + " from_local");
      x.gather()(gp::ellipsis) = 0.;
      x.gather_to(0)(gp::ellipsis) = 0.;
      note.check(same(x, whole), name + " what was gathered is the caller's");
      const gp::ndarray<double> given = world.rank() == 0 ? whole : gp::ndarray<double>{};
      note.check(same(gd::scatter(given, 0, where), whole), name + " scatter");
      const auto on_root = x.gather_to(world.size() - 1);
      note.check(world.rank() == world.size() - 1 ? same_bits(on_root, whole) : on_root.size() == 0,
                 name + " gather_to");
      note.check(x.item(6, -1) == whole.item(6, 4) && x.item(0, 0) == whole.item(0, 0), name + " item");
      note.check(same(x.T(), gp::ndarray<double>(whole.T())), name + " T");
      note.check(same_bits(x.local(),
                           whole(gp::slice(x.local_offset()[0], x.local_offset()[0] + x.local_shape()[0]),
                                 gp::slice(x.local_offset()[1], x.local_offset()[1] + x.local_shape()[1]))),
                 name + " local");
      std::ostringstream one, other;
      one << x;
      other << whole;
      note.check(one.str() == other.str(), name + " text");
    }
    note.check(same(gd::arange(11, gd::layout::rows(world)), gp::arange<std::int64_t>(11)), "arange");
    note.check(contains(error_of<gp::value_error>([&] {
                          gd::from_local(gp::zeros({2, world.rank() + 1}), gd::layout::rows(world));
                        }),
                        "the part of rank 1 has 2 elements, not 1") == (world.size() > 1),
               "parts that do not fit");
    note.check(contains(error_of<gp::index_error>([&] { gd::zeros(3, gd::layout::rows(world)).item(3); }),
                        "out of bounds"),
               "item");
  });
}

TEST_CASE("element-wise functions and operators, with numbers, broadcast and promoted") {
  with_ranks({1, 2, 3, 4}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = some_numbers({7, 5}), b = some_numbers({5}) * 2.;
    const gp::ndarray<float> c = a.astype<float>();
    for (const auto& [name, where] : layouts(world)) {
      const auto x = gd::shard(a, where);
      const auto z = gd::shard(c, where);
      note.check(same(gp::exp(x) * 2 + x / 3., gp::ndarray<double>(gp::exp(a) * 2 + a / 3.)),
                 name + " arithmetic");
      note.check(same(z * 2.5, gp::ndarray<float>(c * 2.5)), name + " weak numbers");
      note.check(same(1 - z, gp::ndarray<float>(1 - c)), name + " numbers in front");
      note.check(same(x + z, gp::ndarray<double>(a + c)), name + " promoted");
      note.check(same(x * b, gp::ndarray<double>(a * b)), name + " with an array that all have");
      note.check(same(gp::where(x > 0.5, x, -z), gp::ndarray<double>(gp::where(a > 0.5, a, -c))),
                 name + " where");
      note.check(same(gp::clip(x, 0., 1.), gp::ndarray<double>(gp::clip(a, 0., 1.))), name + " clip");
      note.check(same(gp::pow(gp::abs(x), 2), gp::ndarray<double>(gp::pow(gp::abs(a), 2))),
                 name + " aliases");
      note.check(same(x == x, gp::ndarray<bool>(a == a)), name + " comparison");
      note.check(same(z.astype<int>(), gp::ndarray<int>(c.astype<int>())), name + " astype");
      auto y = x.copy();
      y += 1;
      y *= x;
      note.check(same(y, gp::ndarray<double>((a + 1) * a)) && same(x, a), name + " in place");
      const gd::sharded<double> other = y;
      y(gp::ellipsis) = 3.;
      note.check(same(other, gp::full({7, 5}, 3.)), name + " names share");
    }
    const auto x = gd::shard(a, gd::layout::rows(world));
    const auto row = gd::shard(b, gd::layout::replicated(world));
    note.check(same(x - row, gp::ndarray<double>(a - b)), "replicated");
    if (world.size() > 1) {
      const auto y = gd::shard(a, gd::layout::blocks(world, {-1, 0}));
      note.check(
          contains(error_of<gp::value_error>([&] { x + y; }), "nothing moves by itself between layouts"),
          "layouts");
      note.check(same(x + y.reshard(x.layout()), gp::ndarray<double>(a + a)), "reshard");
    }
    note.check(contains(error_of<gp::value_error>([&] { x + gp::zeros(4); }), "(7,5) (4,)"), "shapes");
    auto old = x + 0.;
    x.fill(0);
    note.check(same(old, a), "an expression has the values of before a write");
  });
}

TEST_CASE("reductions over all axes have the bits of one process, for any number of ranks") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    const auto check = [&](const auto& a, const std::string& what) {
      const auto x = gd::shard(a, gd::layout::rows(world));
      const double n = static_cast<double>(a.size()),
                   size = gp::sum(gp::abs(a).template astype<double>()).item();
      note.check(same_sum(gp::sum(x), gp::sum(a), n, size), what + " sum");
      note.check(same_sum(gp::mean(x), gp::mean(a), n, size / n), what + " mean");
      note.check(same_sum(gp::linalg::norm(x), gp::linalg::norm(a), n, size), what + " norm");
      note.check(same_bits(gp::max(x), gp::max(a)), what + " max");
      note.check(same_bits(gp::argmin(x), gp::argmin(a)), what + " argmin");
      note.check(same_bits(gp::count_nonzero(x), gp::count_nonzero(a)), what + " count");
      const double var = gp::var(a).item(), error = gp::var(x).item() - var;
      note.check(std::abs(error) <= 1e-6 * var, what + " var");
    };
    for (const std::int64_t n : {1, 5, 2048, 2049, 5000, 100001}) check(some_numbers({n}), std::to_string(n));
    const gp::ndarray<double> matrix = some_numbers({301, 37});
    check(matrix, "matrix");
    check(gp::ndarray<float>(matrix.astype<float>()), "float");
    check(gp::ndarray<int>((matrix * 1000.).astype<int>()), "int");
    const gp::ndarray<std::complex<double>> z = matrix + matrix.copy() * std::complex<double>(0, 2);
    const auto y = gd::shard(z, gd::layout::rows(world));
    note.check(same_sum(gp::sum(y), gp::sum(z), 2e4, 1e5), "complex sum");
    note.check(same_sum(gp::linalg::norm(y), gp::linalg::norm(z), 2e4, 1e5), "complex norm");
    note.check(same_sum(gp::mean(y), gp::mean(z), 2e4, 10), "complex mean");
    const auto x = gd::shard(matrix, gd::layout::rows(world));
    note.check(same_sum(gp::linalg::norm(x * 2. - x), gp::linalg::norm(matrix * 2. - matrix), 2e4, 1e5),
               "of an expression");
    note.check((x > -100).all() && !(x > 100).any() && gp::any(x > 1).item(), "truth");
    note.check(same_sum(gp::prod(gd::full({100}, 1.01, gd::layout::rows(world))),
                        gp::prod(gp::full({100}, 1.01)), 100, 3),
               "prod");
    note.check(gp::sum(gd::zeros(0, gd::layout::rows(world))).item() == 0, "of nothing");
    note.check(contains(error_of<gp::value_error>([&] { gp::max(gd::zeros(0, gd::layout::rows(world))); }),
                        "zero-size"),
               "max");
    gp::ndarray<double> with_nan = some_numbers({20});
    with_nan(13) = std::nan("");
    const auto w = gd::shard(with_nan, gd::layout::rows(world));
    note.check(std::isnan(gp::max(w).item()) && gp::argmax(w).item() == 13 &&
                   gp::nanmax(w).item() == gp::nanmax(with_nan).item() &&
                   same_sum(gp::nansum(w), gp::nansum(with_nan), 20, 100),
               "NaN");
  });
}

TEST_CASE("reductions over some axes; along the cut one at whole blocks they have the bits of one process") {
  with_ranks({1, 2, 3, 4}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = some_numbers({12, 5, 3});
    const auto rows = gd::layout::rows(world);
    const auto near = [](const gp::ndarray<double>& x, const gp::ndarray<double>& y) {
      // 12 numbers at most, of at most 20, added in two orders.
      return x.shape() == y.shape() && gp::all(gp::abs(x - y) <= 12 * 12 * 20 * 1.2e-16).item();
    };
    const auto x = gd::shard(a, rows);
    note.check(same(gp::sum(x, 1), gp::ndarray<double>(gp::sum(a, 1))), "not cut");
    note.check(same(gp::mean(x, {1, 2}), gp::ndarray<double>(gp::mean(a, {1, 2}))), "two not cut");
    note.check(same(gp::max(x, 0), gp::ndarray<double>(gp::max(a, 0))), "max along the cut axis");
    note.check(same(gp::argmax(x, -1), gp::ndarray<std::int64_t>(gp::argmax(a, -1))), "argmax");
    note.check(near(gp::sum(x, 0).gather(), gp::sum(a, 0)), "sum along the cut axis");
    note.check(near(gp::std(x, {0, 2}, {.ddof = 1}).gather(), gp::std(a, {0, 2}, {.ddof = 1})), "std");
    note.check(gp::sum(x, 1, {.keepdims = true}).shape() == gp::dims{12, 1, 3}, "keepdims");
    note.check(same(x - gp::max(x, 0, {.keepdims = true}), gp::ndarray<double>(a - gp::max(a, 0))),
               "broadcast back");
    for (const auto& [name, where] : layouts(world)) {
      const auto m = gd::shard(gp::ndarray<double>(a(gp::_, gp::_, 0)), where);
      note.check(near(gp::sum(m, 0).gather(), gp::sum(a(gp::_, gp::_, 0), 0)), name + " columns");
      note.check(near(gp::sum(m, 1).gather(), gp::sum(a(gp::_, gp::_, 0), 1)), name + " rows");
      note.check(std::abs(gp::sum(m).item() - gp::sum(a(gp::_, gp::_, 0)).item()) < 60 * 60 * 20 * 1.2e-16,
                 name + " all");
    }
    const gp::ndarray<float> tall = some_numbers({2048 * 9 + 100, 4}).astype<float>();
    const auto whole_blocks = rows.with_boundaries(0, [&] {
      std::vector<std::int64_t> cuts{0};
      for (int r = 1; r < world.size(); ++r) cuts.push_back(2048 * (r * 9 / world.size()));
      cuts.push_back(tall.shape(0));
      return cuts;
    }());
    // Promised on the CPU alone.
    note.check(!world.place().is_cpu() ||
                   same(gp::sum(gd::shard(tall, whole_blocks), 0), gp::ndarray<float>(gp::sum(tall, 0))),
               "whole blocks");
    note.check(contains(error_of<gp::axis_error>([&] { gp::sum(x, 3); }), "axis 3 is out of bounds"), "axis");
  });
}

TEST_CASE("reshard moves any layout to any other") {
  with_ranks({1, 2, 3, 4}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = some_numbers({9, 6});
    auto all = layouts(world);
    if (world.size() == 3)
      all.emplace_back("uneven", gd::layout::rows(world).with_boundaries(0, {0, 0, 8, 9}));
    for (const auto& [from, one] : all) {
      for (const auto& [to, other] : all) {
        const gd::sharded<double> moved = gd::shard(a, one).reshard(other);
        note.check(same(moved, a), from + " to " + to);
        note.check(moved.local_shape() == gd::shard(a, other).local_shape(), from + " to " + to + ": parts");
      }
    }
    const auto x = gd::shard(a, gd::layout::rows(world));
    const auto y = gd::map_blocks(
        [](const gp::ndarray<double>& part) { return gp::ndarray<double>(gp::cumsum(part, 1)); }, x);
    note.check(same(y, gp::ndarray<double>(gp::cumsum(a, 1))), "map_blocks");
  });
}
