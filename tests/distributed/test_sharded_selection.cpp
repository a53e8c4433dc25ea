// Derivatives, weighted means, lines' quantiles, and elements by their numbers: sharded arrays against
// ndarrays.
#include "distributed/ranks.hpp"

using namespace ranks;

TEST_CASE("derivatives have the bits of one process along any axis") {
  with_ranks({1, 2, 3, 5, 11}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = here(some_numbers({9, 6}).eval());
    for (const auto& [name, where] : layouts(world)) {
      const auto x = gd::shard(a, where);
      for (const int axis : {0, 1, -1})
        for (const int edge : {1, 2}) {
          const gp::gradient_options options{.axis = axis, .edge_order = edge};
          const auto mine = gp::gradient(x, 0.3, options);
          note.check_same(mine.gather(), gp::ndarray<double>(gp::gradient(a, 0.3, options)),
                          name + " along " + std::to_string(axis));
          note.check(mine.local_shape() == x.local_shape(), name + ": the layout");
        }
      note.check(same(gp::gradient(x), gp::ndarray<double>(gp::gradient(a))), name + " without options");
      note.check(
          same(gp::gradient(x + 1., {.axis = 0}), gp::ndarray<double>(gp::gradient(a + 1., {.axis = 0}))),
          name + " of an expression");
    }
    const auto rows = gd::layout::rows(world);
    const gp::ndarray<int> i = here(gp::ndarray<int>(gp::arange<int>(12) * 7 % 5));
    note.check(same(gp::gradient(gd::shard(i, rows)), gp::ndarray<double>(gp::gradient(i))), "integers");
    const gp::ndarray<float> f = here(gp::ndarray<float>(a.astype<float>()));
    note.check(same(gp::gradient(gd::shard(f, rows), 2), gp::ndarray<float>(gp::gradient(f, 2))), "float32");
    note.check(contains(error_of<gp::value_error>([&] { gp::gradient(gd::ones(1, rows)); }), "too small"),
               "one element");
    note.check(
        contains(error_of<gp::axis_error>([&] { gp::gradient(gd::ones(4, rows), {.axis = 1}); }), "axis 1"),
        "axis");
  });
}

TEST_CASE("weighted means") {
  with_ranks({1, 2, 3, 11}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = here(some_numbers({9, 6}).eval()),
                              weights = here(gp::random::Generator(4).random<double>({9, 6}));
    const gp::ndarray<double> of_rows = weights(gp::all, 0).copy(), of_columns = weights(0).copy();
    // Of at most 54 products, each of which rounds, in another order.
    const auto close = [](const auto& x, const auto& y) {
      return gp::allclose(gp::ndarray<double>(x), gp::ndarray<double>(y), {.rtol = 1e-13, .atol = 1e-14});
    };
    const auto expected = [&](int axis, const gp::ndarray<double>& w) {
      return gp::average(a, gp::dims{axis}, w);
    };
    for (const auto& [name, where] : layouts(world)) {
      const auto x = gd::shard(a, where), w = gd::shard(weights, where);
      const auto all = gp::average(a, gp::none, weights);
      note.check(close(gp::average(x), gp::average(a)), name + " unweighted");
      note.check(close(gp::average(x, gp::none, w), all) && close(gp::average(x, gp::none, weights), all),
                 name + " of all");
      for (const int axis : {0, 1, -1}) {
        note.check(close(gp::average(x, axis).gather(), gp::average(a, axis)), name + " unweighted along");
        note.check(close(gp::average(x, axis, w).gather(), expected(axis, weights)) &&
                       close(gp::average(x, axis, weights).gather(), expected(axis, weights)),
                   name + " along " + std::to_string(axis));
      }
      note.check(close(gp::average(x, 0, of_rows).gather(), expected(0, of_rows)) &&
                     close(gp::average(x, -1, of_columns).gather(), expected(1, of_columns)),
                 name + " a vector of weights");
      note.check(gp::average(x, 1, of_columns, {.keepdims = true}).shape() == gp::dims{9, 1},
                 name + " keepdims");
      note.check(
          contains(error_of<gp::value_error>([&] { gp::average(x, 0, of_columns); }), "as long as the axis"),
          name + " other weights");
      note.check(contains(error_of<gp::error>([&] { gp::average(x, gp::none, w * 0.); }), "sum to zero") &&
                     contains(error_of<gp::error>([&] { gp::average(x, 0, w * 0.); }), "sum to zero"),
                 name + " zero weights");
    }
    const auto rows = gd::layout::rows(world);
    note.check(
        close(gp::average(gd::shard(a, rows), 0, gd::shard(of_rows, rows)).gather(), expected(0, of_rows)),
        "a vector that is cut");
    const auto i = gp::average(gd::shard(here(gp::arange<int>(4)), rows), gp::none, gd::ones<float>(4, rows));
    note.check(i.dtype() == gp::dtype::float64 && i.item() == 1.5, "integers");
  });
}

TEST_CASE("inner products of vectors and matrices") {
  with_ranks({1, 2, 3}, [](const gd::communicator& world, notes& note) {
    // Of integers, so that sums do not round.
    const gp::ndarray<double> a = here(gp::ndarray<double>(gp::floor(some_numbers({9, 6})))), v = a(0).copy(),
                              u = a(gp::all, 1).copy();
    const auto rows = gd::layout::rows(world);
    for (const auto& [name, where] : layouts(world)) {
      const auto x = gd::shard(a, where);
      note.check(same(gp::inner(x, x), gp::ndarray<double>(gp::inner(a, a))) &&
                     same(gp::inner(x, a), gp::ndarray<double>(gp::inner(a, a))),
                 name + " matrices");
      note.check(same(gp::inner(x, v), gp::ndarray<double>(gp::inner(a, v))), name + " a vector");
    }
    const auto y = gd::shard(u, rows);
    note.check(gp::inner(y, y).item() == gp::inner(u, u).item() && gp::inner(y, u).ndim() == 0, "vectors");
  });
}

TEST_CASE("elements by their numbers along an axis that is whole") {
  with_ranks({1, 2, 3, 11}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = here(some_numbers({9, 6}).eval());
    const gp::ndarray<std::int64_t> grid =
        here(gp::ndarray<std::int64_t>(gp::array({{3, 0, 5}, {1, -2, 3}})));
    const auto x = gd::shard(a, gd::layout::rows(world)),
               y = gd::shard(a, gd::layout::blocks(world, {-1, 0}));
    note.check(same(gp::take(x, {3, 0, -1, 3}, 1), gp::take(a, {3, 0, -1, 3}, 1)), "rows");
    note.check(same(gp::take(y, std::vector<int>{8, 0}, 0), gp::take(a, {8, 0}, 0)), "columns");
    note.check(same(gp::take(x, {7, -7}, -1, "wrap"), gp::take(a, {7, -7}, 1, "wrap")), "a mode");
    note.check(same(gp::take(x, grid, 1), gp::take(a, grid, 1)), "two dimensions, behind");
    const auto before = gp::take(y, grid, 0);
    note.check(same(before, gp::take(a, grid, 0)) && before.layout().mesh_axis(2) == 0,
               "two dimensions, before");
    note.check(same(gp::take(x, gp::ndarray<int>(gp::empty<int>({0})), 1), gp::ones({9, 0})), "none");
    note.check(contains(error_of<gp::index_error>([&] { gp::take(x, {1, 6}, 1); }), "index 6"),
               "out of range, on all ranks");
    note.check(contains(error_of<gp::axis_error>([&] { gp::take(x, {1}, 2); }), "axis 2"), "axis");
  });
}

TEST_CASE("elements by their numbers along an axis that is cut") {
  with_ranks({1, 2, 3, 4, 11}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = here(some_numbers({9, 6}).eval());
    for (const auto& [name, where] : layouts(world)) {
      const auto x = gd::shard(a, where);
      for (const int axis : {0, 1, -1}) {
        const std::string along = name + " along " + std::to_string(axis);
        for (const std::vector<std::int64_t>& some : {std::vector<std::int64_t>{3, 0, -1, 3},
                                                      {5},
                                                      {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
                                                      {5, 4, 3, 2, 1, 0}})
          note.check(same(gp::take(x, some, axis), gp::take(a, some, axis)), along);
        note.check(same(gp::take(x, {7, -7}, axis, "wrap"), gp::take(a, {7, -7}, axis, "wrap")),
                   along + " a mode");
        note.check(same(gp::take(x + 1., {2, 0}, axis), gp::take(a + 1., {2, 0}, axis)),
                   along + " an expression");
        const gp::ndarray<int> none = here(gp::ndarray<int>(gp::empty<int>({0})));
        note.check(same(gp::take(x, none, axis), gp::take(a, none, axis)), along + " none");
        note.check(contains(error_of<gp::index_error>([&] { gp::take(x, {1, 9}, axis); }), "index 9"),
                   along + " out of range, on all ranks");
      }
    }
    const auto rows = gd::layout::rows(world);
    const auto x = gd::shard(a, rows);
    const gp::ndarray<std::int64_t> order = here(gp::random::Generator(3).permutation(9));
    const auto shuffled = gp::take(x, order, 0);
    note.check(same(shuffled, gp::take(a, order, 0)) && shuffled.local_shape() == x.local_shape(),
               "shuffled");
    note.check(same(gp::take(x("1:-1, 2:"), {6, 0, 3}, 0), gp::take(a("1:-1, 2:"), {6, 0, 3}, 0)),
               "a window");
    const auto bytes = gd::shard(here(gp::ndarray<bool>(a > 0.)), rows);
    note.check(same(gp::take(bytes, order, 0), gp::take(a > 0., order, 0)), "bool");
    const gp::ndarray<std::int64_t> grid = here(gp::ndarray<std::int64_t>(gp::array({{3, 0}, {1, 3}})));
    if (world.size() > 1)
      note.check(contains(error_of<gp::value_error>([&] { gp::take(x, grid, 0); }), "ravel"),
                 "two dimensions");
    else note.check(same(gp::take(x, grid, 0), gp::take(a, grid, 0)), "one rank");
  });
}

TEST_CASE("indices of what is not zero") {
  with_ranks({1, 2, 3, 11}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const auto check = [&](const auto& a, const std::string& what) {
      const auto mine = gp::nonzero(gd::shard(a, rows));
      const auto expected = gp::nonzero(a);
      note.check(mine.size() == expected.size(), what + ": axes");
      for (std::size_t k = 0; k < mine.size(); ++k)
        note.check(same(mine[k], gp::ndarray<std::int64_t>(expected[k])), what + " " + std::to_string(k));
    };
    const gp::ndarray<double> a = here(gp::ndarray<double>(gp::floor(some_numbers({9, 6}))));
    check(a, "two axes");
    check(here(gp::ndarray<double>(a(gp::all, 2).copy())), "a vector");
    check(here(gp::ndarray<bool>(a > 0.)), "bool");
    check(here(gp::ndarray<int>(gp::zeros<int>({4, 2}))), "none");
    note.check(same(gp::nonzero(gd::shard(a, rows)("2:, 1:") * 2.)[0],
                    gp::ndarray<std::int64_t>(gp::nonzero(a("2:, 1:") * 2.)[0])),
               "an expression of a window");
    if (world.size() > 1)
      note.check(contains(error_of<gp::value_error>([&] {
                            static_cast<void>(gp::nonzero(gd::shard(a, gd::layout::blocks(world, {-1, 0}))));
                          }),
                          "reshard"),
                 "columns");
  });
}

TEST_CASE("borders that are copies") {
  with_ranks({1, 2, 3, 11}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = here(some_numbers({9, 6}).eval());
    for (const auto& [name, where] : layouts(world)) {
      const auto x = gd::shard(a, where);
      for (const char* mode : {"edge", "reflect", "symmetric", "wrap"}) {
        note.check(same(gp::pad(x, 2, mode), gp::pad(a, 2, mode)), name + mode);
        note.check(same(gp::pad(x, {{0, 11}, {1, 0}}, mode), gp::pad(a, {{0, 11}, {1, 0}}, mode)),
                   name + mode + " wider than the array");
        note.check(same(gp::pad(x, 0, mode), a), name + mode + " nothing");
      }
    }
    const auto x = gd::shard(a, gd::layout::rows(world));
    const gp::ndarray<double> largest = gp::max(a, 0);
    note.check(same(gp::pad(gp::max(x, 0), 1, "edge"), gp::pad(largest, 1, "edge")),
               "of what all ranks have");
    note.check(
        contains(error_of<gp::value_error>([&] { static_cast<void>(gp::pad(x, 1, "mean")); }), "'mean'"),
        "mean");
    note.check(contains(error_of<gp::value_error>(
                            [&] { static_cast<void>(gp::pad(x, 1, "reflect", {.reflect_type = "odd"})); }),
                        "'even'"),
               "odd");
    note.check(
        contains(error_of<gp::value_error>([&] { static_cast<void>(gp::pad(x, -1, "edge")); }), "negative"),
        "negative");
  });
}

TEST_CASE("where values belong") {
  with_ranks({1, 2, 3, 11}, [](const gd::communicator& world, notes& note) {
    gp::ndarray<double> a = here(gp::ndarray<double>(gp::round(some_numbers({9, 6})))),
                        table = gp::sort(a.ravel());
    a(1, 2) = std::nan("");
    const auto rows = gd::layout::rows(world);
    const auto t = gd::shard(table, rows);
    for (const char* side : {"left", "right"}) {
      const gp::ndarray<std::int64_t> expected = gp::searchsorted(table, a, side);
      for (const auto& [name, where] : layouts(world))
        note.check(same(gp::searchsorted(table, gd::shard(a, where), side), expected), name + side);
      note.check(same(gp::searchsorted(table, gd::shard(a, rows)("1:-1, 2:") * 2., side),
                      gp::searchsorted(table, a("1:-1, 2:") * 2., side)),
                 "an expression of windows");
      note.check(same_bits(gp::searchsorted(t, a, side), expected), "in a table that is cut");
      note.check(gp::searchsorted(t, 0.5, side).item() == gp::searchsorted(table, 0.5, side).item(),
                 "a number");
    }
    note.check(contains(error_of<gp::value_error>([&] { gp::searchsorted(a, t); }), "one dimension"),
               "table");
    note.check(contains(error_of<gp::value_error>([&] { gp::searchsorted(t, a, "up"); }), "side"), "side");
  });
}

TEST_CASE("medians and quantiles along axes that are whole") {
  with_ranks({1, 2, 3, 11}, [](const gd::communicator& world, notes& note) {
    gp::ndarray<double> a = here(some_numbers({9, 6}).eval()), gaps = a.copy();
    gaps(2, 3) = std::nan("");
    const auto x = gd::shard(a, gd::layout::rows(world)), g = gd::shard(gaps, gd::layout::rows(world)),
               y = gd::shard(a, gd::layout::blocks(world, {-1, 0})),
               all = gd::shard(a, gd::layout::replicated(world));
    note.check(same(gp::median(x, 1), gp::median(a, 1)) && same(gp::median(y, 0), gp::median(a, 0)),
               "median");
    note.check(same(gp::nanmedian(g, -1), gp::nanmedian(gaps, -1)), "nanmedian");
    note.check(same(gp::median(x, 1, {.keepdims = true}), gp::median(a, 1, {.keepdims = true})), "keepdims");
    note.check(same(gp::median(all, {0, 1}), gp::ndarray<double>(gp::median(a, {0, 1}))), "two axes");
    note.check(same(gp::quantile(x, 0.3, 1), gp::quantile(a, 0.3, 1)), "one");
    note.check(same(gp::quantile(all, 0.3, {0, 1}), gp::ndarray<double>(gp::quantile(a, 0.3, {0, 1}))),
               "two axes of one");
    note.check(same(gp::nanquantile(g, 0.3, 1), gp::nanquantile(gaps, 0.3, 1)), "nanquantile");
    const auto several = gp::percentile(x, {10, 50, 90}, 1);
    note.check(same(several, gp::percentile(a, {10, 50, 90}, 1)) && several.layout().mesh_axis(1) == 0,
               "several");
    note.check(same(gp::quantile(y, std::vector<double>{0.1, 1.}, 0, {.method = "hazen", .keepdims = true}),
                    gp::quantile(a, {0.1, 1.}, 0, {.method = "hazen", .keepdims = true})),
               "a method");
    note.check(contains(error_of<gp::value_error>([&] { gp::quantile(x, 1.5, 1); }), "in the range"),
               "range");
    note.check(
        contains(error_of<gp::value_error>([&] { gp::quantile(x, 0.5, 1, {.method = "none"}); }), "none"),
        "method");
    if (world.size() > 1)
      note.check(contains(error_of<gp::value_error>([&] { gp::median(x, 0); }), "reshard"), "cut");
    // They lie as what they are made of, in uneven blocks too.
    std::vector<std::int64_t> cuts{0, 9};
    for (int r = 1; r < world.size(); ++r) cuts.insert(cuts.end() - 1, r == 1 ? 1 : 7);
    const auto uneven = gd::shard(a, gd::layout::rows(world).with_boundaries(0, cuts));
    for (const auto& each : {x, uneven})
      note.check(same(each - gp::median(each, 1, {.keepdims = true}),
                      gp::ndarray<double>(a - gp::median(a, 1, {.keepdims = true}))) &&
                     same(each(gp::all, 0) - gp::quantile(each, 0.5, 1) + gp::take(each, {2}, 1)(gp::all, 0),
                          gp::ndarray<double>(a(gp::all, 0) - gp::quantile(a, 0.5, 1) + a(gp::all, 2))),
                 "beside what they are of");
    // Fewer elements than ranks.
    const gp::ndarray<double> two = a(0)("0:2").copy();
    const auto z = gd::shard(two, gd::layout::rows(world));
    note.check(
        same_bits(gp::ndarray<double>(gp::median(z)), gp::ndarray<double>(gp::median(two))) &&
            same_bits(gp::ndarray<double>(gp::quantile(z, 0.2)), gp::ndarray<double>(gp::quantile(two, 0.2))),
        "of two elements");
  });
}
