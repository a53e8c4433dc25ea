// Products of sharded arrays against those of one rank.
#include "distributed/ranks.hpp"

using namespace ranks;

namespace {

/// Whole numbers from -3 to 3: sums of their products are exact in any order.
template<class V>
gp::ndarray<V> whole_numbers(const gp::dims& shape, int seed) {
  const gp::ndarray<std::int64_t> numbers =
      gp::random::Generator(static_cast<std::uint64_t>(seed)).integers(-3, 4, shape);
  return gp::ndarray<V>(numbers.astype<V>());
}

std::vector<std::pair<std::string, gd::layout>> all_layouts(const gd::communicator& world, std::int64_t rows,
                                                            std::int64_t columns) {
  auto all = layouts(world);
  std::vector<std::int64_t> down, across;
  for (int r = 0; r <= world.size(); ++r) {
    down.push_back(r <= world.size() / 2 ? 0 : r == world.size() ? rows : rows / 3);
    across.push_back(r == 0 ? 0 : r == world.size() ? columns : columns - 1);
  }
  all.emplace_back("uneven rows", gd::layout::rows(world).with_boundaries(0, down));
  all.emplace_back("uneven columns", gd::layout::blocks(world, {-1, 0}).with_boundaries(1, across));
  return all;
}

/// Whether each element is the sum of n products within the rounding of two orders: each addition rounds by
/// half a unit of what is added up at most, and each product too.
bool close(const gp::ndarray<double>& x, const gp::ndarray<double>& a, const gp::ndarray<double>& b) {
  const double n = static_cast<double>(a.shape(1));
  const gp::ndarray<double> bound = gp::matmul(gp::abs(a), gp::abs(b)) * (2 * n * 1.2e-16);
  return gp::all(gp::abs(x - gp::matmul(a, b)) <= bound).item();
}

}  // namespace

TEST_CASE("matmul of all layouts, in panels or at once") {
  with_ranks({1, 2, 3, 4}, [](const gd::communicator& world, notes& note) {
    const auto a = whole_numbers<double>({7, 9}, 1), b = whole_numbers<double>({9, 5}, 2);
    const gp::ndarray<double> product = gp::matmul(a, b);
    const auto left = all_layouts(world, 7, 9), right = all_layouts(world, 9, 5);
    for (const auto& [of_a, where_a] : left) {
      const auto x = gd::shard(a, where_a);
      for (const auto& [of_b, where_b] : right) {
        const auto y = gd::shard(b, where_b);
        const std::string what = of_a + " by " + of_b;
        // Grids are meshes of their own.
        const auto shape = [](const gd::layout& l) { return l.ranks().shape(); };
        if (shape(where_a) != shape(where_b)) {
          note.check(
              contains(error_of<gp::value_error>([&] { return gp::matmul(x, y); }), "different meshes"),
              what);
          continue;
        }
        const gd::sharded<double> c = gp::matmul(x, y);
        note.check(same(c, product), what);
        note.check(c.layout().mesh_axis(0) == where_a.mesh_axis(0), what + ": rows");
        note.check(c.layout().mesh_axis(1) ==
                       (where_a.mesh_axis(0) == where_b.mesh_axis(1) ? -1 : where_b.mesh_axis(1)),
                   what + ": columns");
        const gd::sharded<double> in_panels(
            gd::detail::matmul(x.state(), y.state(), gp::dtype::float64, 100));
        note.check(same(in_panels, product), what + " in panels");
      }
      note.check(same(gp::matmul(x, b), product), of_a + " by an ndarray");
      note.check(same(gp::matmul(whole_numbers<double>({2, 7}, 3), x),
                      gp::matmul(whole_numbers<double>({2, 7}, 3), a)),
                 "an ndarray by " + of_a);
      note.check(same(gp::matmul(x.T(), x), gp::matmul(a.T(), a)), of_a + ": the transposed by itself");
    }
  });
}

TEST_CASE("matmul of arrays on a grid, whichever axes are cut") {
  with_ranks({4}, [](const gd::communicator& world, notes& note) {
    const gd::mesh grid(world, {2, 2});
    const auto a = whole_numbers<double>({7, 9}, 1), b = whole_numbers<double>({9, 5}, 2);
    const gp::ndarray<double> product = gp::matmul(a, b);
    const std::vector<int> all[] = {{}, {0}, {1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 0}};
    for (const auto& of_a : all) {
      for (const auto& of_b : all) {
        const auto one = gd::layout::blocks(grid, of_a), other = gd::layout::blocks(grid, of_b);
        note.check(same(gp::matmul(gd::shard(a, one), gd::shard(b, other)), product),
                   one.str() + " by " + other.str());
      }
    }
  });
}

TEST_CASE("matmul on a grid adds up panels of 2048") {
  with_ranks({4}, [](const gd::communicator& world, notes& note) {
    const gd::mesh grid(world, {2, 2});
    const auto where = gd::layout::blocks(grid, {0, 1});
    const auto a = whole_numbers<double>({3, 5000}, 1), b = whole_numbers<double>({5000, 5}, 2);
    note.check(same(gp::matmul(gd::shard(a, where), gd::shard(b, where)), gp::matmul(a, b)), "float64");
    const auto p = a.astype<bool>(), q = b.astype<bool>();
    note.check(same(gp::matmul(gd::shard(p, where), gd::shard(q, where)), gp::matmul(p, q)), "bool");
    const auto c = whole_numbers<double>({5000}, 3);
    note.check(
        same(gp::matmul(gd::shard(a, where), gd::shard(c, gd::layout::blocks(grid, {0}))), gp::matmul(a, c)),
        "a vector");
  });
}

TEST_CASE("matmul of all kinds of dtypes") {
  with_ranks({1, 3}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world), columns = gd::layout::blocks(world, {-1, 0});
    const auto check = [&](const auto& a, const auto& b, const std::string& what) {
      const auto product = gp::matmul(a, b);
      note.check(same(gp::matmul(gd::shard(a, rows), gd::shard(b, rows)), product), what + ", rows");
      note.check(same(gp::matmul(gd::shard(a, columns), gd::shard(b, rows)), product), what + ", added");
    };
    const gp::dims shape{6, 6};
    check(whole_numbers<float>(shape, 1), whole_numbers<float>(shape, 2), "float32");
    check(whole_numbers<gp::float16>(shape, 1), whole_numbers<gp::float16>(shape, 2), "float16");
    check(whole_numbers<std::int8_t>(shape, 1) * std::int8_t(20), whole_numbers<std::int8_t>(shape, 2),
          "int8, which wraps");
    check(whole_numbers<int>(shape, 1), whole_numbers<double>(shape, 2), "promoted");
    check(gp::ndarray<bool>(whole_numbers<int>(shape, 1) > 1),
          gp::ndarray<bool>(whole_numbers<int>(shape, 2) > 1), "bool");
    const gp::ndarray<std::complex<float>> z =
        whole_numbers<float>(shape, 1) + whole_numbers<float>(shape, 2) * std::complex<float>(0, 1);
    check(z, z, "complex64");
    const gp::ndarray<std::complex<double>> w = z.astype<std::complex<double>>();
    check(w, w, "complex128");
    const auto h = whole_numbers<gp::float16>(shape, 1);
    note.check(same(gp::matmul<float>(gd::shard(h, rows), h), gp::matmul<float>(h, h)), "halves in float32");
    // 2049 is no float16: 2050 comes of sums that are rounded once.
    const auto t = gp::ndarray<gp::float16>(gp::array({{2048., 1., 1., 0., 0., 0.}}).astype<gp::float16>());
    const gd::sharded<gp::float16> once = gp::matmul(gd::shard(t, columns), gp::ones<gp::float16>({6, 1}));
    note.check(static_cast<float>(once.item(0, 0)) == 2050, "sums of halves");
  });
}

TEST_CASE("large products have the bits of one process") {
  with_ranks({2, 3, 5}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world), columns = gd::layout::blocks(world, {-1, 0});
    // 200 * 200 * 300 / 5 > 2^21, and more than one block of 256 is added up.
    const gp::ndarray<double> a = some_numbers({200, 300}),
                              b = gp::ndarray<double>(some_numbers({300, 200}) + 1.);
    const gp::ndarray<double> product = gp::matmul(a, b);
    const bool exact = world.place().is_cpu();
    const auto check = [&](const gd::sharded<double>& c, const std::string& what) {
      note.check(exact ? same(c, product) : close(c.gather(), a, b), what);
    };
    check(gp::matmul(gd::shard(a, rows), gd::shard(b, rows)), "rows by rows");
    check(gp::matmul(gd::shard(a, rows), b), "rows by an ndarray");
    check(gp::matmul(gd::shard(a, rows), gd::shard(b, columns)), "rows by columns");
    check(gp::matmul(gd::shard(a, columns), gd::shard(b, columns)), "columns by columns");
    note.check(close(gp::matmul(gd::shard(a, columns), gd::shard(b, rows)).gather(), a, b), "added");
  });
}

TEST_CASE("vectors: matmul, dot and vdot") {
  with_ranks({1, 2, 3, 5}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world), columns = gd::layout::blocks(world, {-1, 0});
    const auto a = whole_numbers<double>({7, 9}, 1);
    const auto u = whole_numbers<double>({7}, 2), v = whole_numbers<double>({9}, 3);
    for (const auto& [name, where] : {std::pair("rows", rows), std::pair("columns", columns)}) {
      const auto x = gd::shard(a, where);
      const std::string what = name;
      note.check(same(gp::matmul(x, gd::shard(v, rows)), gp::matmul(a, v)), what + " by a vector");
      note.check(same(gp::matmul(x, v), gp::matmul(a, v)), what + " by an ndarray");
      note.check(same(gp::matmul(gd::shard(u, rows), x), gp::matmul(u, a)), "a vector by " + what);
      note.check(same(gp::matmul(u, x), gp::matmul(u, a)), "an ndarray by " + what);
    }
    const gd::sharded<double> all = gd::shard(v, rows);
    note.check(same(gp::matmul(all, all), gp::matmul(v, v)), "two vectors");
    note.check(same(gp::matmul(gd::shard(a, rows)("1:6, :"), all("::1")), gp::matmul(a("1:6, :"), v)),
               "windows");

    const gp::ndarray<double> p = some_numbers({5000}),
                              q = gp::ndarray<double>(some_numbers({5001})("1:") + 1.);
    const auto x = gd::shard(p, rows), y = gd::shard(q, rows);
    note.check(same_sum(gp::dot(x, y), gp::dot(p, q), 5000, 1e5), "dot");
    note.check(same_sum(gp::dot(x, q), gp::dot(p, q), 5000, 1e5), "dot with an ndarray");
    const gp::ndarray<std::complex<double>> z = p + q * std::complex<double>(0, 1);
    note.check(same_sum(gp::vdot(gd::shard(z, rows), x), gp::vdot(z, p), 5000, 2e5), "vdot");
    note.check(same_sum(gp::dot(gd::shard(z, rows), gd::shard(z, rows)), gp::dot(z, z), 5000, 2e5),
               "complex");
    const gp::ndarray<float> f = p.astype<float>();
    note.check(same_sum(gp::dot(gd::shard(f, rows), gd::shard(f, rows)), gp::dot(f, f), 5000, 1e5),
               "float32");
    // Squares of 67 / 8 are no float16, and their sum, 7014, is rounded to 7016.
    const gp::ndarray<gp::float16> h = gp::full<gp::float16>({100}, gp::float16(8.375f));
    note.check(same_bits(gp::dot(gd::shard(h, rows), h), gp::dot(h, h)), "float16");
    const auto i = whole_numbers<std::int8_t>({100}, 1);
    note.check(same_bits(gp::dot(gd::shard(i, rows), i), gp::dot(i, i)), "int8, which wraps");
    const auto t = gp::ndarray<bool>(i > std::int8_t(2));
    note.check(same_bits(gp::dot(gd::shard(t, rows), t), gp::dot(t, t)), "bool");
  });
}

TEST_CASE("products that do not fit are errors on all ranks") {
  with_ranks({2}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const auto a = gd::zeros({3, 4}, rows);
    const auto text = [&](const auto& f) { return error_of<gp::value_error>(f); };
    note.check(
        contains(text([&] { return gp::matmul(a, a); }), "matmul: shapes (3,4) and (3,4) do not fit: 4 != 3"),
        "sizes");
    note.check(contains(text([&] { return gp::matmul(a, gd::zeros({2, 4, 5}, rows)); }),
                        "map_blocks multiplies stacks"),
               "dimensions");
    note.check(contains(text([&] { return gp::dot(a, a); }), "matmul is there for matrices"), "dot");
    note.check(contains(text([&] { return gp::vdot(gd::zeros(3, rows), gd::zeros(1, rows)); }),
                        "shapes (3,) and (1,)"),
               "no broadcasting");
    note.check(contains(text([&] {
                          return gp::dot(gd::zeros(4, rows),
                                         gd::zeros(4, rows.with_boundaries(0, {0, 1, 4})));
                        }),
                        "nothing moves by itself"),
               "layouts");
    for (const gp::dims& shape : {gp::dims{0, 4}, gp::dims{4, 0}})
      note.check(
          same(gp::matmul(gd::zeros(shape, rows), gd::zeros({shape[1], 3}, rows)), gp::zeros({shape[0], 3})),
          "nothing");
  });
}
