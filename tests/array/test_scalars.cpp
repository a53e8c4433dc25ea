// Arrays that are one number convert to it: where C++ wants a number, and nowhere else.
#include <cmath>
#include <optional>
#include <sstream>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/format.hpp>
#include <gparray/gparray.hpp>
#include <gparray/sparse/linalg.hpp>

#include "support/operator_concepts.hpp"

namespace gp = gparray;

namespace {

double twice(double x) { return 2 * x; }
gp::ndarray<double> square() { return {{1., 2.}, {3., 4.}}; }

template<class X>
concept number = gp::number_like<X>;
/// Not the largest along an axis: gp::maximum is meant.
template<class X>
concept has_largest_of_two = requires(X x) { gp::max(x, x); };
template<class X>
concept tested = requires(X x) { x ? 1 : 0; };

}  // namespace

TEST_CASE("reductions of all axes are numbers where a number is wanted") {
  const auto a = square();
  const double s = a.sum();
  CHECK(s == 10);
  CHECK(std::sqrt(gp::sum(a)) == std::sqrt(10.));
  CHECK(std::pow(a.sum(), 2) == 100);
  CHECK(std::isfinite(gp::mean(a)));
  CHECK(std::max<double>(1.0, gp::max(a)) == 4);
  CHECK(std::max(gp::min(a), gp::max(a)) == 4);
  const double larger = gp::maximum(1.0, gp::max(a));
  CHECK(larger == 4);
  CHECK(twice(a.max()) == 8);
  CHECK(double(a.sum()) == 10);
  CHECK(float(a.sum()) == 10.f);
  CHECK(static_cast<int>(a.mean()) == 2);
  const int narrowed = a.mean();  // as from a double
  CHECK(narrowed == 2);
  const double kept = gp::sum(a, {.keepdims = true});
  CHECK(kept == 10);
  std::vector<double> numbers{a.sum(), a.max()};
  numbers.push_back(a.min());
  numbers.push_back(a(1, 0));
  CHECK(numbers == std::vector<double>{10, 4, 1, 3});
  double total = 1;
  total += a.sum();
  CHECK(total == 11);
  CHECK((true ? a.sum() : 0.0) == 10);
  const std::optional<double> maybe = a.sum();
  CHECK(*maybe == 10);
  CHECK(numbers[gp::argmin(a)] == 10);
  switch (gp::argmax(a)) {
    case 3:
      break;
    default:
      FAIL("argmax");
  }
}

TEST_CASE("they are conditions") {
  const auto a = square();
  CHECK((a.sum() ? true : false));
  CHECK(!(a.sum() - 10));
  CHECK((gp::all(a == a) && !gp::any(a > 5) ? true : false));
  bool taken = false;
  if (a(0, 1) > 1) taken = true;
  CHECK(taken);
  if (a(0, 0) == a(1, 1)) taken = false;
  CHECK(taken);
  const bool equal = gp::all(a == a);
  CHECK(equal);
  const gp::ndarray<std::int64_t> i{-1, 3};
  const gp::ndarray<std::uint64_t> u{7, 3};
  CHECK((i(0) < u(0) ? true : false));  // by the comparison of mixed signs
  CHECK((i(1) == u(1) ? true : false));
  CHECK((u(1) != i(0) ? true : false));
  const gp::ndarray<std::uint8_t> small{7};
  CHECK((small(0) < 300 && small(0) > -1 ? true : false));
}

TEST_CASE("products, norms and determinants are numbers for vectors and matrices") {
  const auto m = square();
  const auto v = m(0);
  const double dot = gp::dot(v, v), inner = gp::inner(v, v), vdot = gp::vdot(v, v), vecdot = gp::vecdot(v, v),
               trace = m.trace(), det = gp::linalg::det(m), norm = gp::linalg::norm(v),
               one = gp::linalg::norm(v, 1), fro = gp::linalg::matrix_norm(m), cond = gp::linalg::cond(m),
               median = gp::median(m), quantile = gp::quantile(m, 0.5), average = gp::average(m),
               weighted = gp::average(m, gp::none, m), area = gp::trapezoid(v),
               einsum = gp::einsum("i,i->", v, v), folded = gp::ufuncs::add.reduce(m, gp::none);
  CHECK(dot == 5);
  CHECK(inner == 5);
  CHECK(vdot == 5);
  CHECK(vecdot == 5);
  CHECK(trace == 5);
  CHECK(det == doctest::Approx(-2));
  CHECK(norm == std::sqrt(5.));
  CHECK(one == 3);
  CHECK(fro == doctest::Approx(std::sqrt(30.)));
  CHECK(cond > 14);
  CHECK(median == 2.5);
  CHECK(quantile == 2.5);
  CHECK(average == 2.5);
  CHECK(weighted == 3);
  CHECK(area == 1.5);
  CHECK(einsum == 5);
  CHECK(folded == 10);
  const auto sparse = gp::sparse::csr_matrix<double>(m);
  const double sum = sparse.sum(), mean = sparse.mean(), most = sparse.max(),
               length = gp::sparse::linalg::norm(sparse);
  CHECK(sum == 10);
  CHECK(mean == 2.5);
  CHECK(most == 4);
  CHECK(length == fro);
  const double third = m.flat()[2];
  CHECK(third == 3);
  const std::int64_t rank = gp::linalg::matrix_rank(m);
  CHECK(rank == 2);
}

TEST_CASE("what is not one element throws when it should be a number") {
  const auto a = square();
  CHECK_THROWS_AS(static_cast<void>(double(a(0))), gp::value_error);
  CHECK_THROWS_AS(static_cast<void>(double(gp::dot(a, a))), gp::value_error);
  CHECK_THROWS_AS(static_cast<void>((a(0) == a(1)) ? 1 : 0), gp::value_error);
  static_assert(!std::is_convertible_v<gp::ndarray<double>, double>);
  static_assert(!std::is_convertible_v<decltype(a + a), double>);
  static_assert(!std::is_convertible_v<decltype(gp::sum(a, 0)), double>);
  static_assert(!std::is_convertible_v<decltype(a(gp::all, 0)), double>);
  static_assert(!std::is_convertible_v<decltype(a(a > 1)), double>);
}

TEST_CASE("they are the arrays and expressions that they were") {
  auto a = square();
  auto s = a.sum();
  static_assert(std::is_base_of_v<gp::expr<double>, decltype(s)>);
  CHECK(s.pending());
  auto t = gp::sqrt(s * 2.0 + a(0, 0));
  static_assert(number<decltype(t)> && std::is_base_of_v<gp::expr<double>, decltype(t)>);
  static_assert(!number<decltype(s + a)> && !number<decltype(a + a)>);
  CHECK(double(t) == std::sqrt(21.));
  const gp::ndarray<double> kept = a.sum();
  CHECK(kept.ndim() == 0);
  CHECK(float(s.astype<float>()) == 10.f);

  a(0) = 5;
  a(1) = a(0);
  a(1, 1) += 2;
  CHECK(a.to_vector() == std::vector<double>{5, 5, 5, 7});
  auto row = a(0);
  const auto same = row;
  row = gp::ndarray<double>{1., 2.};  // a name is bound again
  row = a(1);
  CHECK(row.to_vector() == std::vector<double>{5, 7});
  CHECK(same.to_vector() == std::vector<double>{5, 5});
  auto product = gp::dot(a, a);
  product = a;
  CHECK(product(1, 1).item() == 7);
  const gp::ndarray<double> chosen = true ? a(0) : a;
  CHECK(chosen.ndim() == 1);
}

TEST_CASE("what NumPy refuses does not fall back to the numbers of C++") {
  using truth = decltype(gp::all(square()));
  using real = decltype(gp::sum(square()));
  static_assert(!subtractable<truth, truth> && !subtractable<truth, bool> && !negatable<truth>);
  static_assert(subtractable<real, real> && subtractable<real, int> && negatable<real>);
  static_assert(number<truth> && tested<truth>);
}

TEST_CASE_TEMPLATE("every element type converts", V, bool, std::int8_t, std::uint8_t, std::int16_t,
                   std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double,
                   gp::float16, gp::bfloat16, std::complex<float>, std::complex<double>) {
  const auto a = gp::ones<V>({3});
  const V first = a(0), largest = gp::max(a);
  CHECK(first == a.item(0));
  CHECK(largest == a.item(0));
  CHECK((a(0) ? true : false));
  if constexpr (!std::is_same_v<V, std::complex<float>> && !std::is_same_v<V, std::complex<double>>) {
    const double number = a(1);
    const float single = gp::max(a);
    CHECK(number == 1);
    CHECK(single == 1.f);
  }
}

TEST_CASE("their format is that of numbers, their text that of arrays") {
  const auto a = square();
  CHECK(fmt::format("{:.3f} {:8.2e}|{:d}", a.sum(), a(0, 1), gp::argmax(a)) == "10.000 2.00e+00|3");
  CHECK(fmt::format("{} {} {:>6}|{:<6}|", a.sum(), a(0), a.sum(), a(0, 0)) == "10.0 [1. 2.]     10|1     |");
  CHECK(fmt::format("{:{}.{}f}", a.sum(), 8, 2) == "   10.00");
  CHECK(fmt::format("{:.1f}", gp::sum(gp::ones<gp::float16>({3}))) == "3.0");
  CHECK(fmt::format("{}", gp::sum(gp::ones<std::complex<double>>({2}))) == "(2+0j)");
  CHECK(fmt::format("{:.1f}", a(0)) == "[1.0 2.0]");
  std::ostringstream out;
  out << a.sum() << ' ' << a(0);
  CHECK(out.str() == "10.0 [1. 2.]");
}

TEST_CASE("arrays that are whole numbers are sizes, ends of slices and shifts") {
  const auto v = gp::arange(10., 20.);
  const auto n = gp::array({3, 5});
  CHECK(gp::array_equal(v(gp::slice(gp::none, n(0))), v(":3")));
  CHECK(gp::array_equal(v(gp::slice(n.min(), n.max() + 1)), v("3:6")));
  CHECK(gp::array_equal(v("{}:{}", n(0), v.argmax()), v("3:9")));
  CHECK(gp::array_equal(v("::{}", n(0)), v("::3")));
  CHECK(gp::zeros(n(0)).shape() == gp::dims{3});
  CHECK(gp::ones({n(0), n(1) - 1}).shape() == gp::dims{3, 4});
  CHECK(v.reshape({n(1), -1}).shape() == gp::dims{5, 2});
  CHECK(gp::array_equal(gp::roll(v, n(0)), gp::roll(v, 3)));
  CHECK(gp::tile(v, n.min()).size() == 30);
  CHECK(gp::fft::rfft(v, n(1)).size() == 3);
  CHECK(gp::array_equal(gp::arange(n.max() + 1), gp::arange(6)));
  CHECK(gp::array_equal(gp::arange(n(0), n(1)), gp::arange(3, 5)));
  CHECK(gp::array_equal(gp::arange(v.min(), v.max(), 0.5), gp::arange(10., 19., 0.5)));
  CHECK(gp::arange<float>(n(0)).dtype() == gp::dtype::float32);
  CHECK(gp::histogram(v, 3, {.range = {v.min(), v.max()}}).bin_edges(-1) == 19);
  // A row is no number.
  CHECK_THROWS_AS((void)gp::zeros(n.reshape({1, 2})(0)), gp::value_error);
  // Of flags and of numbers with fractions no size is made.
  static_assert(!std::convertible_to<gp::scalar_expr<bool>, gp::dims>);
  static_assert(!std::convertible_to<gp::scalar_expr<double>, gp::dims>);
  static_assert(!std::convertible_to<gp::ndarray<std::int64_t>, gp::dims>);
  static_assert(!has_largest_of_two<gp::scalar_expr<std::int64_t>>);
}

TEST_CASE("lists of arrays that are numbers make arrays") {
  const auto a = square();
  CHECK(gp::array_equal(gp::array({a.min(), a.max(), a.sum()}), gp::array({1., 4., 10.})));
  CHECK(gp::array({a.min(), a.max()}).dtype() == gp::dtype::float64);
  CHECK(gp::array({a.argmax(), a.argmin()}).dtype() == gp::dtype::int64);
  CHECK(gp::array_equal(gp::array({a(0, 1), a(1, 0)}), gp::array({2., 3.})));
  CHECK(gp::array_equal(gp::asarray({a.min(), a.max()}), gp::array({1., 4.})));
  CHECK(gp::array_equal(gp::array<double>({a.sum(), 2, a.argmax()}), gp::array({10., 2., 3.})));
  CHECK(gp::array_equal(gp::array({{a.min(), a.max()}, {a.sum(), a.mean()}}),
                        gp::array({{1., 4.}, {10., 2.5}})));
  CHECK(gp::array_equal(gp::array<float>({{a(0, 0), 7}, {8, a(1, 1)}}), gp::array<float>({{1, 7}, {8, 4}})));
  CHECK_THROWS_AS((void)gp::array({a(0), a(1)}), gp::value_error);
  CHECK_THROWS_AS((void)gp::array({{a.min(), a.max()}, {a.sum()}}), gp::value_error);
  // In braces alone an array is that array, not a list of one number.
  const gp::ndarray<double> row{a(0)};
  CHECK(row.shape() == gp::dims{2});
}
