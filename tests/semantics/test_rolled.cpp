// Arrays that are read where they are used: rolled ones, neighbours along an axis, components of vectors, and
// views at odd places. Each time the expression has the bits that it has of copies of its operands.
#include <complex>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

template<class T>
gp::ndarray<T> numbers(const gp::dims& shape) {
  std::int64_t n = 1;
  for (const std::int64_t size : shape) n *= size;
  const gp::ndarray<std::int64_t> k = gp::arange(n);
  return ((k * k + 3 * k) % 17 - 4).astype<float>().astype<T>().reshape(shape).copy();
}

template<class T>
bool same(const gp::ndarray<T>& a, const gp::ndarray<T>& b) {
  return a.shape() == b.shape() && gp::all(a == b).item();
}

/// Sums of an array rolled along all of its axes and along one.
template<class T>
void check_rolled(const gp::ndarray<T>& a) {
  gp::dims axes, by, back;
  for (int d = 0; d < a.ndim(); ++d) {
    axes.push_back(d);
    by.push_back(d % 2 ? -1 : 2);
    back.push_back(-3 - d);
  }
  const auto one = [&] { return gp::roll(a, by, axes); };
  const auto two = [&] { return gp::roll(a, back, axes); };
  const auto three = [&] { return gp::roll(a, 1, a.ndim() - 1); };
  const auto four = [&] { return gp::roll(a, -1, 0); };
  const gp::ndarray<T> expected = (one().copy() + two().copy() * three().copy() + four().copy() * a).eval();
  CHECK(same(gp::ndarray<T>(one() + two() * three() + four() * a), expected));
  gp::ndarray<T> reversed = gp::empty_like<T>(a)("::-1");
  reversed(gp::ellipsis) = one() + two() * three() + four() * a;
  CHECK(same(reversed, expected));
  gp::ndarray<T> wide = gp::zeros<T>({2, a.shape(0)});
  if (a.ndim() == 1) {
    wide(gp::all) = one() + two() * three() + four() * a;  // the same for each row
    CHECK(same(gp::ndarray<T>(wide(1)), expected));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("rolled operands", T, std::uint8_t, std::int16_t, gp::float16, float, double, std::int64_t,
                   std::complex<float>, std::complex<double>) {
  for (const gp::dims& shape : {gp::dims{1},
                                {5},
                                {100},
                                {1, 7},
                                {7, 1},
                                {33, 45},
                                {3, 129},
                                {64, 64},
                                {2, 40, 50},
                                {5, 4, 3},
                                {3, 2, 4, 33},
                                {2, 3, 2, 3, 4}})
    check_rolled(numbers<T>(shape));
  const gp::ndarray<T> large = numbers<T>({41, 300});
  check_rolled(gp::ndarray<T>(large("1:, 3:-2")));
  check_rolled(gp::ndarray<T>(large("::-1, ::3")));
  check_rolled(gp::ndarray<T>(large.T()));
}

TEST_CASE_TEMPLATE("reductions of what is rolled", T, std::int8_t, std::int16_t, float, double) {
  for (const gp::dims& shape :
       {gp::dims{1}, {640}, {8, 1}, {33, 45}, {300, 2048}, {2, 40, 48}, {3, 2, 4, 32}}) {
    const gp::ndarray<T> a = numbers<T>(shape);
    const auto rolled = [&] { return a * gp::roll(a, 1, 0) + gp::roll(a, -1, a.ndim() - 1); };
    const gp::ndarray<T> stored = rolled().eval();
    const int last = a.ndim() - 1;
    CHECK(same(gp::sum(rolled()), gp::sum(stored)));
    CHECK(same(gp::mean(rolled()), gp::mean(stored)));
    CHECK(same(gp::max(rolled(), last), gp::max(stored, last)));
    CHECK(same(gp::sum(rolled(), last), gp::sum(stored, last)));
    CHECK(same(gp::sum(rolled(), 0), gp::sum(stored, 0)));
    CHECK(same(gp::argmax(rolled()), gp::argmax(stored)));
    CHECK(same(gp::sum(gp::roll(a, 2, last)), gp::sum(gp::roll(a, 2, last).copy())));
    const gp::ndarray<T> named = rolled();
    const auto first = gp::mean(named);
    const auto second = gp::sum(named);
    CHECK(same(named, stored));
    CHECK(same(first, gp::mean(stored)));
    CHECK(same(second, gp::sum(stored)));
  }
}

TEST_CASE("a reduction of what is rolled comes before a write to the array") {
  gp::ndarray<float> a = numbers<float>({64, 64});
  const gp::ndarray<float> before = gp::sum(a * gp::roll(a, 3, 1)),
                           expected = gp::sum(a * gp::roll(a, 3, 1).copy()).eval();
  a(0) = 100.f;
  CHECK(same(before, expected));
  a += 1.f;
  CHECK(same(before, expected));
}

TEST_CASE("rolled operands: flags, and what broadcasts") {
  const gp::ndarray<bool> flags = numbers<int>({37, 70}) > 3;
  const gp::ndarray<bool> up = gp::roll(flags, -1, 0), left = gp::roll(flags, 2, 1);
  CHECK(same<bool>((up & left) | flags, (up.copy() & left.copy()) | flags));
  const gp::ndarray<float> a = numbers<float>({37, 70}), row = numbers<float>({70}),
                           column = numbers<float>({37, 1});
  const gp::ndarray<float> expected =
      (gp::roll(a, 3, 0).copy() * gp::roll(row, 5).copy() + gp::roll(column, -2, 0).copy()).eval();
  CHECK(same<float>(gp::roll(a, 3, 0) * gp::roll(row, 5) + gp::roll(column, -2, 0), expected));
}

TEST_CASE_TEMPLATE("views at odd places", T, std::uint8_t, gp::float16, float, double, std::complex<float>) {
  const gp::ndarray<T> a = numbers<T>({50, 131}), line = numbers<T>({4099});
  const auto view = [&](const char* slices) { return gp::ndarray<T>(a(slices)); };
  const auto copy = [&](const char* slices) { return view(slices).copy(); };
  CHECK(same<T>(view("1:-1, :-2") * view("1:-1, 2:") + view("2:, 1:-1"),
                copy("1:-1, :-2") * copy("1:-1, 2:") + copy("2:, 1:-1")));
  CHECK(same<T>(line("1:-1") * line(":-2") + line("2:"),
                line("1:-1").copy() * line(":-2").copy() + line("2:").copy()));
}

TEST_CASE_TEMPLATE("neighbours: gradients have the bits of differences", T, gp::float16, float, double,
                   std::complex<double>) {
  for (const gp::dims& shape : {gp::dims{2}, {3}, {50}, {2, 2}, {2, 67}, {40, 33}, {4, 5, 35}}) {
    const gp::ndarray<T> f = numbers<T>(shape);
    for (int axis = 0; axis < f.ndim(); ++axis) {
      const double spacing = axis == 1 ? 0.3 : 1;
      const gp::ndarray<T> y = gp::moveaxis(f, axis, 0), result = gp::empty_like<T>(f),
                           out = gp::moveaxis(result, axis, 0);
      if (y.shape(0) > 2) out("1:-1") = (y("2:") - y(":-2")) / (2 * spacing);
      out(0) = (y(1) - y(0)) / spacing;
      out(-1) = (y(-1) - y(-2)) / spacing;
      const gp::ndarray<T> gradient = gp::gradient(f, spacing, {.axis = axis});
      CHECK(gradient.pending() == f.device().is_cuda());
      CHECK(same<T>(gradient * gradient, result * result));
      CHECK(same(gradient, result));
    }
  }
  CHECK(gp::gradient(gp::zeros<T>({4, 0}), 1, {.axis = 0}).shape() == gp::dims{4, 0});
}

TEST_CASE_TEMPLATE("components: cross products have the bits of products of components", T, float, double,
                   std::int32_t, std::complex<float>) {
  for (const gp::dims& shape : {gp::dims{3}, {1, 3}, {70, 3}, {5, 40, 3}}) {
    const gp::ndarray<T> u = numbers<T>(shape), v = (numbers<T>(shape) * T(3) - T(2)).eval();
    const auto in = [](const gp::ndarray<T>& a, int k) { return gp::ndarray<T>(a(gp::ellipsis, k)); };
    const auto minor = [&](int i, int j) {
      return gp::ndarray<T>(in(u, i) * in(v, j) - in(u, j) * in(v, i)).eval();
    };
    const gp::ndarray<T> expected = gp::stack(std::vector{minor(1, 2), minor(2, 0), minor(0, 1)}, -1);
    CHECK(same<T>(gp::cross(u, v), expected));
    CHECK(same<T>(gp::cross(u, v) * T(2), expected * T(2)));
    CHECK(same<T>(gp::cross(u, gp::ndarray<T>(v(gp::ellipsis, gp::slice(0, 2)))),
                  gp::cross(u, gp::ndarray<T>(v * gp::array<T>({T(1), T(1), T(0)})))));
  }
}
