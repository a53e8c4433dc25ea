// Fourier transforms of sharded arrays against those of one rank.
#include "distributed/ranks.hpp"

using namespace ranks;

namespace {

using complex = std::complex<double>;

gp::ndarray<complex> complex_numbers(const gp::dims& shape) {
  return some_numbers(shape) + some_numbers(shape).copy() * complex(0, 0.5) - complex(0, 1);
}

/// Whether they differ by rounding alone. A transform of n points has an error of at most log2(n) * 7 u of
/// its 2-norm (Higham, "Accuracy and Stability of Numerical Algorithms", theorem 24.2), and one of any length
/// is made of three of at most 4 n points; so twice that for two.
template<class V>
bool close(const gp::ndarray<V>& x, const gp::ndarray<V>& y) {
  if (x.shape() != y.shape()) return false;
  const double n = static_cast<double>(y.size()), norm = static_cast<double>(gp::linalg::norm(y).item()),
               unit = sizeof(gp::dtype_t<gp::real_dtype(gp::dtype_of<V>)>) == 4 ? 6e-8 : 1.2e-16;
  return static_cast<double>(gp::max(gp::abs(x - y)).item()) <= 2 * 3 * 7 * std::log2(4 * n) * unit * norm;
}

/// What a transform of some sort makes of an array in all layouts.
class comparison {
 public:
  comparison(const gd::communicator& world, notes& note)
      : world_(world), layouts_(layouts(world)), note_(note) {}

  template<class F, class V>
  void same_bits_of(const std::string& what, const F& f, const gp::ndarray<V>& a) const {
    each(what, f, a, world_.place().is_cpu());
  }
  template<class F, class V>
  void rounded(const std::string& what, const F& f, const gp::ndarray<V>& a) const {
    each(what, f, a, false);
  }

 private:
  template<class F, class V>
  void each(const std::string& what, const F& f, const gp::ndarray<V>& a, bool exact) const {
    const auto expected = f(a);
    for (const auto& [name, where] : layouts_) {
      const auto made = f(gd::shard(a, where));
      note_.check(exact ? same(made, expected) : close(made.gather(), expected), what + " of " + name);
      for (int axis = 0; axis < 2; ++axis)
        note_.check(made.layout().mesh_axis(axis) == where.mesh_axis(axis),
                    what + " of " + name + ": layout");
    }
  }

  const gd::communicator& world_;
  const std::vector<std::pair<std::string, gd::layout>> layouts_;
  notes& note_;
};

}  // namespace

TEST_CASE("transforms along one axis, cut or not") {
  with_ranks({1, 2, 3, 4, 5}, [](const gd::communicator& world, notes& note) {
    const comparison compare(world, note);
    const auto z = complex_numbers({7, 12});
    const gp::ndarray<double> r = some_numbers({7, 12});
    for (const int axis : {0, 1}) {
      const std::string along = " along " + std::to_string(axis);
      compare.same_bits_of("fft" + along, [&](const auto& x) { return gp::fft::fft(x, {.axis = axis}); }, z);
      compare.same_bits_of(
          "ifft" + along, [&](const auto& x) { return gp::fft::ifft(x, {.axis = axis, .norm = "ortho"}); },
          z);
      compare.same_bits_of(
          "fft of real" + along, [&](const auto& x) { return gp::fft::fft(x, {.axis = axis}); }, r);
      compare.same_bits_of(
          "rfft" + along, [&](const auto& x) { return gp::fft::rfft(x, {.axis = axis, .norm = "forward"}); },
          r);
      compare.same_bits_of(
          "irfft" + along, [&](const auto& x) { return gp::fft::irfft(x, {.axis = axis}); }, z);
      compare.same_bits_of("padded" + along, [&](const auto& x) { return gp::fft::fft(x, 16, axis); }, z);
      compare.same_bits_of("cropped" + along, [&](const auto& x) { return gp::fft::irfft(x, 5, axis); }, z);
    }
    const auto rows = gd::layout::rows(world);
    std::vector<std::int64_t> cuts(static_cast<std::size_t>(world.size()), 0);
    cuts.push_back(7);
    const auto of_last = gd::shard(z, rows.with_boundaries(0, cuts));
    const gd::sharded<complex> made = gp::fft::fft(of_last, {.axis = 0});
    note.check(same(made, gp::fft::fft(z, {.axis = 0})) && made.local_shape() == of_last.local_shape(),
               "boundaries are kept");
    compare.same_bits_of("hfft", [](const auto& x) { return gp::fft::hfft(x, {.axis = 0}); }, z);
    compare.same_bits_of("ihfft", [](const auto& x) { return gp::fft::ihfft(x, {.axis = 0}); }, r);
    compare.same_bits_of(
        "float32", [](const auto& x) { return gp::fft::fft(x, {.axis = 0}); },
        gp::ndarray<float>(r.astype<float>()));
    compare.same_bits_of(
        "float16", [](const auto& x) { return gp::fft::irfft(x, {.axis = 0}); },
        gp::ndarray<gp::float16>(r.astype<gp::float16>()));
  });
}

TEST_CASE("transforms along two axes") {
  with_ranks({1, 2, 3, 4, 5}, [](const gd::communicator& world, notes& note) {
    const comparison compare(world, note);
    const auto z = complex_numbers({45, 64});
    const gp::ndarray<double> r = some_numbers({45, 64});
    compare.same_bits_of("fft2", [](const auto& x) { return gp::fft::fft2(x); }, z);
    compare.same_bits_of("ifft2", [](const auto& x) { return gp::fft::ifft2(x); }, z);
    compare.same_bits_of("ortho", [](const auto& x) { return gp::fft::fft2(x, {.norm = "ortho"}); }, z);
    compare.same_bits_of("rfft2", [](const auto& x) { return gp::fft::rfft2(x, {.norm = "forward"}); }, r);
    compare.same_bits_of("irfft2", [](const auto& x) { return gp::fft::irfft2(x); }, z);
    compare.same_bits_of(
        "axes the other way", [](const auto& x) { return gp::fft::rfftn(x, {.axes = {1, 0}}); }, r);
    compare.same_bits_of(
        "float32", [](const auto& x) { return gp::fft::irfft2(x); },
        gp::ndarray<std::complex<float>>(z.astype<std::complex<float>>()));
    compare.rounded("fft2 of real", [](const auto& x) { return gp::fft::fft2(x); }, r);
    compare.same_bits_of("padded and cropped", [](const auto& x) { return gp::fft::ifft2(x, {50, 36}); }, z);
    compare.same_bits_of("lengths", [](const auto& x) { return gp::fft::irfft2(x, {-1, 71}); }, z);
  });
}

TEST_CASE(
    "transforms along three axes, of slabs and pencils; real ones do not depend on the number of ranks") {
  std::vector<gp::ndarray<complex>> of_real(6);
  with_ranks({1, 2, 3, 4, 5}, [&](const gd::communicator& world, notes& note) {
    const gp::ndarray<double> r = some_numbers({6, 5, 8});
    const auto z = complex_numbers({6, 5, 8});
    const comparison compare(world, note);
    compare.same_bits_of("fftn", [](const auto& x) { return gp::fft::fftn(x); }, z);
    compare.same_bits_of("ifftn", [](const auto& x) { return gp::fft::ifftn(x); }, z);
    compare.same_bits_of("rfftn", [](const auto& x) { return gp::fft::rfftn(x); }, r);
    compare.same_bits_of("irfftn", [](const auto& x) { return gp::fft::irfftn(x); }, z);
    compare.same_bits_of("two of three", [](const auto& x) { return gp::fft::fftn(x, {.axes = {0, 2}}); }, z);
    compare.same_bits_of("none", [](const auto& x) { return gp::fft::fftn(x, {.axes = gp::dims{}}); }, z);
    const gd::sharded<complex> spectrum = gp::fft::fftn(gd::shard(r, gd::layout::rows(world)));
    const gp::ndarray<complex> whole = spectrum.gather();
    if (world.rank() == 0) of_real[static_cast<std::size_t>(world.size())] = whole;
  });
  for (std::size_t ranks = 2; ranks < of_real.size() && gp::default_device().is_cpu() && !is_a_rank();
       ++ranks)
    CHECK(same_bits(of_real[ranks], of_real[1]));
}

TEST_CASE("transforms of vectors that are cut do not depend on the number of ranks") {
  std::vector<gp::ndarray<complex>> found(6);
  with_ranks({2, 3, 4, 5}, [&](const gd::communicator& world, notes& note) {
    const gp::ndarray<complex> z = complex_numbers({192});
    const auto rows = gd::layout::rows(world);
    std::vector<std::int64_t> cuts(static_cast<std::size_t>(world.size()) + 1, 0);
    const auto check = [&](const std::string& what, const auto& f, const auto& a) {
      const auto expected = f(a);
      const auto made = f(gd::shard(a, rows));
      cuts.back() = a.size();
      note.check(close(made.gather(), expected), what);
      note.check(made.layout().mesh_axis(0) == 0, what + ": cut");
      note.check(close(f(gd::shard(a, rows.with_boundaries(0, cuts))).gather(), expected),
                 what + " on the last rank");
    };
    const gp::ndarray<double> r = some_numbers({192});
    check("fft", [](const auto& x) { return gp::fft::fft(x); }, z);
    check("ifft", [](const auto& x) { return gp::fft::ifft(x); }, z);
    check("ortho", [](const auto& x) { return gp::fft::ifftn(x, {.norm = "ortho"}); }, z);
    check("fft of real", [](const auto& x) { return gp::fft::fft(x); }, r);
    check("rfft", [](const auto& x) { return gp::fft::rfft(x, {.norm = "forward"}); }, r);
    check("irfft", [](const auto& x) { return gp::fft::irfft(x); }, complex_numbers({193}));
    check("irfft of a length", [](const auto& x) { return gp::fft::irfft(x, {.n = 380}); }, z);
    check("irfft of an odd length", [](const auto& x) { return gp::fft::irfft(x, 255); }, z);
    check("hfft", [](const auto& x) { return gp::fft::hfft(x, 300); }, z);
    check("ihfft", [](const auto& x) { return gp::fft::ihfft(x); }, r);
    check("cropped", [](const auto& x) { return gp::fft::fft(x, 144); }, z);
    check("float32", [](const auto& x) { return gp::fft::fft(x); }, gp::ndarray<float>(r.astype<float>()));
    cuts.back() = 192;
    const gd::sharded<complex> there = gd::shard(z, rows.with_boundaries(0, cuts));
    note.check(gp::fft::fft(there).local_shape() == there.local_shape(), "boundaries are kept");
    const gp::ndarray<complex> whole = gp::fft::fft(there).gather();
    if (world.rank() == 0) found[static_cast<std::size_t>(world.size())] = whole;
  });
  for (std::size_t ranks = 3; ranks < found.size() && gp::default_device().is_cpu() && !is_a_rank(); ++ranks)
    CHECK(same_bits(found[ranks], found[2]));
}

TEST_CASE("transforms that cannot be are errors on all ranks") {
  with_ranks({2, 3}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world);
    const auto x = gd::ones({4, 6}, rows);
    const auto v = gd::ones({7}, rows);
    const auto text = [&](const auto& f) { return error_of<gp::value_error>(f); };
    note.check(contains(text([&] { return gp::fft::fft(v); }), "makes a matrix of 1 x 7"), "a vector");
    note.check(contains(text([&] { return gp::fft::rfft(v, 12); }), "it is not padded to 12"), "padding");
    note.check(same(gp::fft::fft(v.reshard(gd::layout::replicated(world))), gp::fft::fft(gp::ones({7}))),
               "a vector that all have");
    note.check(
        contains(text([&] { return gp::fft::fft(x, {.norm = "euclid"}); }), "Invalid norm value euclid"),
        "norm");
    note.check(
        contains(text([&] { return gp::fft::ifftn(x, {.norm = "euclid"}); }), "Invalid norm value euclid"),
        "norm of several");
    note.check(contains(text([&] { return gp::fft::fft(x, 0, 0); }), "data points (0) specified"), "length");
    note.check(
        contains(text([&] { return gp::fft::irfftn(gd::ones({4, 1}, rows)); }), "data points (0) specified"),
        "no points");
    note.check(contains(text([&] { return gp::fft::fftn(x, {4, 4, 4}); }), "different lengths") ||
                   contains(error_of<gp::axis_error>([&] { return gp::fft::fftn(x, {4, 4, 4}); }), "axis -3"),
               "too many lengths");
    note.check(contains(text([&] { return gp::fft::fft2(x, {4}); }), "Shape and axes have different lengths"),
               "lengths");
    note.check(contains(text([&] { return gp::fft::fftn(x, {.axes = {0, 0}}); }), "axis 0 occurs twice"),
               "twice");
    note.check(
        contains(error_of<gp::axis_error>([&] { return gp::fft::fft(x, {.axis = 2}); }), "out of bounds"),
        "axis");
    note.check(same(gp::fft::fft(gd::ones({0, 6}, rows)), gp::fft::fft(gp::ones({0, 6}))), "nothing");
  });
}

TEST_CASE("transforms to another layout") {
  with_ranks({1, 2, 3}, [](const gd::communicator& world, notes& note) {
    const auto rows = gd::layout::rows(world), columns = gd::layout::blocks(world, {-1, 0});
    const auto z = complex_numbers({6, 10, 9});
    const auto check = [&](const std::string& what, const auto& made, const auto& expected,
                           const gd::layout& where) {
      note.check(close(made.gather(), expected), what);
      note.check(made.local_shape() == gd::zeros(expected.shape(), where).local_shape(), what + ": layout");
    };
    const auto a = gd::shard(here(z), rows);
    const auto there = gp::fft::fftn(a, {}, columns);
    check("fftn", there, gp::fft::fftn(here(z)), columns);
    check("ifftn", gp::fft::ifftn(there, {.norm = "backward"}, rows), here(z), rows);
    check("the same layout", gp::fft::fftn(a, {}, rows), gp::fft::fftn(here(z)), rows);
    check("fft2", gp::fft::fft2(a, {.axes = {0, 1}}, columns), gp::fft::fft2(here(z), {.axes = {0, 1}}),
          columns);
    check("padded", gp::fft::fftn(a, {.s = {8, 7, 9}}, columns), gp::fft::fftn(here(z), {8, 7, 9}), columns);
    for (const int axis : {0, 1, 2})
      check("fft", gp::fft::fft(a, {.axis = axis}, columns), gp::fft::fft(here(z), {.axis = axis}), columns);
    const gp::ndarray<double> r = here(some_numbers({6, 10, 9}));
    const auto half = gp::fft::rfftn(gd::shard(r, rows), {}, columns);
    check("rfftn", half, gp::fft::rfftn(r), columns);
    check("irfftn", gp::fft::irfftn(half, {.s = {6, 10, 9}}, rows), r, rows);
    const gp::ndarray<complex> v = here(complex_numbers({144}));
    check("a vector", gp::fft::fft(gd::shard(v, rows), {}, gd::layout::replicated(world)), gp::fft::fft(v),
          gd::layout::replicated(world));
  });
}
