// Convolution and correlation: small ones exactly as NumPy, large ones against one another.
#include <cmath>

#include <gparray/signal/convolution.hpp>

#include "support/golden.hpp"
#include "support/traps.hpp"

namespace {

namespace gp = gparray;
using traps::A;
using z = std::complex<double>;
using i8 = std::int8_t;
using u8 = std::uint8_t;
const double INF = HUGE_VAL;

/// Whole numbers from -9 to 9: sums of products of a million are exact in float64.
gp::ndarray<double> whole_numbers(std::int64_t n, std::int64_t seed) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < n; ++i)
    values.push_back(static_cast<double>((i * i * 31 + i * seed) % 19 - 9));
  return gp::ndarray<double>(values);
}

}  // namespace

TEST_CASE("convolve is NumPy's") {
  GOLDEN("np.convolve(A([1, 2, 3]), A([0, 1, 5]))", gp::convolve(A({1, 2, 3}), A({0, 1, 5})));
  GOLDEN("np.convolve(A([1, 2, 3]), A([0, 1, 5]), 'same')", gp::convolve(A({1, 2, 3}), A({0, 1, 5}), "same"));
  GOLDEN("np.convolve(A([1, 2, 3]), A([0, 1, 5]), 'valid')",
         gp::convolve(A({1, 2, 3}), A({0, 1, 5}), "valid"));
  GOLDEN("np.convolve(A([1, 2]), A([1, 2, 3, 4]), 'same')", gp::convolve(A({1, 2}), A({1, 2, 3, 4}), "same"));
  GOLDEN("np.convolve(A([1, 2]), A([1, 2, 3, 4]), 'valid')",
         gp::convolve(A({1, 2}), A({1, 2, 3, 4}), "valid"));
  GOLDEN("np.convolve(A([1, 2, 3, 4, 5]), A([1, 2, 3, 4]), 'same')",
         gp::convolve(A({1, 2, 3, 4, 5}), A({1, 2, 3, 4}), "same"));
  GOLDEN("np.convolve(A([1., 2.5]), A([2]))", gp::convolve(A({1., 2.5}), A({2})));
  GOLDEN("np.convolve(A([100, 100], 'b'), A([1, 2, 3], 'b'))",
         gp::convolve(A<i8>({100, 100}), A<i8>({1, 2, 3})));
  GOLDEN("np.convolve(A([1, 2], 'b'), A([1, 200], 'B'))", gp::convolve(A<i8>({1, 2}), A<u8>({1, 200})));
  GOLDEN("np.convolve(A([True, False, True]), A([True, True]))",
         gp::convolve(A({true, false, true}), A({true, true})));
  GOLDEN("np.convolve(A([1, 2, 3], 'e'), A([1, 2], 'e'))",
         gp::convolve(A<gp::float16>({1, 2, 3}), A<gp::float16>({1, 2})));
  GOLDEN("np.convolve(A([1, 2, 3], 'f'), A([1, 2], 'F'))",
         gp::convolve(A<float>({1, 2, 3}), A<std::complex<float>>({1, 2})));
  GOLDEN("np.convolve(A([1+2j, 3-1j]), A([2, 1j]))",
         gp::convolve(A({z(1, 2), z(3, -1)}), A({z(2, 0), z(0, 1)})));
  GOLDEN("np.convolve(v[::2], v[::-1])",
         gp::convolve(gp::arange<std::int64_t>(5)("::2"), gp::arange<std::int64_t>(5)("::-1")));
  GOLDEN("np.convolve(A(3), A([1, 2]))", gp::convolve(gp::full({}, std::int64_t{3}), A({1, 2})));
  // What lies beyond the ends takes no part, so infinite weights make no NaN there.
  GOLDEN("np.convolve(A([1., 2., 3.]), A([1., INF]))", gp::convolve(A({1., 2., 3.}), A({1., INF})));
  GOLDEN("np.convolve(A([1., INF, 3.]), A([1., 2., 3.]), 'same')",
         gp::convolve(A({1., INF, 3.}), A({1., 2., 3.}), "same"));
}

TEST_CASE("correlate is NumPy's") {
  GOLDEN("np.correlate(A([1, 2, 3]), A([0, 1, 5]))", gp::correlate(A({1, 2, 3}), A({0, 1, 5})));
  GOLDEN("np.correlate(A([1, 2, 3]), A([0, 1, 5]), 'same')",
         gp::correlate(A({1, 2, 3}), A({0, 1, 5}), "same"));
  GOLDEN("np.correlate(A([1, 2, 3]), A([0, 1, 5]), 'full')",
         gp::correlate(A({1, 2, 3}), A({0, 1, 5}), "full"));
  GOLDEN("np.correlate(A([1, 2]), A([1, 2, 3, 4]), 'full')",
         gp::correlate(A({1, 2}), A({1, 2, 3, 4}), "full"));
  GOLDEN("np.correlate(A([1, 2]), A([1, 2, 3, 4]), 'same')",
         gp::correlate(A({1, 2}), A({1, 2, 3, 4}), "same"));
  GOLDEN("np.correlate(A([1, 2]), A([1, 2, 3, 4]))", gp::correlate(A({1, 2}), A({1, 2, 3, 4})));
  GOLDEN("np.correlate(A([1+1j, 2, 3-1j]), A([0, 1j, 0.5j]), 'full')",
         gp::correlate(A({z(1, 1), z(2), z(3, -1)}), A({z(0), z(0, 1), z(0, .5)}), "full"));
  GOLDEN("np.correlate(A([1+1j, 2]), A([0, 1j, 0.5j]), 'full')",
         gp::correlate(A({z(1, 1), z(2)}), A({z(0), z(0, 1), z(0, .5)}), "full"));
}

TEST_CASE("operands that NumPy refuses") {
  GOLDEN_THROWS("np.convolve(A([1.]), A([]))", gp::convolve(A({1.}), gp::ndarray<double>()));
  GOLDEN_THROWS("np.convolve(A([]), A([1.]))", gp::convolve(gp::ndarray<double>(), A({1.})));
  GOLDEN_THROWS("np.correlate(A([1.]), A([]))", gp::correlate(A({1.}), gp::ndarray<double>()));
  GOLDEN_THROWS("np.correlate(A([]), A([1.]))", gp::correlate(gp::ndarray<double>(), A({1.})));
  GOLDEN_THROWS("np.convolve(A([[1.]]), A([1.]))", gp::convolve(A<double>({{1.}}), A({1.})));
  GOLDEN_THROWS("np.correlate(A(1.), A([1.]))", gp::correlate(gp::full({}, 1.), A({1.})));
}

TEST_CASE("other modes are refused with the text that names those there are") {
  CHECK_THROWS_WITH_AS(gp::convolve(A({1.}), A({1.}), "whole"),
                       "Use one of 'valid', 'same', or 'full' for convolve/correlate mode", gp::value_error);
}

TEST_CASE("long convolutions agree with those by Fourier transforms") {
  const gp::ndarray<double> a = whole_numbers(5000, 7), v = whole_numbers(333, 3);
  for (const char* mode : {"full", "same", "valid"}) {
    CAPTURE(mode);
    const auto direct = gp::convolve(a, v, mode), by_fft = gp::signal::fftconvolve(a, v, mode);
    REQUIRE(direct.shape() == by_fft.shape());
    // Rounding errors of eps * log2(n) * |a| * |v| are far below one half; the direct sums are exact.
    CHECK(gp::all(gp::rint(by_fft) == direct).item());
    CHECK(gp::all(gp::correlate(a, v("::-1"), mode) == direct).item());
  }
  double sum = 0;
  for (std::int64_t i = 0; i < 333; ++i) sum += a.item(1000 - i) * v.item(i);
  CHECK(gp::convolve(a, v).item(1000) == sum);
}

namespace {

/// Sums over all pairs, which whole numbers have exactly, in the order of their positions.
template<class V>
std::vector<V> all_sums(const std::vector<V>& a, const std::vector<V>& v) {
  std::vector<V> sums(a.size() + v.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < v.size(); ++j) {
      if constexpr (std::is_same_v<V, bool>) sums[i + j] = sums[i + j] || (a[i] && v[j]);
      else if constexpr (std::is_integral_v<V>)  // products of narrow numbers would be int, and overflow
        sums[i + j] = static_cast<V>(static_cast<std::uint64_t>(sums[i + j]) +
                                     static_cast<std::uint64_t>(a[i]) * static_cast<std::uint64_t>(v[j]));
      else sums[i + j] = static_cast<V>(sums[i + j] + a[i] * v[j]);
    }
  return sums;
}

template<class V>
void check_lengths(std::int64_t n, std::int64_t width) {
  CAPTURE(n);
  CAPTURE(width);
  const gp::ndarray<V> a = whole_numbers(n, 5).astype<V>(), v = whole_numbers(width, 3).astype<V>();
  const std::vector<V> want = all_sums(a.to_vector(), v.to_vector());
  const auto part = [&](std::int64_t first, std::int64_t count) {
    return std::vector<V>(want.begin() + first, want.begin() + first + count);
  };
  const std::int64_t less = std::min(n, width), more = std::max(n, width);
  CHECK(gp::convolve(a, v).to_vector() == want);
  CHECK(gp::convolve(a, v, "same").to_vector() == part((less - 1) / 2, more));
  CHECK(gp::convolve(a, v, "valid").to_vector() == part(less - 1, more - less + 1));
  CHECK(gp::correlate(a, gp::flip(v), "full").to_vector() == want);
}

}  // namespace

TEST_CASE("sums of every length, at the borders of tiles and blocks of taps") {
  for (const std::int64_t n : {1, 7, 31, 32, 33, 64, 65, 97, 300, 1100})
    for (const std::int64_t width : {1, 2, 3, 31, 32, 33, 63, 64, 65, 128, 130, 600})
      check_lengths<double>(n, width);
  for (const std::int64_t n : {5, 63, 64, 65, 257, 700})
    for (const std::int64_t width : {1, 9, 64, 66, 200}) {
      check_lengths<float>(n, width);
      check_lengths<std::int8_t>(n, width);
      check_lengths<std::uint16_t>(n, width);
      check_lengths<std::int64_t>(n, width);
      check_lengths<bool>(n, width);
      check_lengths<std::complex<double>>(n, width);
    }
}

TEST_CASE("a sum's bits follow from its products alone") {
  for (const std::int64_t taps : {60, 65, 100, 300}) {
    CAPTURE(taps);
    const gp::ndarray<double> x = gp::sin(gp::arange<double>(5000)), v = gp::cos(gp::arange<double>(taps));
    const gp::ndarray<double> whole = gp::correlate(x, v);
    for (const std::int64_t first : {1, 7, 31, 300, 4000, 4699}) {
      const gp::ndarray<double> part = gp::correlate(x(gp::slice(first, gp::none)), v);
      CHECK(gp::array_equal(part, whole(gp::slice(first, gp::none))));
      const gp::ndarray<double> one = gp::correlate(x(gp::slice(first, first + taps)), v);
      CHECK(one.item() == whole.item(first));
    }
  }
}

TEST_CASE("every device has the CPU's bits") {
  const gp::device cpu = gp::device::cpu();
  for (const auto& [n, width] : {std::pair{1000, 7}, std::pair{30000, 64}, std::pair{9000, 700}})
    for (const char* mode : {"full", "same", "valid"}) {
      const gp::ndarray<double> a = gp::random::default_rng(1).normal(0, 1, n),
                                v = gp::random::default_rng(2).normal(0, 1, width);
      const gp::ndarray<double> here = gp::asnumpy(a), taps = gp::asnumpy(v);
      REQUIRE(here.device() == cpu);
      CHECK(gp::array_equal(gp::asnumpy(gp::convolve(a, v, mode)), gp::convolve(here, taps, mode)));
      CHECK(gp::array_equal(gp::asnumpy(gp::correlate(a, v, mode)), gp::correlate(here, taps, mode)));
    }
}

TEST_CASE("fftconvolve along several axes") {
  const gp::ndarray<double> a = whole_numbers(6 * 7 * 8, 5).reshape({6, 7, 8}),
                            b = whole_numbers(3 * 2 * 4, 2).reshape({3, 2, 4});
  const auto full = gp::signal::fftconvolve(a, b);
  REQUIRE(full.shape() == gp::dims{8, 8, 11});
  const auto at = [](const gp::ndarray<double>& x, std::int64_t i, std::int64_t j, std::int64_t k) {
    const bool inside = i >= 0 && j >= 0 && k >= 0 && i < x.shape(0) && j < x.shape(1) && k < x.shape(2);
    return inside ? x.item(i, j, k) : 0.;
  };
  for (const auto& [i, j, k] : {std::array<std::int64_t, 3>{0, 0, 0}, {3, 4, 5}, {7, 7, 10}, {2, 0, 9}}) {
    double sum = 0;
    for (std::int64_t p = 0; p < 3; ++p)
      for (std::int64_t q = 0; q < 2; ++q)
        for (std::int64_t r = 0; r < 4; ++r) sum += at(b, p, q, r) * at(a, i - p, j - q, k - r);
    CHECK(std::rint(full.item(i, j, k)) == sum);
    CHECK(std::abs(full.item(i, j, k) - sum) < 1e-9);
  }
  const auto close = [](const auto& x, const auto& y) {
    return x.shape() == y.shape() && gp::max(gp::abs(x - y)).item() < 1e-9;
  };
  CHECK(close(gp::signal::fftconvolve(a, b, "same"), full("1:7, 0:7, 1:9")));
  CHECK(close(gp::signal::fftconvolve(a, b, "valid"), full("2:6, 1:7, 3:8")));
  CHECK(close(gp::signal::fftconvolve(b, a, "valid"), full("2:6, 1:7, 3:8")));
  // Axes that are not convolved broadcast.
  const auto rows = gp::signal::fftconvolve(a, b(gp::slice(0, 1), gp::slice(0, 1)), "full", {2});
  CHECK(rows.shape() == gp::dims{6, 7, 11});
  CHECK(close(rows(2, 3), gp::convolve(a(2, 3), b(0, 0))));
  const gp::ndarray<z> c = a.astype<z>() * z(0, 1);
  CHECK(close(gp::signal::fftconvolve(c, b), full * z(0, 1)));
}

TEST_CASE("fftconvolve: types, empty operands, errors with SciPy's texts") {
  const gp::ndarray<float> a{1.f, 2.f, 3.f};
  CHECK(gp::signal::fftconvolve(a, a).dtype() == gp::dtype::float32);
  CHECK(gp::signal::fftconvolve(A({1, 2}), A({1, 2})).dtype() == gp::dtype::float64);
  CHECK(gp::signal::fftconvolve(A<gp::float16>({1, 2}), a).dtype() == gp::dtype::float32);
  CHECK(gp::signal::fftconvolve(a, gp::ndarray<float>()).shape() == gp::dims{0});
  CHECK(gp::signal::fftconvolve(gp::full({}, 3.), gp::full({}, 4.)).item() == 12);
  const gp::ndarray<double> m = gp::ones<double>({3, 4}), n = gp::ones<double>({4, 3});
  CHECK_THROWS_WITH_AS(gp::signal::fftconvolve(m, A({1.})), "in1 and in2 should have the same dimensionality",
                       gp::value_error);
  CHECK_THROWS_WITH_AS(gp::signal::fftconvolve(m, n, "valid"),
                       "For 'valid' mode, one must be at least as large as the other in every dimension",
                       gp::value_error);
  CHECK_THROWS_WITH_AS(gp::signal::fftconvolve(m, n, "middle"),
                       "acceptable mode flags are 'valid', 'same', or 'full'", gp::value_error);
  CHECK_THROWS_WITH_AS(gp::signal::fftconvolve(m, n, "full", {0}),
                       "incompatible shapes for in1 and in2: (3,4) and (4,3)", gp::value_error);
  CHECK_THROWS_WITH_AS(gp::signal::fftconvolve(m, m, "full", gp::dims{}),
                       "when provided, axes cannot be empty", gp::value_error);
}
