// Names fuse: what has a name stays pending, is stored by the kernel that uses it if it lives, and by none if
// it does not. Nothing a program can look at tells.
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/same_bits.hpp"

namespace gp = gparray;

namespace {

std::size_t steps_of(const gp::ndarray<double>& a) {
  const std::string text = gp::explain(a);
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find("\n  v", at)) != std::string::npos; ++at) ++n;
  return n;
}

}  // namespace

TEST_CASE(
    "names: those below an expression are pending until it is computed, and stored with it if they are "
    "costly") {
  const gp::ndarray<double> a{1, 2, 3}, b{4, 5, 6};
  const gp::ndarray<double> c = gp::exp(gp::exp(gp::exp((a + b) * 0.1)));
  const gp::ndarray<double> d = c * 2.;
  const gp::ndarray<double> e = d - c;
  CHECK(c.pending());
  CHECK(d.pending());
  e.eval();
  CHECK_FALSE(c.pending());
  CHECK(d.pending());
  CHECK(same_bits(c, gp::exp(gp::exp(gp::exp(gp::array({5., 7., 9.}) * 0.1))).eval()));
  CHECK(same_bits(d, c * 2.));
  CHECK(same_bits(e, c));
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

TEST_CASE("names: one that was used on the way stays pending where that is cheap, and keeps its value") {
  gp::ndarray<double> a = gp::arange<double>(1000), other = gp::zeros({1000});
  const gp::ndarray<double> b = a + 1.;
  const gp::ndarray<double> c = (b * 2.).eval();
  CHECK(b.pending());
  other += c;  // nothing that b reads
  CHECK(gp::sum(c).item() == 1001000.);
  gp::default_device().synchronize();
  CHECK(b.pending());
  a(gp::all) += 5.;
  CHECK_FALSE(b.pending());
  CHECK(same_bits(b, gp::arange<double>(1000) + 1.));
  CHECK(same_bits(c, gp::arange<double>(1000) * 2. + 2.));
}

TEST_CASE("names: whether they are stored depends on what they would take again") {
  const gp::ndarray<double> a = gp::arange<double>(1000), b = gp::ones({1000}), c = gp::full({1000}, 2.);
  const gp::ndarray<double> sum = a + b + c;
  const gp::ndarray<double> first = (sum * 2.).eval();
  CHECK(sum.pending());
  const gp::ndarray<double> second = (sum * 3.).eval();  // three arrays again, or one
  CHECK_FALSE(sum.pending());
  CHECK(same_bits(first * 3., second * 2.));

  const gp::ndarray<double> near = a * 0.5;
  for (int i = 0; i < 3; ++i) CHECK(gp::sum(near + static_cast<double>(i)).item() == 249750. + 1000 * i);
  CHECK(near.pending());  // one array either way

  const gp::ndarray<double> many = a + b + c + near + sum + first;
  CHECK((many * 0.5).eval()(1).item() == 8.25);
  CHECK_FALSE(many.pending());
  if (gp::default_device().is_cpu()) {
    const gp::ndarray<double> costly = gp::exp(a * 0.001);
    const gp::ndarray<double> product = (costly * b).eval();
    CHECK_FALSE(costly.pending());
    CHECK(same_bits(costly, product));
  }
}

TEST_CASE("names: evaluation and what is no reading store them all") {
  const gp::ndarray<double> a = gp::arange<double>(10);
  const gp::ndarray<double> b = a + 1., c = a + 2.;
  const gp::ndarray<double> d = (b * c).eval();
  CHECK(b.pending());
  gp::eval(b);
  CHECK_FALSE(b.pending());
  CHECK(c.pending());
  (void)d.data();
  CHECK_FALSE(c.pending());
  CHECK(same_bits(c, gp::arange<double>(10) + 2.));
}

TEST_CASE("names: an assignment uses them without storing them") {
  const gp::ndarray<double> u = gp::linspace(0., 1., 20 * 30).reshape({20, 30}).copy();
  gp::ndarray<double> next = u.copy();
  const gp::ndarray<double> laplacian = u("2:, 1:-1") + u(":-2, 1:-1") - 2. * u("1:-1, 1:-1");
  next("1:-1, 1:-1") = u("1:-1, 1:-1") + 0.25 * laplacian;
  CHECK(laplacian.pending());
  const gp::ndarray<double> single = u("1:-1, 1:-1") + 0.25 * laplacian.copy();
  CHECK(same_bits(next("1:-1, 1:-1").copy(), single));
}

TEST_CASE("names: of a smaller shape they are computed where they are used, if that is cheap") {
  const gp::ndarray<double> a = gp::arange<double>(12).reshape({3, 4}), b = gp::arange<double>(4),
                            column = gp::arange<double>(100).reshape({100, 1});
  gp::eval(a, b, column);
  gp::ndarray<double> c;
  {
    const gp::ndarray<double> line = b * 2.;
    c = a - line;
  }
  CHECK(steps_of(c) == 5);  // two arrays, a number and two steps
  CHECK(same_bits(c, gp::array({0., -1., -2., -3., 4., 3., 2., 1., 8., 7., 6., 5.}).reshape({3, 4})));
  const gp::ndarray<double> grid = column * gp::ones({1, 100});
  const gp::ndarray<double> repeated = grid - (b(0) + 1.);  // ten thousand times
  // Of which the grid's two arrays, and its product. A GPU has added the number ten thousand times before a
  // kernel of its own begins.
  CHECK(steps_of(repeated) == (grid.device().is_cpu() ? 5 : 7));
  CHECK(repeated(99, 3).item() == 98.);
}

TEST_CASE("names: rolled arrays are read where they are used") {
  const gp::ndarray<double> a = gp::arange<double>(6 * 5).reshape({6, 5});
  const auto at = [&](std::int64_t i, std::int64_t j) {
    return static_cast<double>((i + 6) % 6 * 5 + (j + 5) % 5);
  };
  const auto check = [&](const gp::ndarray<double>& result, auto&& expected) {
    for (std::int64_t i = 0; i < 6; ++i)
      for (std::int64_t j = 0; j < 5; ++j) CHECK(result(i, j).item() == expected(i, j));
  };
  const gp::ndarray<double> down = gp::roll(a, 1, 0), right = gp::roll(a, -2, 1);
  CHECK(down.pending());
  const gp::ndarray<double> sum =
      down + right + gp::roll(a, {1, 1}, {0, 1}) + gp::roll(gp::roll(a, 7, 1), -8, 0);
  // A GPU's kernel goes round the edges itself.
  if (sum.device().is_cpu()) CHECK(gp::explain(sum).find(" parts, ") != std::string::npos);
  check(sum,
        [&](auto i, auto j) { return at(i - 1, j) + at(i, j + 2) + at(i - 1, j - 1) + at(i + 2, j - 2); });
  check(down, [&](auto i, auto j) { return at(i - 1, j); });
  check(gp::roll(a, 0, 1) + 0., at);
  check(gp::roll(a, 3), [&](auto i, auto j) { return static_cast<double>((i * 5 + j + 27) % 30); });
  CHECK(gp::sum(gp::roll(a, 1, 0) * a).item() == gp::sum(down.copy() * a).item());
  CHECK(gp::roll(gp::zeros({0, 3}), 1, 1).shape() == gp::dims{0, 3});
  CHECK(gp::roll(gp::full({}, 4.), 1).item() == 4.);

  gp::ndarray<double> b = a.copy();
  b(gp::ellipsis) = gp::roll(b, 1, 0) + 1.;  // reads what it writes
  check(b, [&](auto i, auto j) { return at(i - 1, j) + 1.; });
  gp::ndarray<double> c = a.copy();
  const gp::ndarray<double> before = gp::roll(c, 1, 1);
  c += 100.;
  check(before, [&](auto i, auto j) { return at(i, j - 1); });
}

TEST_CASE("names: arrays rolled in too many ways for their size are rolled first") {
  const gp::ndarray<double> a = gp::arange<double>(16 * 16).reshape({16, 16});
  gp::ndarray<double> sum = gp::zeros({16, 16}), expected = gp::zeros({16, 16});
  for (std::int64_t k = 1; k < 8; ++k) {
    sum = sum + gp::roll(a, gp::dims{k, -k}, gp::dims{0, 1});
    expected = (expected + gp::roll(a, gp::dims{k, -k}, gp::dims{0, 1}).copy()).eval();
  }
  CHECK(same_bits(sum, expected));
}

TEST_CASE("names: a view of what is pending is its steps at the view's places") {
  const std::int64_t n = 120;  // more than what small arrays have
  const gp::ndarray<std::uint8_t> image =
      (gp::arange(n * n * 3) % 251).astype<std::uint8_t>().reshape({n, n, 3});
  const gp::ndarray<double> grey_at_once =
      (0.25 * image("..., 0").astype<double>() + 0.5 * image("..., 1").astype<double>()).eval();
  const gp::ndarray<double> rgb = image.astype<double>();
  const gp::ndarray<double> r = rgb("..., 0"), g = rgb("..., 1");
  CHECK(r.pending());
  const gp::ndarray<double> grey = 0.25 * r + 0.5 * g;
  CHECK(steps_of(grey) == 9);  // two arrays and numbers, two conversions and three steps
  CHECK(same_bits(grey, grey_at_once));
  CHECK(rgb.pending());
  CHECK(r.shape() == gp::dims{n, n});
  CHECK(r.strides() == gp::dims{n * 24, 24});
  CHECK_FALSE(rgb.pending());
  CHECK(gp::shares_memory(r, rgb));

  const gp::ndarray<double> a = gp::linspace(0., 1., n * n).reshape({n, n}).copy(),
                            row = gp::arange<double>(n);
  const gp::ndarray<double> shifted = a + row,
                            outer = shifted("::-2, None, 3:") * shifted("1, 3:") - a(":60:, None, 3:");
  const gp::ndarray<double> stored = (a + row).copy();
  CHECK(same_bits(outer, stored("::-2, None, 3:") * stored("1, 3:") - a(":60, None, 3:")));
  CHECK(gp::sum(shifted("2:, 1")).item() == gp::sum(stored("2:, 1")).item());
  CHECK(shifted(5, 7).item() == stored(5, 7).item());
}

TEST_CASE("names: a view of what was pending is a view") {
  const std::int64_t n = 20'000;
  const gp::ndarray<double> a = gp::arange<double>(n);
  SUBCASE("written through it") {
    gp::ndarray<double> b = a + 1.;
    b("::2") = 0.;
    CHECK(b(0).item() == 0.);
    CHECK(b(1).item() == 2.);
    b("1:") += 1.;
    CHECK(b(2).item() == 1.);
  }
  SUBCASE("made before its array is written") {
    gp::ndarray<double> b = a + 1.;
    const gp::ndarray<double> head = b(":10");
    CHECK(head.pending());
    b += 5.;
    CHECK(head(3).item() == 9.);
    b(2) = -1.;
    CHECK(head(2).item() == -1.);
  }
  SUBCASE("its array has another name") {
    gp::ndarray<double> b = a + 1.;
    const gp::ndarray<double> c = b, head = c(":10");
    b *= 2.;
    CHECK(head(3).item() == 8.);
    CHECK(c(3).item() == 8.);
  }
  SUBCASE("what was made of it keeps the old elements") {
    gp::ndarray<double> b = a + 1.;
    const gp::ndarray<double> sum = b("1:") + b(":-1");
    b.fill(0.);
    CHECK(sum(0).item() == 3.);
    CHECK(sum(-1).item() == 2. * n - 1.);
  }
}

TEST_CASE("names: one that has been copied is stored, too") {
  const gp::ndarray<double> a = gp::linspace(1., 2., 1000);
  const gp::ndarray<float> b = (a * 40.).astype<float>(), copy = b.astype<float>();
  copy.eval();
  const gp::ndarray<double> c = a * 40., of_copies = c.copy().astype<double>() + 0.;
  of_copies.eval();
  for (const std::int64_t i : {0, 500, 999}) {
    CHECK(b.item(i) == static_cast<float>(a.item(i) * 40.));
    CHECK(copy.item(i) == b.item(i));
    CHECK(of_copies.item(i) == c.item(i));
  }
}
