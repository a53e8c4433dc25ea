// Products of matrices and vectors agree with NumPy's: the cases of products/products.txt, and what NumPy
// cannot say.
#include <fstream>
#include <memory>
#include <sstream>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/sampler.hpp"
#include "support/table.hpp"
#include "support/test_path.hpp"

namespace gp = gparray;

namespace {

using golden::numbers, golden::split;

template<class V>
inline constexpr bool is_complex_element = gp::is_complex(gp::dtype_of<V>);

/// fill() of make_products_golden.py.
template<class V>
V element_at(std::int64_t i) {
  if constexpr (std::is_same_v<V, bool>) {
    return i % 3 == 1;
  } else if constexpr (is_complex_element<V>) {
    using real = typename V::value_type;
    return {static_cast<real>((i * 7 + 3) % 11 - 5), static_cast<real>((i * 5) % 7 - 3)};
  } else {
    return static_cast<V>(static_cast<int>((i * 7 + 3) % 11 - (std::is_same_v<V, std::uint8_t> ? 0 : 5)));
  }
}

template<class V>
gp::ndarray<V> filled(const gp::dims& shape) {
  return golden::filled<V>(shape, element_at<V>);
}

template<class V>
gp::ndarray<V> make(char layout, const gp::dims& shape) {
  if (layout == 't') {
    gp::dims reversed = shape;
    std::ranges::reverse(reversed);
    return filled<V>(reversed).T();
  }
  if (layout == 's') {
    gp::dims wide = shape;
    wide[wide.size() - 1] *= 2;
    return filled<V>(wide)("..., ::2");
  }
  const gp::ndarray<V> a = filled<V>(shape);
  return layout == 'r' ? a("..., ::-1") : a;
}

struct golden_case {
  std::string function, argument, pair, outcome;
  char layout_a, layout_b;
  gp::dims shape_a, shape_b;
};

/// NumPy's outcome of the same call, in the format of the file.
template<class V>
std::string text(const gp::ndarray<V>& c) {
  std::ostringstream out;
  out << gp::detail::row(c.dtype()).code << '|';
  for (std::size_t i = 0; i < c.shape().size(); ++i) out << (i ? "," : "") << c.shape()[i];
  out << '|';
  bool first = true;
  for (const auto value : c.to_vector()) {
    if (!first) out << ',';
    first = false;
    if constexpr (is_complex_element<V>)
      out << static_cast<long>(value.real()) << ',' << static_cast<long>(value.imag());
    else out << static_cast<long>(value);
  }
  return out.str();
}

template<class A, class B>
std::string call(const golden_case& c) {
  const gp::ndarray<A> a = make<A>(c.layout_a, c.shape_a);
  const gp::ndarray<B> b = make<B>(c.layout_b, c.shape_b);
  if (c.function == "matmul") return text(gp::matmul(a, b));
  if (c.function == "matvec") return text(gp::matvec(a, b));
  if (c.function == "vecmat") return text(gp::vecmat(a, b));
  if (c.function == "vecdot") return text(gp::vecdot(a, b, c.argument.empty() ? -1 : std::stoi(c.argument)));
  if (c.function == "dot") return text(gp::dot(a, b));
  if (c.function == "inner") return text(gp::inner(a, b));
  if (c.function == "vdot") return text(gp::vdot(a, b));
  if (c.function == "outer") return text(gp::outer(a, b));
  REQUIRE(c.function == "tensordot");
  const auto semicolon = c.argument.find(';');
  if (semicolon == std::string::npos) return text(gp::tensordot(a, b, std::stoi(c.argument)));
  return text(gp::tensordot(
      a, b, {numbers(c.argument.substr(0, semicolon)), numbers(c.argument.substr(semicolon + 1))}));
}

std::string call(const golden_case& c) {
  if (c.pair == "dd") return call<double, double>(c);
  if (c.pair == "ff") return call<float, float>(c);
  if (c.pair == "ee") return call<gp::float16, gp::float16>(c);
  if (c.pair == "FF") return call<std::complex<float>, std::complex<float>>(c);
  if (c.pair == "DD") return call<std::complex<double>, std::complex<double>>(c);
  if (c.pair == "bb") return call<std::int8_t, std::int8_t>(c);
  if (c.pair == "BB") return call<std::uint8_t, std::uint8_t>(c);
  if (c.pair == "ii") return call<std::int32_t, std::int32_t>(c);
  if (c.pair == "ll") return call<std::int64_t, std::int64_t>(c);
  if (c.pair == "??") return call<bool, bool>(c);
  if (c.pair == "if") return call<std::int32_t, float>(c);
  if (c.pair == "fF") return call<float, std::complex<float>>(c);
  if (c.pair == "dF") return call<double, std::complex<float>>(c);
  if (c.pair == "?b") return call<bool, std::int8_t>(c);
  FAIL("no such pair of dtypes: " << c.pair);
  return {};
}

}  // namespace

TEST_CASE("products are NumPy's, for every layout and dtype") {
  std::ifstream file(test_path("products/products.txt"));
  sampler taken;
  int cases = 0;
  for (std::string line; std::getline(file, line); ++cases) {
    if (!taken()) continue;
    const std::vector<std::string> f = split(line, '\t');
    REQUIRE(f.size() == 9);
    const golden_case c{f[0], f[1], f[2] + f[5], f[8], f[3][0], f[6][0], numbers(f[4]), numbers(f[7])};
    INFO(line);
    if (!c.outcome.starts_with("error|")) {
      CHECK(call(c) == c.outcome);
      continue;
    }
    try {
      call(c);
      FAIL_CHECK("no exception");
    } catch (const gp::value_error& e) {
      CHECK(std::string_view(e.what()).starts_with(c.outcome.substr(6)));
    }
  }
  CHECK(cases > 1900);
}

TEST_CASE("large products, whose parts go to several threads or tiles, are exact where the numbers are") {
  // Sums of k products of numbers up to 5 stay below 2^24, so that float32 holds them exactly.
  const std::int64_t m = 301, k = 517, n = 259;
  const gp::ndarray<float> a = filled<float>({m, k}), b = filled<float>({k, n});
  const std::vector<float> c = gp::matmul(a, b).to_vector(), x = a.to_vector(), y = b.to_vector();
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  int wrong = 0;
  for (std::int64_t i = 0; i < m; ++i) {
    std::vector<float> row(at(n), 0.f);
    for (std::int64_t l = 0; l < k; ++l)
      for (std::int64_t j = 0; j < n; ++j) row[at(j)] += x[at(i * k + l)] * y[at(l * n + j)];
    for (std::int64_t j = 0; j < n; ++j) wrong += c[at(i * n + j)] != row[at(j)];
  }
  CHECK(wrong == 0);
  // The same product from transposed operands, as a batch and as integers.
  const auto expected = gp::matmul(a, b);
  CHECK(gp::all(gp::matmul(b.T(), a.T()).T() == expected).item());
  CHECK(gp::all(gp::matmul(a.astype<std::int32_t>(), b.astype<std::int32_t>()) == expected).item());
  CHECK(gp::all(gp::matmul(a.reshape({7, 43, k}), b).reshape({m, n}) == expected).item());
}

TEST_CASE("an expression may be an operand, and a result an operand of an expression") {
  const gp::ndarray<double> a{{1., 2.}, {3., 4.}}, b{{5., 6.}, {7., 8.}};
  CHECK((gp::matmul(a + 1., b * 2.) - 1.).to_vector() == std::vector<double>{61, 71, 109, 127});
  auto pending = a + b;
  CHECK(gp::vdot(pending, b).item() == 6 * 5 + 8 * 6 + 10 * 7 + 12 * 8);
  CHECK(pending.to_vector() == std::vector<double>{6, 8, 10, 12});
}

TEST_CASE("a pending operand keeps its value when its inputs change after the product") {
  using z = std::complex<double>;
  gp::ndarray<z> a{z(0, 1), z(2, 3)};
  auto pending = a + a;
  const gp::ndarray<z> square = gp::vdot(pending, pending);
  a += z(1, 0);
  CHECK(square.item() == z(56, 0));
  CHECK(pending.to_vector() == std::vector<z>{z(0, 2), z(4, 6)});
}

TEST_CASE("halves accumulate in float32") {
  // 4096 * 0.25 in float16 alone would stop at 512, where the spacing of float16 becomes 0.5.
  const gp::ndarray<gp::float16> a(std::vector<float>(4096, 0.5f));
  CHECK(static_cast<float>(gp::dot(a, a).item()) == 1024.f);
  CHECK(static_cast<float>(gp::matmul(a.reshape({1, 4096}), a.reshape({4096, 1})).item()) == 1024.f);
  const gp::ndarray<gp::bfloat16> b(std::vector<float>(4096, 0.5f));
  CHECK(static_cast<float>(gp::dot(b, b).item()) == 1024.f);
  CHECK(static_cast<float>(gp::matmul(b.reshape({1, 4096}), b.reshape({4096, 1})).item()) == 1024.f);
}

TEST_CASE("tensordot of two matrices sums over either axis of both") {
  const gp::ndarray<double> a{{1, 2, 3}, {4, 5, 6}}, b{{1, -1}, {0, 2}, {5, 3}};
  const gp::ndarray<double> across = a.T().copy(), turned = b.T().copy(), expected{{16, 12}, {34, 24}};
  CHECK(gp::array_equal(gp::tensordot(a, b, 1), expected));
  CHECK(gp::array_equal(gp::tensordot(a, b, {{1}, {0}}), expected));
  CHECK(gp::array_equal(gp::tensordot(across, b, {{0}, {0}}), expected));
  CHECK(gp::array_equal(gp::tensordot(a, turned, {{-1}, {-1}}), expected));
  CHECK(gp::array_equal(gp::tensordot(across, turned, {{0}, {1}}), expected));
}

TEST_CASE("errors of products that NumPy words otherwise") {
  const gp::ndarray<double> a = filled<double>({2, 3}), b = filled<double>({4, 2});
  CHECK_THROWS_WITH_AS(gp::inner(a, b), "shapes (2,3) and (4,2) not aligned: 3 (dim 1) != 2 (dim 1)",
                       gp::value_error);
  CHECK_THROWS_AS(gp::tensordot(a, b, 3), gp::value_error);
  CHECK_THROWS_AS(gp::tensordot(a, b, -1), gp::value_error);
  CHECK_THROWS_AS(gp::tensordot(a, b, {{5}, {0}}), gp::axis_error);
  CHECK_THROWS_AS(gp::tensordot(a, a, {{0, 0}, {0, 0}}), gp::value_error);
}

TEST_CASE("diagonal is a view and trace its sum") {
  const gp::ndarray<std::int32_t> a{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};
  CHECK(gp::diagonal(a).to_vector() == std::vector<std::int32_t>{0, 5, 10});
  CHECK(gp::diagonal(a, 2).to_vector() == std::vector<std::int32_t>{2, 7});
  CHECK(gp::diagonal(a, -2).to_vector() == std::vector<std::int32_t>{8});
  CHECK(gp::diagonal(a, 4).size() == 0);
  CHECK(gp::diagonal(a, -1, 1, 0).to_vector() == std::vector<std::int32_t>{1, 6, 11});
  const gp::ndarray<std::int32_t> cube = filled<std::int32_t>({2, 3, 4});
  CHECK(gp::diagonal(cube, 1, 0, 2).shape() == gp::dims{3, 2});
  const auto trace = gp::trace(a, 1);
  CHECK(trace.dtype() == gp::dtype::int64);
  CHECK(trace.item() == 1 + 6 + 11);
  CHECK_THROWS_AS(gp::diagonal(a)(gp::all) = -1, gp::value_error);
  gp::einsum("ii->i", a(gp::all, gp::slice(0, 3)))(gp::all) = -1;
  CHECK(a.to_vector() == std::vector<std::int32_t>{-1, 1, 2, 3, 4, -1, 6, 7, 8, 9, -1, 11});
  CHECK_THROWS_WITH_AS(gp::diagonal(a("0")), "diag requires an array of at least two dimensions",
                       gp::value_error);
  CHECK_THROWS_WITH_AS(gp::diagonal(a, 0, 1, -1), "axis1 and axis2 cannot be the same", gp::value_error);
}

TEST_CASE("products write to out=, which may be one of the operands") {
  gp::ndarray<double> a{{1., 2.}, {3., 4.}};
  const gp::ndarray<double> b{{5., 6.}, {7., 8.}};
  gp::ndarray<float> narrow{{0.f, 0.f}, {0.f, 0.f}};
  CHECK(&gp::matmul(a, b, narrow) == &narrow);
  CHECK(narrow.to_vector() == std::vector<float>{19, 22, 43, 50});
  gp::matmul(a, b, narrow.T());
  CHECK(narrow.to_vector() == std::vector<float>{19, 43, 22, 50});
  gp::matmul(a, b, a);
  CHECK(a.to_vector() == std::vector<double>{19, 22, 43, 50});
  gp::dot(b, b, a);
  CHECK(a.to_vector() == std::vector<double>{67, 78, 91, 106});
  const gp::ndarray<double> row{0., 0.};
  CHECK_THROWS_AS(gp::matmul(a, b, row), gp::value_error);
  CHECK_THROWS_AS(gp::dot(a, b, row), gp::value_error);
  CHECK_THROWS_AS(gp::dot(a, b, a.T()), gp::value_error);
  CHECK(row.to_vector() == std::vector<double>{0, 0});
  const auto fits = [](auto out) {
    using O = decltype(out);
    return std::pair(
        requires(const gp::ndarray<double>& x, O& y) { gp::matmul(x, x, y); },
        requires(const gp::ndarray<double>& x, O& y) { gp::dot(x, x, y); });
  };
  CHECK(fits(a) == std::pair(true, true));
  CHECK(fits(narrow) == std::pair(true, false));
  CHECK(fits(gp::ndarray<int>{1}) == std::pair(false, false));
}
