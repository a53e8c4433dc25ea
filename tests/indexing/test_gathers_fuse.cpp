// What a(i, j) and a(i) select, read where it is used: the same elements as one by one, and as they were at
// the line.
#include <complex>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/error_text.hpp"

namespace gp = gparray;
using numbers = gp::ndarray<std::int64_t>;

namespace {

// So many that a CPU, too, has them wait.
constexpr std::int64_t rows = 300, columns = 260;

/// Of an axis of n elements, from both of its ends.
numbers places(std::int64_t count, std::int64_t n, std::int64_t step) {
  return gp::arange(count) * step % (2 * n) - n;
}

template<class V>
gp::ndarray<V> table(std::int64_t n, std::int64_t m) {
  return (gp::arange(n * m).reshape({n, m}) * 7 % 251).astype<V>();
}

/// a[i[r], j[c]] for all r and c, by single elements on the host.
template<class V>
gp::ndarray<V> one_by_one(const gp::ndarray<V>& a, const numbers& i, const numbers& j) {
  const std::vector<V> from = gp::asnumpy(gp::ascontiguousarray(a)).to_vector();
  const std::vector<std::int64_t> down = i.to_vector(), across = j.to_vector();
  std::vector<V> result;
  for (const std::int64_t r : down)
    for (const std::int64_t c : across) {
      const std::int64_t row = r < 0 ? r + a.shape(0) : r, column = c < 0 ? c + a.shape(1) : c;
      result.push_back(from[static_cast<std::size_t>(row * a.shape(1) + column)]);
    }
  return gp::asarray(result).reshape({i.size(), j.size()});
}

struct fixture {
  numbers i = places(rows, 40, 7), j = places(columns, 31, 11);
  numbers down = i(gp::all, gp::newaxis);
  gp::ndarray<float> a = table<float>(40, 31), expected = one_by_one(a, i, j);
};

}  // namespace

TEST_CASE_TEMPLATE("gathers: elements of every size", V, std::int8_t, std::uint16_t, gp::float16, float,
                   std::int64_t, std::complex<float>, std::complex<double>) {
  const fixture f;
  const gp::ndarray<V> a = table<V>(40, 31), expected = one_by_one(a, f.i, f.j);
  CHECK(gp::array_equal(a(f.down, f.j), expected));
  CHECK(gp::array_equal(gp::ndarray<V>(a(f.down, f.j)), expected));
  const gp::ndarray<V> backwards = a("::-1, ::-2");
  CHECK(gp::array_equal(backwards(f.down % 40, f.j % 16), one_by_one(backwards, f.i % 40, f.j % 16)));
  CHECK(gp::array_equal(gp::ndarray<V>(a.T()(f.j, f.down)), expected));
}

TEST_CASE("gathers: what is made of them has the bits of single steps") {
  const fixture f;
  const gp::ndarray<float> weights = gp::linspace<float>(0, 1, columns), more = f.expected * 0.3f;
  const gp::ndarray<float> stepwise = (f.expected * (1.f - weights).eval()).eval() + (more * weights).eval();
  const gp::ndarray<float> fused = f.a(f.down, f.j) * (1.f - weights) + (f.a(f.down, f.j) * 0.3f) * weights;
  CHECK(gp::array_equal(fused, stepwise));
  // Of an index that is pending itself, in places of all kinds.
  CHECK(gp::array_equal(f.a(f.down % 39 + 1, f.j) + 1, one_by_one(f.a, f.i % 39 + 1, f.j) + 1));
  CHECK(gp::array_equal(f.a(f.down, f.j).astype<double>(), f.expected.astype<double>()));
  CHECK(gp::array_equal(f.a(f.down, f.j).T() - 1, f.expected.T() - 1));
  CHECK(gp::array_equal((f.a(f.down, f.j) + 1)("3:-1, ::2") * 2, (f.expected + 1)("3:-1, ::2") * 2));
  CHECK(gp::array_equal(gp::roll(f.a(f.down, f.j) + 1, 5, 0) - f.expected,
                        gp::roll(f.expected + 1, 5, 0) - f.expected));
  // A line of elements, by one index array.
  const gp::ndarray<float> line = f.a.ravel();
  const numbers at = gp::arange(rows * columns) * 17 % line.size() - line.size() / 2;
  const gp::ndarray<float> taken = gp::take(line, at);
  CHECK(gp::array_equal(line(at) * 2 + 1, taken * 2 + 1));
  CHECK(gp::array_equal(gp::ndarray<float>(line(at)), taken));
}

TEST_CASE("gathers: reductions of them") {
  const fixture f;
  CHECK(gp::sum(f.a(f.down, f.j)).item() == gp::sum(f.expected).item());
  CHECK(gp::array_equal(gp::max(f.a(f.down, f.j) * 2, 1), gp::max(f.expected * 2, 1)));
  const gp::ndarray<float> picked = f.a(f.down, f.j);
  const auto shifted = picked - gp::max(picked, 1, {.keepdims = true});
  CHECK(gp::array_equal(gp::exp(shifted), gp::exp(f.expected - gp::max(f.expected, 1, {.keepdims = true}))));
}

TEST_CASE("gathers: elements are those at the line") {
  fixture f;
  {
    const auto picked = f.a(f.down, f.j) + 0;
    const gp::ndarray<float> named = f.a(f.down, f.j);
    f.a += 1;
    f.down = f.down * 0;
    f.j("::2") = 0;
    CHECK(gp::array_equal(picked, f.expected));
    CHECK(gp::array_equal(named, f.expected));
  }
  const fixture g;
  const auto of_local = [&] {
    const gp::ndarray<float> local = g.a + 0;
    return (local(g.down, g.j) * 1).eval();
  };
  CHECK(gp::array_equal(of_local(), g.expected));
  // The elements are read before any is written.
  gp::ndarray<float> square = table<float>(rows, rows);
  const numbers reversed = gp::arange(rows - 1, -1, -1), reversed_rows = reversed(gp::all, gp::newaxis);
  const gp::ndarray<float> flipped = square("::-1, ::-1").copy();
  square("...") = square(reversed_rows, reversed) + 0;
  CHECK(gp::array_equal(square, flipped));
  square("...") = square(reversed_rows, reversed);
  square += 0 * square(reversed_rows, reversed);
  CHECK(gp::array_equal(square, flipped("::-1, ::-1")));
}

TEST_CASE("gathers: of memory that others may write to, at once") {
  fixture f;
  if (!f.a.device().is_cpu()) return;
  float* const data = f.a.data();
  const auto picked = f.a(f.down, f.j) + 0;
  std::fill(data, data + f.a.size(), -1.f);
  CHECK(gp::array_equal(picked, f.expected));
}

TEST_CASE("gathers: of an array that is pending") {
  const fixture f;
  const gp::ndarray<float> weights = gp::linspace<float>(0, 1, 31),
                           offsets = gp::arange<float>(40).reshape({40, 1});
  const numbers few = f.i(":60") % 40, others = f.j(":60");
  const auto made = [&] { return (f.a - offsets) * weights + 0.5f; };
  const gp::ndarray<float> stored = made().eval(), expected = gp::ndarray<float>(stored(few, others)).copy(),
                           shifted = gp::ndarray<float>(stored(few % 30 + 7, others % 31)).copy();
  CHECK(gp::array_equal(made()(few, others), expected));
  CHECK(gp::array_equal(made()(few % 30 + 7, others % 31), shifted));
  CHECK(gp::array_equal(made()(few, others) * 2, expected * 2));
  CHECK(gp::array_equal(made()({1, -2}, {3, 4}), stored({1, -2}, {3, 4})));
  CHECK_THROWS_AS(made()(few + 40, others), gp::index_error);
  // As it was at the line, and written to.
  gp::ndarray<float> source = f.a.copy(), result = source * weights;
  const gp::ndarray<float> of_source = result(few, others), before = (f.a * weights).eval()(few, others);
  const auto picked = result(few, others);
  source += 1;
  result(0, 0) = -1;
  CHECK(gp::array_equal(of_source, before));
  gp::ndarray<float> same = (source * weights).eval(), written = source * weights;
  written(few, others) = 3, same(few, others) = 3;
  CHECK(gp::array_equal(written, same));
  CHECK(gp::array_equal(gp::ndarray<float>(written(few, others)), gp::full_like(expected, 3)));
}

TEST_CASE("gathers: unsigned numbers") {
  const gp::ndarray<std::uint8_t> image = table<std::uint8_t>(rows, columns) + 5;
  const gp::ndarray<float> curve = gp::sqrt(gp::arange<float>(256));
  const gp::ndarray<float> expected = gp::take(curve, image.astype<std::int64_t>());
  CHECK(gp::array_equal(curve(image), expected));
  CHECK(gp::array_equal(gp::ndarray<float>(curve(image)) * 2, expected * 2));
  const gp::ndarray<float> two_curves = gp::stack({curve, curve + 1});
  CHECK(gp::array_equal(two_curves(gp::all, image)(1), expected + 1));
  CHECK(
      gp::array_equal(two_curves(gp::arange(2)(gp::all, gp::newaxis, gp::newaxis), image)(1), expected + 1));
  CHECK_THROWS_WITH_AS(curve(":255")(image), "index 255 is out of bounds for axis 0 with size 255",
                       gp::index_error);
  gp::ndarray<float> written = gp::zeros<float>(256);
  written(image) = 1.f;
  CHECK(gp::array_equal(written, gp::bincount(image.ravel(), 256) > 0));
}

TEST_CASE("gathers: step by step, too") {
  const gp::jit before = gp::jit_mode();
  const fixture f;
  gp::set_jit_mode(gp::jit::sync);
  const auto later = f.a(f.down, f.j) + 1;
  const gp::ndarray<gp::float16> narrow = f.a.astype<gp::float16>();
  const auto halves = narrow(f.down, f.j) * 2;
  gp::set_jit_mode(gp::jit::off);
  CHECK(gp::array_equal(later, f.expected + 1));
  CHECK(gp::array_equal(halves, f.expected * 2));
  CHECK(gp::array_equal(f.a(f.down, f.j) + 1, f.expected + 1));
  gp::set_jit_mode(before);
}

TEST_CASE("gathers: explain says what is loaded") {
  const fixture f;
  const std::string text = gp::explain(f.a(f.down, f.j) * 2 + 1);
  CHECK(contains(text, "load<float32>("));
  CHECK(contains(text, "multiply<float32>("));
}

TEST_CASE("gathers: indices plus a number") {
  const gp::ndarray<float> line = gp::arange<float>(50) * 2;
  const numbers i = gp::array<std::int64_t>({3, 0, 7}), negative = gp::array<std::int64_t>({-3, -1, -10});
  const auto expected = [&](const numbers& index, std::int64_t by) {
    return gp::ndarray<float>(gp::take(line, numbers(index + by)));
  };
  for (const std::int64_t by : {0, 1, 42}) {
    CHECK(gp::array_equal(line(i + by), expected(i, by)));
    CHECK(gp::array_equal(line(by + i), expected(i, by)));
    CHECK(gp::array_equal(line(i - by), expected(i, -by)));
    CHECK(gp::array_equal(line(negative + by), expected(negative, by)));
    CHECK(gp::array_equal(line(negative - (by - 2)), expected(negative, 2 - by)));
  }
  CHECK_THROWS_WITH_AS(line(i + 43), "index 50 is out of bounds for axis 0 with size 50", gp::index_error);
  CHECK_THROWS_WITH_AS(line(i - 51), "index -51 is out of bounds for axis 0 with size 50", gp::index_error);
  CHECK_THROWS_AS(line(i + std::numeric_limits<std::int64_t>::max()), gp::index_error);
  // Written, with repeated positions, whose last element stays, and beside slices and other arrays.
  gp::ndarray<float> a = gp::zeros<float>({6, 50}), b = a.copy();
  const numbers columns = gp::array<std::int64_t>({3, 0, 3, 7});
  const gp::ndarray<float> values = gp::arange<float>(4);
  a(2, columns + 4) = values, b(2, numbers(columns + 4).copy()) = values;
  a(gp::all, columns + 9) = values, b(gp::all, numbers(columns + 9).copy()) = values;
  a(columns % 3 + 1, columns + 20) += values + 1,
      b(numbers(columns % 3 + 1).copy(), numbers(columns + 20).copy()) += values + 1;
  CHECK(gp::array_equal(a, b));
  CHECK(a(2, 7).item() == 2);
  numbers self = gp::arange(5);
  self(self + 0) = self + 1;
  CHECK(gp::array_equal(self, gp::arange(1, 6)));
}

TEST_CASE("gathers: index arrays that do not fit") {
  const fixture f;
  CHECK_THROWS_WITH_AS(
      f.a(f.i, f.j),
      "shape mismatch: indexing arrays could not be broadcast together with shapes (300,) (260,)",
      gp::index_error);
  CHECK_THROWS_AS(f.a(f.down + 1, f.j), gp::index_error);
  CHECK_THROWS_AS(f.a(f.down, f.j - 1), gp::index_error);
}
