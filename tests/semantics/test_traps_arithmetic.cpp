// Traps of promotion, integer and floating arithmetic.
#include <cmath>

#include "support/operator_concepts.hpp"
#include "support/random_arrays.hpp"
#include "support/same_bits.hpp"
#include "support/traps.hpp"

using namespace traps;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u64 = std::uint64_t;
using f16 = gp::float16;

namespace {

const double NaN = std::nan(""), inf = HUGE_VAL;
constexpr i64 int64_max = std::numeric_limits<i64>::max();

template<class A, class B>
concept addable_in_place = requires(A a, B b) { a += b; };
template<class A, class B>
concept divisible_in_place = requires(A a, B b) { a /= b; };

}  // namespace

TEST_CASE("promotion") {
  TRAP("promotion-019", A<u64>({1, 2}) + A({1, 2}));
  TRAP("promotion-020", A({true}) + A({true}));
  TRAP_REJECTED("promotion-022", subtractable<gp::ndarray<bool>&, gp::ndarray<bool>&>);
  TRAP_REJECTED("promotion-023", negatable<gp::ndarray<bool>&>);
  TRAP("promotion-025", A<u8>({200}) + A<u8>({100}));
  TRAP("promotion-026", A<i64>({int64_max}) + A({1}));
  TRAP_THROWS("promotion-028", A<u8>({1}) + 300);
  TRAP_THROWS("promotion-029", A<u8>({1}) + (-1));
  TRAP("promotion-031", A<float>({1}) + 1.5);
  TRAP("promotion-034", A({true}) + 1);
  TRAP("promotion-035", A({true}) + 1.0);
  TRAP("promotion-037", A<f16>({1}) + A({1.})(0));
  TRAP("promotion-038", A<float>({3e38}) * 10.0);
  TRAP("promotion-040", A<u8>({1}) < 300);
  TRAP("promotion-041", A<u8>({1}) == -1);
  TRAP("promotion-043", A<u64>({(1ull << 53) + 1}) == A<i64>({1ll << 53}));
  TRAP("promotion-044", A<i64>({(1ll << 53) + 1}) == A<double>({0x1p53}));
  TRAP("promotion-046", A({true}) / A({true}));
  TRAP("promotion-047", A<i16>({1}) / A<f16>({2}));
  TRAP("promotion-049", gp::sqrt(A<i8>({4})));
  TRAP("promotion-050", gp::sqrt(A<i16>({4})));
  TRAP("promotion-052", gp::exp(A({true})));
  TRAP("promotion-053", gp::floor(A<i32>({1, 2})));
}

TEST_CASE("exact comparisons of int64 with uint64 and with numbers out of range") {
  const auto s = A<i64>({i64{-1}, i64{0}, int64_max});
  const auto u = A<u64>({u64{0}, u64{0}, static_cast<u64>(int64_max) + 1});
  CHECK((s < u).to_vector() == std::vector<bool>{true, false, true});
  CHECK((s <= u).to_vector() == std::vector<bool>{true, true, true});
  CHECK((s > u).to_vector() == std::vector<bool>{false, false, false});
  CHECK((s >= u).to_vector() == std::vector<bool>{false, true, false});
  CHECK((s == u).to_vector() == std::vector<bool>{false, true, false});
  CHECK((s != u).to_vector() == std::vector<bool>{true, false, true});
  CHECK((u > s).to_vector() == std::vector<bool>{true, false, true});
  CHECK((u <= s).to_vector() == std::vector<bool>{false, true, false});
  CHECK((A<u8>({5}) > -1).to_vector() == std::vector<bool>{true});
  CHECK((A<u8>({5}) >= 256).to_vector() == std::vector<bool>{false});
  CHECK((300 > A<u8>({5})).to_vector() == std::vector<bool>{true});
  CHECK((A<u8>({5}) != 256).to_vector() == std::vector<bool>{true});
}

TEST_CASE("integer arithmetic") {
  TRAP("int-arith-001", gp::floor_divide(A({-7, 7, -7, 7}), A({2, -2, -2, 2})));
  TRAP("int-arith-003", gp::fmod(A({-7, 7}), A({2, -2})));
  TRAP("int-arith-004", gp::floor_divide(A({1, -1, 0}), A({0, 0, 0})));
  TRAP("int-arith-006", gp::floor_divide(A<i8>({-128}), A<i8>({-1})));
  TRAP("int-arith-007", A<i8>({-128}) % A<i8>({-1}));
  TRAP("int-arith-009", gp::abs(A<i8>({-128})));
  TRAP("int-arith-010", -A<u8>({1}));
  TRAP("int-arith-013", gp::power(A({2}), -1.0));
  TRAP("int-arith-015", gp::power(A<u8>({3}), 5));
  TRAP("int-arith-016", gp::power(A<u8>({3}), 6));
  TRAP("int-arith-018", gp::left_shift(A<i32>({1}), 32));
  TRAP("int-arith-019", gp::right_shift(A<i8>({-8}), 100));
  TRAP("int-arith-021", ~A({true, false}));
  TRAP("int-arith-022", ~A<u8>({0}));
  TRAP("int-arith-024", gp::reciprocal(A({2, 1, -1})));
  TRAP("int-arith-025", gp::gcd(A({0, -4, 12}), A({0, 6, 18})));
  TRAP("int-arith-027", gp::sum(A<i64>({int64_max, i64{1}})));
  TRAP("int-arith-028", gp::sign(A({-5, 0, 3})));
  TRAP("int-arith-030", gp::sum(A<u16>({5, 7})));
  TRAP("int-arith-031", gp::prod(A<i32>({5, 7})));
  TRAP("int-arith-034", gp::mean(A<i8>({100, 100})));
  TRAP("int-arith-036", gp::max(A<i8>({1, 2})));
}

TEST_CASE("floating arithmetic") {
  TRAP("float-arith-001", gp::floor_divide(A({-7.5, 7.5}), A({2., -2.})));
  TRAP("float-arith-003", gp::floor_divide(A({1., -1., 0.}), A({0., 0., 0.})));
  TRAP("float-arith-004", A({1., 0.}) % A({0., 0.}));
  TRAP("float-arith-006", gp::floor_divide(A({1., -1.}), A({-inf, inf})));
  TRAP("float-arith-007", A({-1., 1., -0., 0.}) % A({1., -1., 1., -1.}));
  TRAP("float-arith-009", gp::floor_divide(A<float>({-4.4, 5.665, 105.88}), A<float>({0.1})));
  TRAP("float-arith-010", gp::floor_divide(1.0, A({0.1})));
  TRAP("float-arith-015", gp::rint(A({2.5, 3.5})));
  TRAP("float-arith-016", gp::fix(A({-2.7, 2.7})));
  TRAP("float-arith-018", gp::trunc(A({-0.5})));
  TRAP("float-arith-019", gp::sign(A({NaN, -0.0, -2.})));
  TRAP("float-arith-021", gp::log(A({0., -1., 1.})));
  TRAP("float-arith-022", gp::power(A({1., NaN, 0., -8., 0.}), A({NaN, 0., 0., 1. / 3, -1.})));
  TRAP("float-arith-024", gp::hypot(A({inf, 1e200}), A({NaN, 1e200})));
  TRAP("float-arith-025", gp::logaddexp(A({-inf, 1000.}), A({-inf, 1000.})));
  TRAP("float-arith-027", gp::log1p(A({-1., 1e-20})));
  TRAP("float-arith-028", gp::cbrt(A({-8.})));
  TRAP("float-arith-030", gp::heaviside(A({0., -1., NaN}), .5));
  TRAP("float-arith-031", gp::nextafter(A({0.})(0), 1.));
  TRAP("float-arith-036", gp::copysign(A({1.}), A({-0.})));
  TRAP("float-arith-037", gp::signbit(A({-0., 0., -NaN})));
  TRAP("float-arith-039", gp::sum(A({-0., -0.})));
  TRAP("float-arith-040", gp::sum(gp::ndarray<double>{}));
  TRAP("float-arith-042", gp::logical_not(A({NaN, 0., -0.})));
  TRAP("float-arith-043", gp::nan_to_num(A({NaN, inf, -inf})));
  TRAP("float-arith-048", gp::maximum(A({NaN, 1.}), A({1., NaN})));
  TRAP("float-arith-049", gp::fmax(A({NaN, 1., NaN}), A({1., NaN, NaN})));
  TRAP("float-arith-051", gp::clip(A({1, 2, 3}), 3, 1));
  TRAP("float-arith-052", gp::clip(A({NaN, 5.}), 0, 1));
  TRAP("float-arith-054", gp::clip(A<u8>({0, 255}), -1, 300));
}

TEST_CASE("casts") {
  TRAP("cast-001", A({300, -1}).astype<i8>());
  TRAP("cast-003", A({-1.9, 1.9}).astype<i32>());
  TRAP("cast-004", A({NaN, 0.5, 0.}).astype<bool>());
  TRAP("cast-006", A({65519., 65520.}).astype<f16>());
  TRAP("cast-007", A<i64>({(1ll << 53) + 1}).astype<double>());
  TRAP("cast-009", A<i32>({2049, 2051}).astype<f16>());
  TRAP("cast-010", gp::ndarray<std::complex<double>>{std::complex<double>(1, 2)}.astype<double>());
}

TEST_CASE("integers to negative integer powers") {
  CHECK_THROWS_AS(gp::power(A({2}), -1), const gp::value_error&);
  // Exponents in an array on a GPU are not looked at: that would wait for the device.
  if (!gp::default_device().is_cpu()) return;
  TRAP_THROWS("int-arith-012", gp::power(A({2}), A({-1})).eval());
}

TEST_CASE("in-place operators keep NumPy's same_kind rule") {
  TRAP_REJECTED("overlap-010", addable_in_place<gp::ndarray<i64>&, double>);
  TRAP_REJECTED("overlap-013", divisible_in_place<gp::ndarray<i64>&, int>);
  auto a = A<float>({1, 2, 3});
  a += A({.5, .5, .5});
  TRAP("overlap-011", a);
}

TEST_CASE_TEMPLATE("quotients by powers of two have the bits of other quotients", T, gp::float16,
                   gp::bfloat16, float, double) {
  std::vector<T> list;
  for (const T x : {T(0), gp::finfo<T>::smallest_subnormal, gp::finfo<T>::tiny, T(1), T(3), T(1000.7),
                    gp::finfo<T>::max, T(inf)})
    list.insert(list.end(), {x, T(-x)});
  const gp::ndarray<T> x = gp::array(list);
  for (const double divisor : {2., -2., 0.5, 1., 16384., -0x1p-14, 0x1p15, 0x1p-15, 3., 0.}) {
    CAPTURE(divisor);
    const gp::ndarray<T> by = gp::full<T>(x.shape(), T(divisor));
    CHECK(same_bits((x / divisor).eval(), (x / by).eval()));
  }
  CHECK(gp::all(gp::isnan(gp::array<T>({T(NaN)}) / 2.)).item());
}
