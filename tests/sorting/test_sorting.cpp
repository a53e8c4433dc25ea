// Sorting, searching and the methods of arrays against NumPy.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>

#include "support/golden.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;
using c128 = std::complex<double>;

namespace {

const double NaN = std::nan(""), INF = std::numeric_limits<double>::infinity();
gp::ndarray<i64> matrix() { return gp::array({{3, 1, 2}, {0, 5, 1}}); }

/// Numbers that repeat, in no order, of every dtype: what sorting must agree on with the standard library.
template<class V>
std::vector<V> shuffled(std::size_t n, unsigned modulus) {
  std::vector<V> values(n);
  std::uint32_t word = 12345;
  for (V& v : values) {
    word = word * 1664525u + 1013904223u;
    v = static_cast<V>(static_cast<float>((word >> 8) % modulus) - static_cast<float>(modulus / 2));
  }
  return values;
}

template<class V>
void check_against_standard_library(std::size_t rows, std::size_t n, unsigned modulus) {
  CAPTURE(gp::name(gp::dtype_of<V>));
  CAPTURE(n);
  std::vector<V> values = shuffled<V>(rows * n, modulus);
  const gp::ndarray<V> a = gp::array(values.data(), {static_cast<i64>(rows), static_cast<i64>(n)});
  const std::vector<i64> numbers = gp::argsort(a).to_vector();
  const std::vector<V> sorted = gp::sort(a).to_vector();
  std::vector<i64> expected(n);
  std::size_t wrong_numbers = 0, wrong_values = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    V* const line = values.data() + row * n;
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(), [&](i64 x, i64 y) { return line[x] < line[y]; });
    for (std::size_t i = 0; i < n; ++i) {
      wrong_numbers += numbers[row * n + i] != expected[i];
      wrong_values += !(sorted[row * n + i] == line[expected[i]]);
    }
  }
  CHECK(wrong_numbers == 0);
  CHECK(wrong_values == 0);
}

}  // namespace

TEST_CASE("sort and argsort") {
  const auto a = matrix();
  GOLDEN("np.sort(A([[3, 1, 2], [0, 5, 1]]))", gp::sort(a));
  GOLDEN("np.sort(A([[3, 1, 2], [0, 5, 1]]), axis=0)", gp::sort(a, 0));
  GOLDEN("np.sort(A([[3, 1, 2], [0, 5, 1]]), axis=None)", gp::sort(a, none));
  GOLDEN("np.sort(A([[3, 1, 2], [0, 5, 1]])[:, ::-1])", gp::sort(a(":, ::-1")));
  GOLDEN("np.argsort(A([[3, 1, 2], [0, 5, 1]]), axis=0)", gp::argsort(a, 0));
  GOLDEN("np.argsort(A([[3, 1, 2], [0, 5, 1]]), axis=None)", gp::argsort(a, none));
  GOLDEN("np.sort(A([[3, 1, 2], [0, 5, 1]]) * -2.5)", gp::sort(a * -2.5));
  GOLDEN("np.sort(A([NAN, 1., -INF, NAN, INF, -2.]))", gp::sort(gp::array({NaN, 1., -INF, -NaN, INF, -2.})));
  GOLDEN("np.argsort(A([NAN, 1., -INF, NAN, INF, -2.]), kind='stable')",
         gp::argsort(gp::array({NaN, 1., -INF, -NaN, INF, -2.}), -1, {.kind = "stable"}));
  GOLDEN("np.argsort(A([0., -0., 0., -1., -0.]), kind='stable')",
         gp::argsort(gp::array({0., -0., 0., -1., -0.})));
  GOLDEN("np.sort(A([True, False, True]))", gp::sort(gp::array({true, false, true})));
  GOLDEN("np.sort(A([200, 3, 255], 'u1'))", gp::sort(gp::array<std::uint8_t>({200, 3, 255})));
  GOLDEN("np.sort(A([-128, 127, 0], 'i1'))", gp::sort(gp::array<std::int8_t>({-128, 127, 0})));
  GOLDEN("np.sort(A([2**64 - 1, 0, 2**63], 'u8'))",
         gp::sort(gp::array<std::uint64_t>({18446744073709551615u, 0u, 9223372036854775808u})));
  GOLDEN("np.sort(A([1 + 2j, 1, NAN + 0j, complex(0, NAN), 1 - 1j, complex(NAN, NAN), -3]))",
         gp::sort(gp::array<c128>(
             {c128(1, 2), c128(1), c128(NaN, 0), c128(0, NaN), c128(1, -1), c128(NaN, NaN), c128(-3)})));
  GOLDEN("np.argsort(A([[1 + 2j, 1], [0, 1j]], 'F'), axis=0)",
         gp::argsort(gp::array<std::complex<float>>({{std::complex<float>(1, 2), std::complex<float>(1)},
                                                     {std::complex<float>(0), std::complex<float>(0, 1)}}),
                     0));
  GOLDEN("np.sort(np.ones((0, 3)))", gp::sort(gp::ones({0, 3})));
  GOLDEN("np.argsort(np.ones((3, 0)))", gp::argsort(gp::ones({3, 0})));
  GOLDEN("np.sort(A(5), axis=None)", gp::sort(gp::array(5), none));
  GOLDEN_THROWS("np.sort(A(5))", gp::sort(gp::array(5)));
  GOLDEN_THROWS("np.sort(a, axis=2)", gp::sort(gp::arange(6).reshape({2, 3}), 2));
  GOLDEN_THROWS("np.sort(a, kind='bubble')", gp::sort(a, -1, {.kind = "bubble"}));
  GOLDEN("np.sort_complex(A([3, 1], 'i2'))", gp::sort_complex(gp::array<std::int16_t>({3, 1})));
  GOLDEN("np.sort_complex(A([3, 1], 'f4'))", gp::sort_complex(gp::array<float>({3, 1})));
  CHECK(gp::msort(a).to_vector() == gp::sort(a, 0).to_vector());
}

TEST_CASE("sorting many rows, and long ones") {
  for (const std::size_t n : {1u, 2u, 31u, 511u, 512u, 5000u}) {
    check_against_standard_library<float>(7, n, 100);
    check_against_standard_library<double>(7, n, 1u << 20);
    check_against_standard_library<i64>(3, n, 70000);
    check_against_standard_library<std::int8_t>(5, n, 200);
    check_against_standard_library<std::uint16_t>(5, n, 1000);
    check_against_standard_library<gp::float16>(3, n, 2000);
    check_against_standard_library<gp::bfloat16>(3, n, 200);
  }
  check_against_standard_library<float>(1, 300001, 1u << 16);
  check_against_standard_library<double>(1, 300001, 9);
  check_against_standard_library<std::uint8_t>(2, 200003, 256);
}

namespace {

/// Rows of one matrix against each row by itself.
template<class V>
void check_side_by_side(std::int64_t rows, std::int64_t n) {
  CAPTURE(gp::name(gp::dtype_of<V>));
  CAPTURE(n);
  const std::vector<V> values = shuffled<V>(static_cast<std::size_t>(rows * n), 12);
  gp::ndarray<V> a = gp::array(values.data(), {rows, n});
  if constexpr (gp::is_inexact(gp::dtype_of<V>))
    a = gp::where(
        a == V(3), V(std::numeric_limits<float>::quiet_NaN()),
        gp::where(a == V(2), V(-0.f), gp::where(a == V(1), V(std::numeric_limits<float>::infinity()), a)));
  else
    a = gp::where(a == V(3), std::numeric_limits<V>::max(),
                  gp::where(a == V(2), std::numeric_limits<V>::min(), a));
  const gp::ndarray<V> sorted = gp::sort(a), parted = gp::partition(a, {n / 2});
  const gp::ndarray<i64> order = gp::argsort(a), backwards = gp::argsort(a, -1, {.descending = true}),
                         parted_order = gp::argpartition(a, {n / 2});
  for (std::int64_t row = 0; row < rows; ++row) {
    const gp::ndarray<V> one = a(row).copy();
    const gp::ndarray<V> in_order = gp::sort(one);
    CHECK(gp::array_equal(sorted(row), in_order, true));
    CHECK(gp::array_equal(gp::signbit(sorted(row).template astype<double>()),
                          gp::signbit(in_order.template astype<double>())));
    CHECK(gp::array_equal(order(row), gp::argsort(one)));
    CHECK(gp::array_equal(backwards(row), gp::argsort(one, -1, {.descending = true})));
    CHECK(gp::array_equal(parted(row, n / 2), in_order(n / 2), true));
    CHECK(gp::array_equal(one(parted_order(row)).copy()(n / 2), in_order(n / 2), true));
  }
}

}  // namespace

TEST_CASE("short rows are sorted side by side as each alone") {
  for (const std::int64_t n : {1, 2, 3, 7, 16, 31, 32, 33}) {
    check_side_by_side<double>(13, n);
    check_side_by_side<float>(17, n);
    check_side_by_side<i64>(4, n);
    check_side_by_side<std::uint8_t>(5, n);
  }
  for (const std::int64_t n : {5, 16}) {
    check_side_by_side<std::int32_t>(33, n);
    check_side_by_side<std::uint64_t>(9, n);
    check_side_by_side<std::int16_t>(35, n);
    check_side_by_side<gp::float16>(6, n);
    check_side_by_side<std::int8_t>(65, n);
  }
}

namespace {

/// Against sort, for float64 with NaN and zeros of both signs: some positions, in rows, and where each
/// element came from.
void check_partition(std::int64_t rows, std::int64_t n, const gp::dims& kth) {
  const gp::ndarray<double> numbers = gp::remainder(0.6180339887498949 * gp::arange<double>(rows * n), 1.0);
  gp::ndarray<double> a = (gp::floor(numbers * 1000.0) - 500.0).reshape({rows, n});
  a = gp::where(a == 7.0, gp::nan, gp::where(a == 11.0, -0.0, a));
  const auto sorted = gp::sort(a), divided = gp::partition(a, kth);
  const auto positions = gp::argpartition(a, kth);
  CHECK(gp::array_equal(gp::sort(divided), sorted, true));
  CHECK(gp::array_equal(gp::sort(positions), gp::broadcast_to(gp::arange(n), {rows, n})));
  const gp::ndarray<double> taken = gp::take_along_axis(a, positions);
  for (const std::int64_t k : kth) {
    const std::int64_t position = k < 0 ? k + n : k;
    for (const gp::ndarray<double>& x : {divided, taken}) {
      CHECK(gp::array_equal(x(gp::all, position), sorted(gp::all, position), true));
      const auto up_to = gp::sort(x(gp::all, gp::slice(0, position + 1)));
      CHECK(gp::array_equal(up_to, sorted(gp::all, gp::slice(0, position + 1)), true));
    }
  }
}

}  // namespace

TEST_CASE("partition puts what is asked for where it would stand in order") {
  for (const std::int64_t n : {1, 2, 9, 300, 5000})
    for (const gp::dims& kth :
         {gp::dims{n / 2}, {0, -1}, {n / 3, n / 2}, {0, n / 5, n / 4, n / 3, n / 2, -1}})
      check_partition(n > 1000 ? 2 : 5, n, kth);
  check_partition(1, 200001, {100000});
  // Equal elements stay in order.
  const auto order = gp::argpartition(gp::array({5., 0., 5., -0., 5., 9., 1.}), {3});
  CHECK(order.to_vector() == std::vector<i64>{1, 3, 6, 0, 2, 4, 5});
}

TEST_CASE("of no elements any is where it would stand in order") {
  CHECK(gp::partition(gp::zeros({0, 6}), 9).shape() == gp::dims{0, 6});
  CHECK(gp::partition(gp::zeros({0, 6}), 0, 0).shape() == gp::dims{0, 6});
  CHECK(gp::argpartition(gp::zeros(0), 5).shape() == gp::dims{0});
}

TEST_CASE("partition and lexsort") {
  const auto a = gp::array({7, 1, 7, 7, 1, 5, 7, 2, 3, 2, 6, 2, 3, 0});
  const auto p = gp::partition(a, 4).to_vector();
  CHECK(p[4] == 2);
  CHECK(*std::max_element(p.begin(), p.begin() + 4) <= 2);
  CHECK(*std::min_element(p.begin() + 5, p.end()) >= 2);
  CHECK(gp::take_along_axis(a, gp::argpartition(a, {3, -1})).to_vector()[13] == 7);
  GOLDEN_THROWS("np.partition(A([1, 2]), 5)", gp::partition(gp::array({1, 2}), 5));
  GOLDEN_THROWS("np.partition(A([1, 2]), -5)", gp::partition(gp::array({1, 2}), -5));
  const auto one = gp::array({1, 5, 1, 4, 3, 4, 4}), two = gp::array({9, 4, 0, 4, 0, 2, 1});
  GOLDEN("np.lexsort((A([9, 4, 0, 4, 0, 2, 1]), A([1, 5, 1, 4, 3, 4, 4])))", gp::lexsort({two, one}));
  GOLDEN("np.lexsort((A([9, 4, 0, 4, 0, 2, 1]), A([1, 5, 1, 4, 3, 4, 4]) * .5))",
         gp::lexsort({two, gp::ndarray<double>(one * .5)}));
  GOLDEN("np.lexsort(A([[3, 1, 2], [0, 5, 0]]))", gp::lexsort(gp::array({{3, 1, 2}, {0, 5, 0}})));
  GOLDEN("np.lexsort((A([[3, 1], [0, 5]]), A([[1, 1], [0, 0]])), axis=0)",
         gp::lexsort({gp::array({{3, 1}, {0, 5}}), gp::array({{1, 1}, {0, 0}})}, 0));
  GOLDEN_THROWS("np.lexsort(([1, 2], [1]))", gp::lexsort({gp::array({1, 2}), gp::array({1})}));
  GOLDEN_THROWS("np.lexsort(())", gp::lexsort(std::initializer_list<gp::any_array>{}));
}

TEST_CASE("searchsorted") {
  const auto a = gp::array({1., 2., 2., 3., 5.});
  GOLDEN("np.searchsorted(A([1., 2., 2., 3., 5.]), A([[2., 0.], [9., 3.]]))",
         gp::searchsorted(a, gp::array({{2., 0.}, {9., 3.}})));
  GOLDEN("np.searchsorted(A([1., 2., 2., 3., 5.]), A([2., NAN, 5.]), side='right')",
         gp::searchsorted(a, gp::array({2., NaN, 5.}), "right"));
  GOLDEN("np.asarray(np.searchsorted(A([1., 2., 2., 3., 5.]), 4))", gp::searchsorted(a, 4));
  GOLDEN("np.searchsorted(A([1, 2, 3]), A([1.5, 2.]))",
         gp::searchsorted(gp::array({1, 2, 3}), gp::array({1.5, 2.})));
  GOLDEN("np.searchsorted(A([1, 2, NAN, NAN]), A([NAN, 2, 3]))",
         gp::searchsorted(gp::array({1., 2., NaN, NaN}), gp::array({NaN, 2., 3.})));
  GOLDEN("np.searchsorted(A([3, 1, 2]), A([2, 3]), sorter=A([1, 2, 0]))",
         gp::searchsorted(gp::array({3, 1, 2}), gp::array({2, 3}), "left", gp::array({1, 2, 0})));
  GOLDEN("np.searchsorted(A([1, 1j + 1, 2]), A([1 + .5j, 2]))",
         gp::searchsorted(gp::array<c128>({c128(1), c128(1, 1), c128(2)}),
                          gp::array<c128>({c128(1, .5), c128(2)})));
  GOLDEN("np.searchsorted(A([]), A([1.]))", gp::searchsorted(gp::zeros(0), gp::array({1.})));
  GOLDEN_THROWS("np.searchsorted(a, 1)", gp::searchsorted(gp::arange(6).reshape({2, 3}), 1));
  GOLDEN_THROWS("np.searchsorted(A(1), 1)", gp::searchsorted(gp::array(1), 1));
  GOLDEN_THROWS("np.searchsorted(A([1]), 1, side='middle')", gp::searchsorted(gp::array({1}), 1, "middle"));
  GOLDEN_THROWS("np.searchsorted(A([1]), 1, sorter=A([1, 2]))",
                gp::searchsorted(gp::array({1}), 1, "left", gp::array({1, 2})));
  GOLDEN_THROWS("np.searchsorted(A([1]), 1, sorter=A([3]))",
                gp::searchsorted(gp::array({1}), 1, "left", gp::array({3})));
}
