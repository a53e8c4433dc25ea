// Cosine and sine transforms, Hermitian transforms of several axes and fast lengths against SciPy.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gparray/fft/cosine.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
using gp::none;

namespace {

gp::ndarray<double> numbers() { return gp::array({7., 1., 3.5, 2., 9., 4.}); }
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }
// A transform of n numbers adds up to 2 n terms in log2(2 n) steps; 32 roundings of the largest term is more
// than that for the n of these tests.
constexpr double near = 32;

template<class F>
void all_types(const char* name, F f) {
  const auto w = numbers();
  const auto odd = numbers()(gp::slice(none, 5));
  for (int type = 1; type <= 4; ++type)
    for (const char* norm : {"backward", "ortho", "forward"}) {
      const auto python = [&](const char* what) {
        return std::string("sfft.") + name + "(" + what + ", " + std::to_string(type) + ", norm='" + norm +
               "')";
      };
      golden::check_near(python("w"), near, f(w, {.type = type, .norm = norm}));
      golden::check_near(python("w[:5]"), near, f(odd, {.type = type, .norm = norm}));
    }
}

}  // namespace

TEST_CASE("cosine and sine transforms of every type and norm") {
  all_types("dct", [](const auto& x, const gp::fft::cosine_options& o) { return gp::fft::dct(x, o); });
  all_types("idct", [](const auto& x, const gp::fft::cosine_options& o) { return gp::fft::idct(x, o); });
  all_types("dst", [](const auto& x, const gp::fft::cosine_options& o) { return gp::fft::dst(x, o); });
  all_types("idst", [](const auto& x, const gp::fft::cosine_options& o) { return gp::fft::idst(x, o); });
}

TEST_CASE("lengths, axes and dtypes of cosine transforms") {
  const auto w = numbers();
  GOLDEN_NEAR("sfft.dct(w, n=4)", near, gp::fft::dct(w, {.n = 4}));
  GOLDEN_NEAR("sfft.dct(w, n=9)", near, gp::fft::dct(w, 2, 9));
  GOLDEN_NEAR("sfft.dst(t, 3, axis=1)", near, gp::fft::dst(cube(), {.type = 3, .axis = 1}));
  GOLDEN_NEAR("sfft.dct(t[:, ::-1, 1], axis=0)", near,
              gp::fft::dct(cube()(gp::all, gp::slice(none, none, -1), 1), {.axis = 0}));
  GOLDEN_NEAR("sfft.dct(w.astype('f4'))", near, gp::fft::dct(w.astype<float>()));
  GOLDEN_NEAR("sfft.dct(A([1, 2, 4]))", near, gp::fft::dct(gp::array({1, 2, 4})));
  GOLDEN_NEAR("sfft.dct(A([3.]))", near, gp::fft::dct(gp::array({3.})));
  GOLDEN_NEAR("sfft.idst(A([3.]), 3)", near, gp::fft::idst(gp::array({3.}), 3));
  GOLDEN_NEAR("sfft.dct(w, 2, norm='ortho', orthogonalize=False)", near,
              gp::fft::dct(w, {.norm = "ortho", .orthogonalize = false}));
  GOLDEN_NEAR("sfft.dct(w, 1, orthogonalize=True)", near,
              gp::fft::dct(w, {.type = 1, .orthogonalize = true}));
  GOLDEN_NEAR("sfft.dst(w, 2, orthogonalize=True)", near,
              gp::fft::dst(w, {.type = 2, .orthogonalize = true}));
  GOLDEN_NEAR("sfft.dctn(t)", near, gp::fft::dctn(cube()));
  GOLDEN_NEAR("sfft.dctn(t, 2, [2, 5], norm='ortho')", near,
              gp::fft::dctn(cube(), {.s = {2, 5}, .norm = "ortho"}));
  GOLDEN_NEAR("sfft.idctn(t, 3, axes=[0, 2])", near, gp::fft::idctn(cube(), {.type = 3, .axes = {0, 2}}));
  GOLDEN_NEAR("sfft.dstn(t, 4, axes=[1])", near, gp::fft::dstn(cube(), {.type = 4, .axes = {1}}));
  GOLDEN_NEAR("sfft.idstn(t, 1, norm='forward')", near,
              gp::fft::idstn(cube(), {.type = 1, .norm = "forward"}));
  CHECK_THROWS_AS(gp::fft::dct(w, 5), gp::value_error);
  CHECK_THROWS_AS(gp::fft::dct(w, {.norm = "best"}), gp::value_error);
  CHECK_THROWS_AS(gp::fft::dct(w, 2, 0), gp::value_error);
  CHECK_THROWS_AS(gp::fft::dct(gp::array({1.}), 1), gp::value_error);
  CHECK_THROWS_AS(gp::fft::dct(w, {.axis = 1}), gp::axis_error);
  CHECK_THROWS_AS(gp::fft::dctn(cube(), {.s = {2, 2}, .axes = {1}}), gp::value_error);
}

TEST_CASE("Hermitian transforms of several axes") {
  const auto z = cube() + gp::ndarray<std::complex<double>>(cube() * std::complex<double>(0, .5));
  GOLDEN_NEAR("sfft.hfftn(t + .5j * t)", near, gp::fft::hfftn(z));
  GOLDEN_NEAR("sfft.hfft2(t + .5j * t, (3, 5), norm='ortho')", near,
              gp::fft::hfft2(z, {.s = {3, 5}, .norm = "ortho"}));
  GOLDEN_NEAR("sfft.ihfftn(t, axes=(0, 1))", near, gp::fft::ihfftn(cube(), {.axes = {0, 1}}));
  GOLDEN_NEAR("sfft.ihfft2(t, norm='forward')", near, gp::fft::ihfft2(cube(), {.norm = "forward"}));
}

TEST_CASE("fast lengths have factors up to 7") {
  CHECK(gp::fft::next_fast_len(0) == 1);
  CHECK(gp::fft::next_fast_len(11) == 12);
  CHECK(gp::fft::next_fast_len(1009) == 1024);
  CHECK(gp::fft::next_fast_len(1008) == 1008);
  CHECK(gp::fft::prev_fast_len(11) == 10);
  CHECK(gp::fft::prev_fast_len(1) == 1);
  CHECK_THROWS_AS(gp::fft::prev_fast_len(0), gp::value_error);
  CHECK_THROWS_AS(gp::fft::next_fast_len(-1), gp::value_error);
  // By trial up to here; from 10^12 on the next one is 188 million away.
  const auto is_fast = [](std::int64_t n) {
    for (const std::int64_t prime : {2, 3, 5, 7})
      while (n % prime == 0) n /= prime;
    return n == 1;
  };
  for (std::int64_t target = 1, next = 1, previous = 1; target < 3000; ++target) {
    next = std::max(next, target);
    while (!is_fast(next)) ++next;
    if (is_fast(target)) previous = target;
    REQUIRE(gp::fft::next_fast_len(target) == next);
    REQUIRE(gp::fft::prev_fast_len(target) == previous);
  }
  CHECK(gp::fft::next_fast_len(1'000'000'000'001) == 1'000'188'000'000);
  CHECK(gp::fft::prev_fast_len((std::int64_t{1} << 62) + 1) == std::int64_t{1} << 62);
  CHECK_THROWS_AS(gp::fft::next_fast_len(std::numeric_limits<std::int64_t>::max()), gp::value_error);
}

namespace {

/// Term by term, in longer numbers.
std::vector<double> by_definition(bool sine, int type, const std::vector<double>& x) {
  const auto n = static_cast<int>(x.size());
  std::vector<double> y;
  for (int k = 0; k < n; ++k) {
    long double sum = 0;
    for (int j = 0; j < n; ++j) {
      // Positions in halves, so that whole turns are left out exactly.
      const long at = type == 1 || type == 3 ? 2 * (j + (sine ? 1 : 0)) : 2 * j + 1;
      const long of = type == 1 || type == 2 ? 2 * (k + (sine ? 1 : 0)) : 2 * k + 1;
      const long length = type == 1 ? n + (sine ? 1 : -1) : n, turn = 8 * length;
      const long double angle = 2 * std::numbers::pi_v<long double> *
                                static_cast<long double>(at * of % turn) / static_cast<long double>(turn);
      // The outermost terms are there once.
      const bool once =
          sine ? type == 3 && j == n - 1 : (type == 3 && j == 0) || (type == 1 && (j == 0 || j == n - 1));
      sum += (once ? 1 : 2) * x[static_cast<std::size_t>(j)] * (sine ? std::sin(angle) : std::cos(angle));
    }
    y.push_back(static_cast<double>(sum));
  }
  return y;
}

}  // namespace

TEST_CASE_TEMPLATE("cosine and sine transforms of any length, where they lie", V, float, double) {
  for (const int n : {1, 2, 3, 4, 5, 8, 15, 16, 59, 60, 127, 128, 202}) {
    CAPTURE(n);
    const gp::ndarray<V> block = (gp::remainder(gp::arange<double>(3 * n * 2) * 0.618, 1.0) - 0.3)
                                     .template astype<V>()
                                     .reshape({3, n, 2});
    for (int type = 1; type <= 4; ++type)
      for (const bool sine : {false, true}) {
        if (type == 1 && !sine && n == 1) continue;
        CAPTURE(type);
        CAPTURE(sine);
        const auto transform = [&](const gp::ndarray<V>& x, int axis) {
          return sine ? gp::fft::dst(x, {.type = type, .axis = axis})
                      : gp::fft::dct(x, {.type = type, .axis = axis});
        };
        const gp::ndarray<V> all = transform(block, 1);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 2; ++j) {
            const gp::ndarray<V> line = block(i, gp::all, j);
            const gp::ndarray<double> wanted =
                gp::array(by_definition(sine, type, line.template astype<double>().to_vector()));
            // A Fourier transform errs by a few roundings in each of log2(4 n) < 10 steps, relative to the
            // root of the sum of the squares of all terms, which are below 1.4.
            const double room = 64 * 1.4 * std::numeric_limits<V>::epsilon() * std::sqrt(n);
            CHECK(gp::allclose(all(i, gp::all, j).template astype<double>(), wanted,
                               {.rtol = 0, .atol = room}));
            // The bits do not depend on where a line lies.
            CHECK(gp::array_equal(all(i, gp::all, j), transform(line.copy(), 0)));
            CHECK(gp::array_equal(all(i, gp::all, j), transform(line("::-1").copy()("::-1"), 0)));
          }
        const gp::ndarray<V> back = sine ? gp::fft::idst(all, {.type = type, .axis = 1})
                                         : gp::fft::idct(all, {.type = type, .axis = 1});
        CHECK(gp::allclose(back, block, {.rtol = 0, .atol = 64 * std::numeric_limits<V>::epsilon()}));
      }
  }
}
