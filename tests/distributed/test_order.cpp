// Random numbers in parts, and vectors sorted by all ranks, against one process by bits.
#include "distributed/ranks.hpp"

using namespace ranks;

TEST_CASE("random numbers are those of one process, in any layout") {
  with_ranks({1, 2, 3, 4}, [](const gd::communicator& world, notes& note) {
    gp::random::Generator one(12), many(12);
    const auto normal = [](auto& g, const gp::dims& shape) {
      return g.template standard_normal<float>(shape);
    };
    const auto small = [](auto& g, const gp::dims& shape) { return g.integers(0, 10, shape); };
    std::vector<gd::layout> layouts{gd::layout::rows(world), gd::layout::blocks(world, {-1, 0}),
                                    gd::layout::replicated(world)};
    if (world.size() == 4) layouts.push_back(gd::layout::blocks(gd::mesh(world, {2, 2}), {0, 1}));
    for (const gd::layout& where : layouts) {
      note.check(
          same_bits(gd::random(many, {7, 5}, where, normal).gather(), one.standard_normal<float>({7, 5})),
          "normal " + where.str());
      note.check(
          same_bits(gd::random(many, {6, 4, 2}, where, small).gather(), one.integers(0, 10, {6, 4, 2})),
          "integers " + where.str());
    }
    note.check(many.state().position == one.state().position, "position");
    const auto twice = [](auto& g, const gp::dims& shape) { return g.random(shape) + g.random(shape); };
    note.check(contains(error_of<gp::value_error>([&] { gd::random(many, {30}, layouts[0], twice); }),
                        "one number for each element"),
               "two numbers");
  });
}

TEST_CASE("sort, argsort and unique are those of one process") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const auto check = [&](const auto& a, const std::string& what) {
      const auto x = gd::shard(a, rows);
      note.check(same_bits(gd::sort(x).gather(), gp::sort(a)), what + " sort");
      note.check(same_bits(gd::argsort(x).gather(), gp::argsort(a)), what + " argsort");
      note.check(same_bits(gd::unique(x).gather(), gp::unique(a)), what + " unique");
      note.check(same_bits(gp::sort(x).gather(), gp::sort(a)) &&
                     same_bits(gp::argsort(x).gather(), gp::argsort(a)) &&
                     same_bits(gp::unique(x).gather(), gp::unique(a)),
                 what + " by NumPy's names");
      note.check(gd::sort(x).local_shape() == x.local_shape(), what + " is even");
    };
    gp::random::Generator g(9);
    for (const std::int64_t n : {0, 1, 4, 1000}) check(g.standard_normal<float>(n), std::to_string(n));
    check(g.standard_normal<double>(30'000), "many numbers");  // more than are compared at once
    check(g.integers(0, 7, 500), "few numbers");
    check(g.integers(0, 3, 40'000).astype<std::uint8_t>(), "many of few numbers");
    check(gp::full<std::int32_t>({20'000}, 7), "one number");
    check(gp::ndarray<bool>(g.random<double>(777) < 0.7), "bool");
    gp::ndarray<double> special = g.integers(-2, 3, 300).astype<double>() * 0.;
    special("::7") = std::nan("");
    special("::11") = -1;
    check(special, "zeros of both signs and NaN");
    check(gp::ndarray<std::int64_t>(gp::arange<std::int64_t>(200)("::-1")), "backwards");
    check(gp::ndarray<std::int64_t>(gp::arange<std::int64_t>(9000)), "in order");
    check(special.astype<gp::float16>().eval(), "halves");
    check(gp::ndarray<std::complex<float>>(g.standard_normal<float>(50) +
                                           g.standard_normal<float>(50) * std::complex<float>(0, 1)),
          "complex");
    gp::ndarray<std::complex<double>> pairs =
        g.integers(-2, 2, 5000).astype<double>() +
        g.integers(-2, 2, 5000).astype<double>() * std::complex<double>(0, 1);
    pairs("::17") = std::complex<double>(std::nan(""), 1);
    pairs("::19") = std::complex<double>(1, std::nan(""));
    check(pairs, "complex numbers with NaN");
    note.check(
        contains(error_of<gp::value_error>([&] { gd::sort(gd::zeros({2, 2}, rows)); }), "vectors alone"),
        "matrix");
    if (world.size() == 1) {
      const gp::ndarray<float> x = g.standard_normal<float>(30);
      const std::int64_t cuts[] = {0, 30};
      note.check(gp::shares_memory(gd::detail::exchanged(x, cuts, world), x), "one rank moves nothing");
    }
    // Any layout of a vector.
    const auto uneven =
        gd::shard(gp::ndarray<float>(g.standard_normal<float>(20)), gd::layout::replicated(world));
    note.check(same_bits(gd::sort(uneven * -1.f).gather(), gp::sort(uneven.gather() * -1.f)),
               "of an expression");
  });
}
