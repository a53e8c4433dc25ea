// Order statistics, histograms and what NaN is left out of: against those of one
// process.
#include "distributed/ranks.hpp"

using namespace ranks;

namespace {

/// The same bits, but for those of NaN.
template<class A, class B>
bool same_numbers(const A& a, const B& b) {
  const auto numbers = [](const auto& x) {
    if constexpr (gp::is_inexact(gp::dtype_of<typename std::remove_cvref_t<decltype(x)>::value_type>))
      return gp::ndarray(gp::where(gp::isnan(x), 1, x));
    else return x;
  };
  return same_bits(numbers(gp::ndarray(a)), numbers(gp::ndarray(b))) &&
         gp::array_equal(gp::ndarray<bool>(a != a), gp::ndarray<bool>(b != b));
}

/// Some numbers with NaN among them.
gp::ndarray<double> with_nan(const gp::dims& shape) {
  const gp::ndarray<double> x = some_numbers(shape);
  return gp::where(gp::arange(x.size()).reshape(shape) % 7 == 3, std::nan(""), x);
}

}  // namespace

TEST_CASE("means, variances and deviations of what is not NaN") {
  with_ranks({1, 2, 3}, [](const gd::communicator& world, notes& note) {
    gp::ndarray<double> a = here(with_nan({5000, 3}));
    a(gp::all, 2) = std::nan("");  // nothing of a column
    a("1:, 1") = std::nan("");     // one number
    for (const auto& [name, where] : layouts(world)) {
      const auto x = gd::shard(a, where);
      const auto check = [&](const char* what, const auto& f) {
        // On the CPU sums of ranks are added along axes other than the first one.
        const bool exact = name == "rows" || name == "replicated";
        const auto same_as = [&](const auto& mine, const auto& expected) {
          const gp::ndarray<double> m = mine, e = expected;
          return exact && m.device().is_cpu() ? same_bits(m, e)
                                              : gp::allclose(m, e, {.rtol = 1e-12, .equal_nan = true});
        };
        note.check(same_as(f(x), f(a)), name + what);
        for (const int axis : {0, 1}) {
          const bool at_blocks = axis == 1 || name != "rows";
          const gp::ndarray<double> mine = f(x, axis).gather(), expected = f(a, axis);
          note.check(at_blocks ? same_as(mine, expected)
                               : gp::allclose(mine, expected, {.rtol = 1e-12, .equal_nan = true}),
                     name + what + " along " + std::to_string(axis));
        }
      };
      check(" nanmean", [](const auto&... x) { return gp::nanmean(x...); });
      check(" nanvar", [](const auto&... x) { return gp::nanvar(x...); });
      check(" nanstd", [](const auto&... x) { return gp::nanstd(x..., {.ddof = 1}); });
    }
    const gp::ndarray<int> i = here(gp::arange<int>(1000));
    note.check(gp::nanmean(gd::shard(i, gd::layout::rows(world))).item() == 499.5, "integers");
    const gp::ndarray<std::complex<float>> z =
        here(a("..., 0") * std::complex<double>(1, 2)).astype<std::complex<float>>();
    note.check(
        std::abs(gp::nanmean(gd::shard(z, gd::layout::rows(world))).item() - gp::nanmean(z).item()) < 1e-6,
        "complex");
  });
}

TEST_CASE("medians and quantiles of all elements") {
  with_ranks({1, 2, 3}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const auto check = [&](const std::string& what, const auto& given) {
      const auto a = here(given);
      const auto x = gd::shard(a, rows);
      note.check(same_numbers(gp::median(x), gp::median(a)), what + " median");
      for (const char* method : {"linear", "nearest", "hazen", "inverted_cdf", "midpoint"})
        note.check(same_numbers(gp::quantile(x, {0., 0.37, 1.}, {.method = method}),
                                gp::quantile(a, {0., 0.37, 1.}, {.method = method})),
                   what + " " + method);
      note.check(same_numbers(gp::percentile(x, 12.5), gp::percentile(a, 12.5)), what + " percentile");
      note.check(same_numbers(gp::nanmedian(x), gp::nanmedian(a)), what + " nanmedian");
      note.check(same_numbers(gp::nanquantile(x, 0.6), gp::nanquantile(a, 0.6)), what + " nanquantile");
    };
    check("odd", some_numbers({101}));
    check("even, a matrix", some_numbers({10, 4}));
    check("with NaN", with_nan({50}));
    check("float32", gp::ndarray<float>(with_nan({51}).astype<float>()));
    check("integers", gp::ndarray<std::int64_t>(gp::arange<std::int64_t>(17) * 5 % 17));
    check("NaN alone", gp::full({3}, std::nan("")));
    const auto x = gd::shard(here(some_numbers({6, 4})), rows);
    note.check(contains(error_of<gp::value_error>([&] { gp::quantile(x, 1.5); }), "in the range [0, 1]"),
               "range");
    note.check(
        contains(error_of<gp::value_error>([&] { gp::quantile(x, 0.5, {.axis = 0}); }), "of all elements"),
        "axis");
    note.check(contains(error_of<gp::value_error>([&] { gp::median(x.T()); }), "reshard"), "columns");
  });
}

TEST_CASE("histograms and counts are exact, and each element counts once") {
  with_ranks({1, 2, 3, 4}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = here(with_nan({40, 30})),
                              edges = here(gp::array({-3., -1., 0.5, 0.75, 4.}));
    const gp::ndarray<double> numbers = here(some_numbers({40, 30}).eval());
    const gp::ndarray<int> counted = here(gp::ndarray<int>(gp::arange<int>(500) * 31 % 23));
    for (const auto& [name, where] : layouts(world)) {
      const auto x = gd::shard(a, where), y = gd::shard(numbers, where);
      const auto check = [&](const char* what, const auto& mine, const auto& expected) {
        note.check(same_bits(mine.hist, expected.hist) && same_bits(mine.bin_edges, expected.bin_edges),
                   name + what);
      };
      check(" 20 bins", gp::histogram(y, 20), gp::histogram(numbers, 20));
      check(" 10 bins", gp::histogram(y), gp::histogram(numbers));
      check(" range", gp::histogram(x, 7, {.range = {-2, 3}}), gp::histogram(a, 7, {.range = {-2, 3}}));
      check(" edges", gp::histogram(x, edges), gp::histogram(a, edges));
      check(" density", gp::histogram(y, 20, gp::density), gp::histogram(numbers, 20, gp::density));
      check(" of a window", gp::histogram(y("1:, 2:-3"), 5), gp::histogram(numbers("1:, 2:-3"), 5));
    }
    const auto z = gd::shard(counted, gd::layout::rows(world));
    note.check(same_bits(gp::bincount(z), gp::bincount(counted)), "bincount");
    note.check(same_bits(gp::bincount(z, 40), gp::bincount(counted, 40)), "minlength");
    note.check(contains(error_of<gp::value_error>([&] { gp::bincount(z - 5); }), "no negative"), "negative");
  });
}

TEST_CASE("stacks, borders and outer products") {
  with_ranks({1, 2, 3, 4}, [](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> a = here(some_numbers({7, 5}).eval()),
                              b = here(gp::ndarray<double>(a * 2. - 1.));
    const auto rows = gd::layout::rows(world);
    for (const auto& [name, where] : layouts(world)) {
      // Some on other layouts of the same ranks.
      const auto x = gd::shard(a, where), y = gd::shard(b, name == "columns" ? rows : where);
      for (const int axis : {0, 1, -1})
        note.check(same(gp::stack(x, y, b, axis), gp::stack(a, b, b, axis)), name + " stack");
      note.check(gp::stack(x, y).local_shape()[1] == x.local_shape()[0], name + ": the layout of the first");
      note.check(same(gp::pad(x, 2), gp::pad(a, 2)), name + " pad");
      const gp::pad_options values{.constant_values = {{1., 2.}, {3., 4.}}};
      note.check(same(gp::pad(x, {{9, 0}, {1, 6}}, "constant", values),
                      gp::pad(a, {{9, 0}, {1, 6}}, "constant", values)),
                 name + " sides");
    }
    const gd::sharded<float> one = gd::ones<float>({7, 5}, rows);
    note.check(gp::stack(one, b).dtype() == gp::dtype::float64, "dtypes promote");
    note.check(contains(error_of<gp::value_error>([&] { gp::stack(one, gp::ones({5, 7})); }), "same shape"),
               "shape");
    note.check(contains(error_of<gp::value_error>([&] { gp::pad(one, -1); }), "negative"), "width");
    const gp::ndarray<double> u = here(some_numbers({9}).eval()), v = here(some_numbers({4}).eval());
    const auto p = gd::shard(u, rows), q = gd::shard(v, rows);
    const gp::ndarray<double> expected = gp::outer(u, v);
    note.check(
        same(gp::outer(p, v), expected) && same(gp::outer(p, q), expected) && same(gp::outer(u, q), expected),
        "outer");
    note.check(gp::outer(u, q).local_shape()[1] == q.local_shape()[0], "columns");
    note.check(same(gp::outer(gd::shard(a, rows), v), gp::outer(a, v)), "a matrix");
  });
}
