// Traps of rounding, complex numbers, statistics in one pass, differences, products and norms.
#include <cmath>

#include "support/traps.hpp"

using namespace traps;
using i8 = std::int8_t;
using u8 = std::uint8_t;
using i64 = std::int64_t;
using z = std::complex<double>;

namespace {

const double NaN = std::nan(""), inf = HUGE_VAL;

gp::ndarray<double> ones(const gp::dims& shape) { return gp::ones(shape); }

/// The list rounds what no two libraries compute alike.
gp::ndarray<double> rounded(const gp::ndarray<double>& a) { return gp::round(a, 10); }

template<class A>
concept floor_divisible = requires(const A& a) { gp::floor_divide(a, a); };

}  // namespace

TEST_CASE("rounding and taking numbers apart") {
  TRAP("float-arith-012", gp::round(A({2.675, 1.005, 0.285}), 2));
  TRAP("float-arith-013", gp::round(A({1250, 1350, -1250}), -2));
  const auto [mantissa, exponent] = gp::frexp(A({8., 0., -3.}));
  TRAP("float-arith-033/0", mantissa);
  TRAP("float-arith-033/1", exponent);
  const auto [fraction, whole] = gp::modf(A({-2.5, inf, -0.}));
  TRAP("float-arith-034/0", fraction);
  TRAP("float-arith-034/1", whole);
  TRAP("float-arith-045", gp::isclose(1.0, 1.1, {.rtol = 0.1, .atol = 0}));
  TRAP("float-arith-046", gp::isclose(1e-10, 0));
  TRAP("extra-001", gp::isclose(1.1, 1.0, {.rtol = 0.1, .atol = 0}));
  TRAP("extra-007", gp::abs(A({true})));
  TRAP("extra-009", A<i64>({1ll << 62}) * A({4}));
  TRAP("extra-015", gp::clip(A({1, 9}), gp::none, 5));
}

TEST_CASE("complex numbers") {
  TRAP("complex-001", gp::abs(A<std::complex<float>>({std::complex<float>(3, 4)})));
  TRAP("complex-002", gp::angle(A({z(-1, 0), z(-1, -0.)})));
  TRAP("complex-004", gp::log(A({z(-1, 0)})));
  TRAP_REJECTED("complex-005", floor_divisible<gp::ndarray<z>>);
  TRAP("complex-007", gp::power(A({z(0, 0)}), 0));
  TRAP("complex-008", gp::power(A({z(0, 0)}), A({z(-1, 0)})));
  TRAP("complex-010", gp::round(A({z(1.5, 2.5)})));
  TRAP("complex-011", gp::isnan(A({z(0, NaN)})));
  TRAP("complex-013/0", A({z(1, 2)}).real());
  TRAP("complex-013/1", A<std::complex<float>>({std::complex<float>(1, 2)}).imag());
  const auto a = A({z(1, 2)});
  a.real()(0) = 9;
  TRAP("complex-014", a);
  TRAP("complex-017", gp::isclose(A({z(1, 1)}), A({z(1, 1) + z(0, 1e-9)})));
  TRAP("complex-019", gp::prod(A({z(0, 1), z(0, 1)})));
  TRAP("complex-020", gp::vdot(A({z(0, 1)}), A({z(0, 1)})));
  TRAP("complex-022", gp::exp(A({z(-inf, NaN)})));
  TRAP("complex-023", A({z(1, 2)}) > 1);
  TRAP("sort-013", A({z(1, 2)}) < A({z(1, 3)}));
  TRAP("sort-015", gp::argmax(A({z(1, 2), z(1, 3)})));
}

TEST_CASE("means, variances and sums") {
  TRAP("stats-037", gp::var(A({1, 2, 3, 4})));
  TRAP("stats-038", gp::var(A({1, 2, 3, 4}), {.ddof = 1}));
  TRAP("stats-040", gp::var(A({5., 6.}), {.ddof = 3}));
  TRAP("stats-041", gp::var(A({z(1, 1), z(1, -1)})));
  TRAP("stats-043", gp::std(A<i8>({1, 2})));
  CHECK(std::isnan(gp::std(A({1., NaN, 3.})).item()));
  CHECK(gp::std(A({1., 3.}), {.ddof = 1}).item() == std::sqrt(2.));
  CHECK(std::isinf(gp::std(A({1., 3.}), {.ddof = 2}).item()));
  TRAP("stats-044", gp::var(A<gp::float16>({1, 2})));
  TRAP("stats-050", gp::mean(gp::full<gp::float16>(70000, 1)));
  TRAP("stats-052/0", gp::sum(gp::ones<gp::float16>(3000)));
  TRAP("stats-058", gp::sum(A({1., 2., 3.}), {.where = A({true, false, true})}));
  TRAP_THROWS("stats-059", gp::max(A({1, 2, 3}), {.where = A({true, false, true})}));
  TRAP("stats-061", gp::sum(A({1, 2}), {.initial = 10}));
  TRAP("stats-062", gp::mean(A({1, 2, 3, 4}), {.where = A({true, false, false, true})}));
  TRAP("stats-067", gp::any(A({{0, 0}, {0, 2}}), 1));
  TRAP("extra-003", gp::mean(A({true, false})));
  TRAP("extra-004", gp::var(A({true, false})));
  TRAP("extra-019", gp::average(A<float>({1, 2})));
  TRAP("extra-021", gp::mean(A({1e308, 1e308})));
  TRAP("extra-022", gp::sum<double>(A<float>({1, 2})));
  TRAP("extra-025", gp::sum(gp::full(7, 0.1)));
  TRAP("extra-012", gp::nanmin(A({NaN, inf})));
  TRAP("extra-013", gp::nanmax(A({1, 2})));
  TRAP("extra-043", gp::argmax(A({{1, 5}, {7, 2}})));
}

TEST_CASE("means and variances with a mask") {
  // Rows: partly, fully, and not at all included; what is left out may be NaN.
  const auto a = A({{1., NaN, 4.}, {1., 2., 6.}, {NaN, NaN, 1.}});
  const auto mask = A({{true, false, true}, {true, true, true}, {false, false, false}});
  const auto check_rows = [](const gp::ndarray<double>& have, double first, double second) {
    CHECK(have.shape() == gp::dims{3});
    CHECK(have(0).item() == first);
    CHECK(have(1).item() == second);
    CHECK(std::isnan(have(2).item()));
  };
  check_rows(gp::mean(a, 1, {.where = mask}), 2.5, 3);
  check_rows(gp::var(a, 1, {.where = mask}), 2.25, 14. / 3);
  check_rows(gp::var(a, 1, {.where = mask, .ddof = 1}), 4.5, 7);
  check_rows(gp::std(a, 1, {.where = mask, .ddof = 1}), std::sqrt(4.5), std::sqrt(7.));
  check_rows(gp::nanmean(a, 1, {.where = mask}), 2.5, 3);
  CHECK(gp::std(a, 1, {.where = mask, .keepdims = true}).shape() == gp::dims{3, 1});
  CHECK(gp::mean(a, {.where = A({true, false, true})}).shape().empty());
  CHECK(gp::var(A({z(1, 1), z(1, -1), z(9, 9)}), {.where = A({true, true, false})}).item() == 1);
  CHECK(static_cast<float>(gp::mean(gp::full<gp::float16>(70000, 1), {.where = A({true})}).item()) == 1);
}

TEST_CASE("cumulative sums and differences") {
  TRAP("int-arith-033", gp::cumsum(A<i8>({1, 2})));
  TRAP("extra-018", gp::cumprod(A<u8>({1, 2})));
  TRAP("stats-068", gp::cumsum(A({{1, 2}, {3, 4}})));
  TRAP("misc-035", gp::cumulative_sum(A({1, 2, 3}), {.include_initial = true}));
  const auto a = gp::arange(5);
  a(gp::all) = gp::cumsum(a);
  TRAP("overlap-007", a);
  TRAP("stats-070", gp::diff(A<u8>({1, 0})));
  TRAP("stats-071", gp::diff(A({true, false, false})));
  TRAP("stats-073", gp::diff(A({5})));
  TRAP("stats-074", gp::gradient(A({1., 4., 9., 16.})));
  TRAP("stats-085", gp::ediff1d(A({1, 3, 6}), {.to_begin = A({-9})}));
}

TEST_CASE("products") {
  TRAP("reduce-empty-014", gp::matmul(gp::zeros({2, 0}), gp::zeros({0, 3})));
  TRAP("matmul-002", gp::matmul(ones(3), ones({5, 3, 2})).shape());
  TRAP("matmul-003", gp::matmul(ones({5, 2, 3}), ones(3)).shape());
  TRAP_THROWS("matmul-005", gp::matmul(ones({2, 3}), ones({2, 3})));
  TRAP_THROWS("matmul-006", gp::matmul(ones({2, 3}), gp::array(2.0)));
  TRAP("matmul-008", gp::matmul(A<i8>({100}), A<i8>({2})));
  TRAP("matmul-009", gp::matmul(A<std::int32_t>({{1, 2}}), A<float>({{1.}, {2.}})));
  TRAP("matmul-011", gp::inner(ones({2, 3}), ones({4, 3})).shape());
  TRAP("matmul-012", gp::tensordot(ones({2, 3, 4}), ones({3, 4, 5})).shape());
  TRAP("matmul-014", gp::tensordot(ones({2, 3}), ones({2, 4}), {{0}, {0}}).shape());
  TRAP("matmul-015", gp::tensordot(ones({2, 3, 4}), ones({4, 3, 5}), {{1, 2}, {1, 0}}).shape());
  TRAP("matmul-018", gp::vecdot(A({z(0, 1), z(1, 0)}), A({z(0, 1), z(1, 0)})));
  TRAP("matmul-030", gp::matmul(gp::zeros({0, 2}), gp::zeros({2, 3})).shape());
  TRAP("stats-064", gp::outer(A({1, 2}), A({3, 4})));
  TRAP("linalg-058", gp::trace(gp::arange(9).reshape({3, 3}), 1));
  TRAP("linalg-059", gp::outer(A({{1, 2}}), A({3})).shape());
  TRAP("extra-052", gp::diagonal(gp::arange(8).reshape({2, 2, 2}), 0, -2, -1));
  TRAP("extra-054", gp::matvec(ones({2, 3}), ones(3)));
}

TEST_CASE("norms") {
  const auto m = A({{1., 2.}, {3., 4.}}), v = A({3., -4., 0.});
  TRAP("linalg-037", rounded(gp::linalg::norm(m, "fro")));
  TRAP("linalg-040", rounded(gp::linalg::norm(m, -inf)));
  TRAP("linalg-041", rounded(gp::linalg::norm(m, 1)));
  TRAP("linalg-046", rounded(gp::linalg::norm(v, 0)));
  TRAP("linalg-047", rounded(gp::linalg::norm(v, 1)));
  TRAP("linalg-049", rounded(gp::linalg::norm(v, 3)));
  TRAP("linalg-050", rounded(gp::linalg::norm(v, inf)));
  TRAP("linalg-052", rounded(gp::linalg::norm(v, -1)));
  TRAP("linalg-053", gp::linalg::norm(ones({2, 2, 2})));
  TRAP("linalg-055", gp::linalg::norm(ones({2, 3, 4}), gp::none, {1, 2}).shape());
  TRAP("linalg-056", gp::linalg::norm(A<i8>({3, 4})));
}
