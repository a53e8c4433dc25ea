// Loops and writes in place: several turns are one kernel, and what is written in place may get new memory.
// Nothing that a program can look at tells.
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/same_bits.hpp"

namespace gp = gparray;

namespace {

using array = gp::ndarray<double>;

constexpr std::int64_t n = 20'000;  // more than what small arrays have

array numbers() { return gp::linspace(-1., 1., n).copy(); }

}  // namespace

TEST_CASE("turns: steps in place of two names") {
  array x = numbers(), v = gp::zeros({n}), slow_x = x.copy(), slow_v = v.copy();
  const array k = numbers() + 2.;
  for (int step = 0; step < 50; ++step) {
    v -= 0.025 * (k * x + x * x * x);
    x += 0.05 * v;
    v -= 0.025 * (k * x + x * x * x);
    const array first = (0.025 * (k * slow_x + slow_x * slow_x * slow_x)).eval();
    slow_v = (slow_v - first).eval();
    slow_x = (slow_x + 0.05 * slow_v).eval();
    slow_v = (slow_v - 0.025 * (k * slow_x + slow_x * slow_x * slow_x)).eval();
  }
  CHECK(same_bits(x, slow_x));
  CHECK(same_bits(v, slow_v));
}

TEST_CASE("turns: of Mandelbrot's set, with masks and counts") {
  const array c = gp::linspace(-2., 0.5, n);
  array x = gp::zeros({n}), y = gp::zeros({n}), slow_x = x, slow_y = y;
  gp::ndarray<std::int32_t> count = gp::zeros<std::int32_t>({n}), slow_count = count.copy();
  for (int step = 0; step < 40; ++step) {
    const array x2 = x * x, y2 = y * y;
    const gp::ndarray<bool> inside = x2 + y2 <= 4.;
    count += inside;
    y = gp::where(inside, 2. * x * y + 0.1, y);
    x = gp::where(inside, x2 - y2 + c, x);

    const array slow_x2 = (slow_x * slow_x).eval(), slow_y2 = (slow_y * slow_y).eval();
    const gp::ndarray<bool> slow_inside = (slow_x2 + slow_y2 <= 4.).eval();
    slow_count = (slow_count + slow_inside).eval();
    slow_y = gp::where(slow_inside, 2. * slow_x * slow_y + 0.1, slow_y).eval();
    slow_x = gp::where(slow_inside, slow_x2 - slow_y2 + c, slow_x).eval();
  }
  CHECK(gp::array_equal(count, slow_count));
  CHECK(same_bits(x, slow_x));
  CHECK(same_bits(y, slow_y));
  CHECK(gp::max(count).item() == 40);
}

TEST_CASE("turns: one that reads another array each time") {
  const gp::ndarray<double> rows = gp::arange<double>(30 * n).reshape({30, n});
  array mean = rows(0).copy();
  std::vector<double> expected(3);
  const std::int64_t places[] = {0, 1, n - 1};
  for (int k = 0; k < 3; ++k) expected[static_cast<std::size_t>(k)] = static_cast<double>(places[k]);
  for (std::int64_t day = 1; day < 30; ++day) {
    mean = 0.5 * mean + 0.5 * rows(day);
    for (int k = 0; k < 3; ++k) {
      double& e = expected[static_cast<std::size_t>(k)];
      e = 0.5 * e + 0.5 * static_cast<double>(day * n + places[k]);
    }
  }
  for (int k = 0; k < 3; ++k) CHECK(mean(places[k]).item() == expected[static_cast<std::size_t>(k)]);
}

TEST_CASE("in place: other names of an array, views and addresses see it") {
  array a = numbers();
  const array before = a.copy();
  SUBCASE("another name") {
    const array b = a;
    a += 1.;
    CHECK(same_bits(b, before + 1.));
  }
  SUBCASE("a view made before") {
    const array b = a("::2");
    a *= 2.;
    CHECK(same_bits(b.copy(), (before * 2.)("::2").copy()));
  }
  SUBCASE("a view is written, and its array seen") {
    auto b = a("1:");
    b += 1.;
    CHECK(same_bits(a("1:").copy(), before("1:") + 1.));
    CHECK(a(0).item() == before(0).item());
  }
  SUBCASE("its address") {
    const double* const address = a.data();
    a += 1.;
    CHECK(a.data() == address);
  }
  SUBCASE("two handles of one pending array") {
    array c = a * 2., d = c;
    c += 1.;
    CHECK(same_bits(d, before * 2. + 1.));
  }
  SUBCASE("a container's") {
    std::vector<array> all{a, a.copy()};
    all[0] += 1.;
    all[1] += 2.;
    CHECK(same_bits(a, before + 1.));
    CHECK(same_bits(all[1], before + 2.));
  }
  SUBCASE("a reference") {
    array& b = a;
    b += 1.;
    CHECK(same_bits(a, before + 1.));
  }
}

TEST_CASE("in place: what was pending on the old elements keeps them") {
  array a = numbers();
  const array before = a.copy();
  const array twice = a * 2.;
  a += 1.;
  const array thrice = a * 3.;
  a -= 5.;
  a /= 2.;
  CHECK(same_bits(twice, before * 2.));
  CHECK(same_bits(thrice, (before + 1.) * 3.));
  CHECK(same_bits(a, ((before + 1.) - 5.) / 2.));
}

TEST_CASE("in place: dtype, layout and shape stay") {
  gp::ndarray<float> f = numbers().astype<float>();
  f += numbers();  // float64, which is converted back
  CHECK(f.dtype() == gp::dtype::float32);
  CHECK(gp::array_equal(f, (numbers().astype<float>() + numbers()).astype<float>()));
  gp::ndarray<std::int32_t> i = gp::arange<std::int32_t>(n);
  i += gp::arange(n) > 5;
  CHECK(i(6).item() == 7);
  const array base = numbers().reshape({100, n / 100});
  array fortran = base.copy(gp::order::F);
  const gp::dims strides = fortran.strides();
  fortran += base;
  CHECK(fortran.strides() == strides);
  CHECK(gp::array_equal(fortran, base * 2.));
  array c = base.copy();
  c += base.copy(gp::order::F);
  CHECK(c.is_c_contiguous());
  CHECK(gp::array_equal(c, base * 2.));
  CHECK_THROWS_AS(c += gp::ones({2, 100, n / 100}), gp::value_error);
  c += gp::ones({n / 100});
  CHECK(gp::array_equal(c, base * 2. + 1.));
  array locked = numbers();
  locked.setflags({.write = false});
  CHECK_THROWS_AS(locked += 1., gp::value_error);
  CHECK(same_bits(locked, numbers()));
}

TEST_CASE("eval: names that are made of the same values are computed together") {
  const array a = numbers();
  const array sum = a + 1., product = sum * a, other = gp::sqrt(a * a), alone = gp::linspace(0., 1., n) * 2.;
  gp::eval(product, sum, other, alone);
  for (const array* x : {&sum, &product, &other, &alone}) CHECK_FALSE(x->pending());
  CHECK(same_bits(sum, a.copy() + 1.));
  CHECK(same_bits(product, (a.copy() + 1.) * a));
  CHECK(same_bits(other, gp::abs(a)));
}
