// Names fuse: what has a name stays pending, is stored by the kernel that uses it if it lives, and by none if
// it does not. Nothing a program can look at tells.
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

bool same_bits(const gp::ndarray<double>& a, const gp::ndarray<double>& b) {
  return a.shape() == b.shape() && gp::array_equal(a.view<std::int64_t>(), b.view<std::int64_t>());
}

std::size_t steps_of(const gp::ndarray<double>& a) {
  const std::string text = gp::explain(a);
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find("\n  v", at)) != std::string::npos; ++at) ++n;
  return n;
}

}  // namespace

TEST_CASE("names: those below an expression are pending until it is computed, and stored with it") {
  const gp::ndarray<double> a{1, 2, 3}, b{4, 5, 6};
  const gp::ndarray<double> c = a + b;
  const gp::ndarray<double> d = c * 2.;
  const gp::ndarray<double> e = d - c;
  CHECK(c.pending());
  CHECK(d.pending());
  e.eval();
  CHECK_FALSE(c.pending());
  CHECK_FALSE(d.pending());
  CHECK(same_bits(c, gp::array({5., 7., 9.})));
  CHECK(same_bits(d, gp::array({10., 14., 18.})));
  CHECK(same_bits(e, gp::array({5., 7., 9.})));
}

TEST_CASE("names: one that is gone is a step, and is counted once however often it is used") {
  const gp::ndarray<double> a{1, 2, 3};
  gp::ndarray<double> e;
  {
    const gp::ndarray<double> c = a + 1.;
    const gp::ndarray<double> d = c * c;
    e = d * d + c;
  }
  CHECK(steps_of(e) == 6);  // two operands, four steps
  CHECK(same_bits(e, gp::array({18., 84., 260.})));
}

TEST_CASE("names: a long chain of names that are used twice each ends at once") {
  gp::ndarray<double> x = gp::full({64}, 1.);
  gp::ndarray<double> y = x;
  for (int i = 0; i < 500; ++i) {
    x = x * 0.5 + y * 0.5;
    y = (x + y) * 0.5;
  }
  CHECK(same_bits(x, gp::full({64}, 1.)));
}

TEST_CASE("names: layouts are those of single steps") {
  const gp::ndarray<double> a = gp::arange<double>(12).reshape({3, 4}).T();
  const gp::ndarray<double> row = gp::arange<double>(3);
  const gp::ndarray<double> c = a + row, d = c * 2., e = gp::arange<double>(12).reshape({4, 3}) + d;
  e.eval();
  CHECK(c.strides() == a.strides());
  CHECK(d.strides() == a.strides());
  const gp::ndarray<double> single = gp::arange<double>(12).reshape({4, 3}) + (a + row).copy() * 2.;
  CHECK(e.strides() == single.strides());
  CHECK(same_bits(e, single));
}

TEST_CASE("names: other dtypes and other shapes go together as far as they can") {
  const gp::ndarray<float> a = gp::arange<float>(1000);
  const gp::ndarray<bool> big = a > 500.f;
  const gp::ndarray<std::int8_t> low = (a - 3.f).astype<std::int8_t>();
  const gp::ndarray<double> mixed = gp::where(big, low, 0.25);
  const gp::ndarray<double> grid = gp::reshape(a, {1000, 1}).astype<double>() * 1.0;
  const gp::ndarray<double> outer = grid + mixed;
  CHECK(outer.shape() == gp::dims{1000, 1000});
  CHECK(outer(999, 3).item() == 999.25);
  CHECK(gp::sum(big).item() == 499);
  CHECK(low(2).item() == -1);
  CHECK(mixed(501).item() == static_cast<std::int8_t>(498));
}

TEST_CASE("names: a write is behind all that reads what it changes") {
  gp::ndarray<double> a{1, 2, 3};
  const gp::ndarray<double> b = a + 1.;
  const gp::ndarray<double> c = b * 2.;
  a(0) = 100.;
  CHECK(same_bits(c, gp::array({4., 6., 8.})));
  a += b;
  const gp::ndarray<double> d = a + c;
  a.fill(0.);
  CHECK(same_bits(d, gp::array({106., 11., 15.})));
}

TEST_CASE("names: more of them than one kernel stores") {
  const gp::ndarray<double> a = gp::arange<double>(2000);
  std::vector<gp::ndarray<double>> names{a};
  for (int i = 0; i < 40; ++i) names.push_back(names.back() + 1.);
  const gp::ndarray<double> last = names.back() * 1.;
  last.eval();
  for (int i = 0; i < 41; ++i) CHECK(names[static_cast<std::size_t>(i)](7).item() == 7. + i);
}

TEST_CASE("names: what other threads hold") {
  const gp::ndarray<double> a = gp::arange<double>(5000);
  for (int turn = 0; turn < 200; ++turn) {
    const gp::ndarray<double> b = a + 1., c = b * 2., d = c - b;
    double sums[3];
    {
      std::jthread first([&] { sums[0] = gp::sum(b * 1.).item(); });
      std::jthread second([&] { sums[1] = gp::sum(c).item(); });
      const gp::ndarray<double> e = d + c;
      sums[2] = gp::sum(e).item();
    }
    CHECK(sums[0] == 12502500.);
    CHECK(sums[1] == 25005000.);
    CHECK(sums[2] == 37507500.);
  }
}
