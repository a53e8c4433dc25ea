// Norms agree with NumPy 2's numbers, dtypes, shapes and errors.
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
namespace linalg = gparray::linalg;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// The sums here have at most eight terms and one root or power: 16 roundings are more than enough.
doctest::Approx near(double value) { return doctest::Approx(value).epsilon(16 * gp::finfo<double>::eps); }

gp::ndarray<double> vector() { return {3., -4., 0.}; }

}  // namespace

TEST_CASE("vector norms of every order") {
  CHECK(linalg::norm(vector()).item() == 5);
  CHECK(linalg::norm(vector(), 2).item() == 5);
  CHECK(linalg::norm(vector(), 1).item() == 7);
  CHECK(linalg::norm(vector(), inf).item() == 4);
  CHECK(linalg::norm(vector(), -inf).item() == 0);
  CHECK(linalg::norm(vector(), 0).item() == 2);
  CHECK(linalg::norm(vector(), 3).item() == near(4.497941445275415));
  CHECK(linalg::norm(vector(), -1).item() == 0);
  CHECK(linalg::norm(vector(), 0.5).item() == near(13.928203230275509));
}

TEST_CASE("a norm fuses with the expression that it is of") {
  const gp::ndarray<double> a{{1., 2.}, {3., 4.}}, b{{1., 5.}, {-1., 4.}};
  CHECK(linalg::norm(a - b).item() == 5);
  CHECK(linalg::norm(a - b, 1).item() == 4);
  CHECK(linalg::norm((a - b)("0"), 1).item() == 3);
}

TEST_CASE("norms of all elements whatever the shape") {
  const gp::ndarray<double> cube{{{1., 1.}, {1., 1.}}, {{1., 1.}, {1., 1.}}};
  CHECK(linalg::norm(cube).item() == near(2.8284271247461903));
  CHECK(linalg::norm(cube, {.keepdims = true}).shape() == gp::dims{1, 1, 1});
  CHECK(linalg::vector_norm(cube, 3).item() == near(2));
  CHECK(linalg::vector_norm(cube, 3, gp::dims{0, 2}).to_vector().size() == 2);
  CHECK(linalg::vector_norm(cube, 1, gp::dims{0, 2}, {.keepdims = true}).shape() == gp::dims{1, 2, 1});
}

TEST_CASE("matrix norms") {
  const gp::ndarray<double> m{{1., -2., 3.}, {-4., 5., 6.}};
  CHECK(linalg::norm(m, 1).item() == 9);
  CHECK(linalg::norm(m, -1).item() == 5);
  CHECK(linalg::norm(m, inf).item() == 15);
  CHECK(linalg::norm(m, -inf).item() == 6);
  CHECK(linalg::norm(m, "fro").item() == near(9.539392014169456));
  CHECK(linalg::matrix_norm(m).item() == near(9.539392014169456));
  CHECK(linalg::norm(m, 1, {1, 0}).item() == 15);
  CHECK(linalg::norm(m, 1, {0, 1}, {.keepdims = true}).shape() == gp::dims{1, 1});
  CHECK(linalg::norm(m, 1, {.keepdims = true}).shape() == gp::dims{1, 1});
}

TEST_CASE("norms along axes") {
  const gp::ndarray<double> m{{3., 0., 6.}, {-4., 5., 8.}};
  CHECK(linalg::norm(m, gp::none, 0).to_vector() == std::vector<double>{5, 5, 10});
  CHECK(linalg::norm(m, 1, 1).to_vector() == std::vector<double>{9, 17});
  CHECK(linalg::norm(m, -inf, 0).to_vector() == std::vector<double>{3, 0, 6});
  CHECK(linalg::norm(m, 0, -1, {.keepdims = true}).shape() == gp::dims{2, 1});
  const gp::ndarray<double> pair{{{1., 2.}, {3., 4.}}, {{0., 1.}, {-7., 0.}}};
  CHECK(linalg::norm(pair, 1, {1, 2}).to_vector() == std::vector<double>{6, 7});
  CHECK(linalg::norm(pair, inf, {-2, -1}).to_vector() == std::vector<double>{7, 7});
  CHECK(linalg::norm(pair, gp::none, {0, 2}).to_vector()[1] == near(std::sqrt(9. + 16. + 49.)));
  CHECK(linalg::norm(pair, "fro", {0, 2}).shape() == gp::dims{2});
}

TEST_CASE("dtypes of norms") {
  const gp::ndarray<std::int8_t> bytes{3, 4};
  CHECK(linalg::norm(bytes).dtype() == gp::dtype::float64);
  CHECK(linalg::norm(bytes, 1).dtype() == gp::dtype::float64);
  CHECK(linalg::norm(gp::ndarray<std::int8_t>{-128, 127}, inf).item() == 128);
  CHECK(linalg::norm(bytes.astype<float>(), 0).dtype() == gp::dtype::float32);
  CHECK(linalg::norm(bytes.astype<gp::float16>(), 3).dtype() == gp::dtype::float16);
  CHECK(linalg::norm(gp::ndarray<bool>{true, true, false}, 1).item() == 2);
  using z = std::complex<float>;
  const gp::ndarray<z> c{z(3, 4), z(0, 0)};
  CHECK(linalg::norm(c).dtype() == gp::dtype::float32);
  CHECK(linalg::norm(c).item() == 5);
  CHECK(linalg::norm(c, 1).item() == 5);
  CHECK(linalg::norm(c, 0).item() == 1);
}

TEST_CASE("norms of nothing and of NaN") {
  const gp::ndarray<double> nothing;
  CHECK(linalg::norm(nothing).item() == 0);
  CHECK(linalg::norm(nothing, 1).item() == 0);
  CHECK(linalg::norm(nothing, inf).item() == 0);
  CHECK_THROWS_WITH_AS(linalg::norm(nothing, -inf),
                       "zero-size array to reduction operation minimum which has no identity",
                       gp::value_error);
  const gp::ndarray<double> with_nan{1., std::numeric_limits<double>::quiet_NaN()};
  CHECK(std::isnan(linalg::norm(with_nan, inf).item()));
  CHECK(std::isnan(linalg::norm(with_nan).item()));
}

TEST_CASE("condition numbers of a singular matrix") {
  // Its least singular value is a rounding error, a small multiple of the largest one's, or nothing.
  const double error = 8 * gp::finfo<double>::eps;
  const gp::ndarray<double> ones = gp::ones({2, 2});
  CHECK(linalg::cond(ones).item() >= 1 / error);
  CHECK(linalg::cond(ones, 2).item() >= 1 / error);
  CHECK(linalg::cond(ones, -2).item() <= error);
}

TEST_CASE("errors of norms") {
  const gp::ndarray<double> m{{1., 2.}, {3., 4.}}, cube{{{1.}}};
  CHECK_THROWS_WITH_AS(linalg::norm(m, 3), "Invalid norm order for matrices.", gp::value_error);
  CHECK_THROWS_WITH_AS(linalg::norm(m, "foo"), "Invalid norm order for matrices.", gp::value_error);
  CHECK_THROWS_WITH_AS(linalg::norm(cube, 1), "Improper number of dimensions to norm.", gp::value_error);
  CHECK_THROWS_WITH_AS(linalg::norm(m, 1, {0, 1, 1}), "Improper number of dimensions to norm.",
                       gp::value_error);
  CHECK_THROWS_WITH_AS(linalg::norm(vector(), "fro"), "Invalid norm order 'fro' for vectors",
                       gp::value_error);
  CHECK_THROWS_WITH_AS(linalg::norm(m, 1, {0, 0}), "Duplicate axes given.", gp::value_error);
  CHECK_THROWS_AS(linalg::norm(m, 1, 5), gp::axis_error);
  const gp::ndarray<double> number = gp::full(gp::dims{}, 3.);
  CHECK_THROWS_AS(linalg::norm(number, 1, 0), gp::axis_error);
  CHECK_THROWS_AS(linalg::norm(number, gp::none, -1), gp::axis_error);
  CHECK_THROWS_AS(linalg::vector_norm(number, 2, 0), gp::axis_error);
}
