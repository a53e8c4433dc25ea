// Assertions for tests: NumPy's messages, letter by letter.
#include <doctest/doctest.h>

#include <gparray/testing.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
namespace nt = gparray::testing;

namespace {

template<class F>
std::string said(F assertion) {
  try {
    assertion();
  } catch (const nt::assertion_error& e) {
    return e.what();
  }
  return "";
}

constexpr double NaN = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
using list = gp::ndarray<double>;

#define SAYS(python, ...) GOLDEN(python, said([&] { __VA_ARGS__; }))

}  // namespace

TEST_CASE("assert_array_equal") {
  const auto a = gp::array<double>({1, 2, 3}), b = gp::array<double>({1, 2, 4});
  SAYS("said(nt.assert_array_equal, A([1., 2, 3]), A([1., 2, 3]))", nt::assert_array_equal(a, a));
  SAYS("said(nt.assert_array_equal, A([1., 2, 3]), A([1., 2, 4]))", nt::assert_array_equal(a, b));
  SAYS("said(nt.assert_array_equal, A([1., 2, 3]), [1., 2, 4])", nt::assert_array_equal(a, {1., 2., 4.}));
  SAYS("said(nt.assert_array_equal, A([[1, 2], [3, 4]]), [[5, 6], [7, 0]])",
       nt::assert_array_equal(gp::array<std::int64_t>({{1, 2}, {3, 4}}), {{5, 6}, {7, 0}}));
  SAYS("said(nt.assert_array_equal, A([1., 2, 3]), A([1., 2]))",
       nt::assert_array_equal(a, std::vector<double>{1, 2}));
  SAYS("said(nt.assert_array_equal, A([3, 3]), 3)", nt::assert_array_equal(gp::array<int>({3, 3}), 3));
  SAYS("said(nt.assert_array_equal, A([3, 4]), 3)",
       nt::assert_array_equal(gp::array<std::int64_t>({3, 4}), 3));
  SAYS("said(nt.assert_array_equal, A([3, 3]), 3, strict=True)",
       nt::assert_array_equal(gp::array<std::int64_t>({3, 3}), 3, {.strict = true}));
  SAYS("said(nt.assert_array_equal, A([2., 2]), A([2., 2], np.float32), strict=True)",
       nt::assert_array_equal(list({2., 2.}), gp::array<float>({2, 2}), {.strict = true}));
  SAYS("said(nt.assert_array_equal, A([1., NAN]), A([1., NAN]))",
       nt::assert_array_equal(list({1., NaN}), list({1., NaN})));
  SAYS("said(nt.assert_array_equal, A([1., NAN]), A([NAN, 1.]))",
       nt::assert_array_equal(list({1., NaN}), list({NaN, 1.})));
  SAYS("said(nt.assert_array_equal, A([1., INF, 2.]), A([1., -INF, 2.]))",
       nt::assert_array_equal(list({1., inf, 2.}), list({1., -inf, 2.})));
  SAYS("said(nt.assert_array_equal, A([1., INF, 2.]), A([1., 5., 2.]))",
       nt::assert_array_equal(list({1., inf, 2.}), list({1., 5., 2.})));
  SAYS("said(nt.assert_array_equal, A([NAN, INF, 2.]), A([NAN, INF, 3.]))",
       nt::assert_array_equal(list({NaN, inf, 2.}), list({NaN, inf, 3.})));
  SAYS("said(nt.assert_array_equal, A([True, False]), A([True, True]))",
       nt::assert_array_equal(gp::array<bool>({true, false}), gp::array<bool>({true, true})));
  SAYS("said(nt.assert_array_equal, A([0, 250], np.uint8), A([3, 255], np.uint8))",
       nt::assert_array_equal(gp::array<std::uint8_t>({0, 250}), gp::array<std::uint8_t>({3, 255})));
  SAYS("said(nt.assert_array_equal, A([1 + 2j, 3]), A([1 - 2j, 3]))",
       nt::assert_array_equal(gp::array({std::complex(1., 2.), std::complex(3., 0.)}),
                              gp::array({std::complex(1., -2.), std::complex(3., 0.)})));
  SAYS("said(nt.assert_array_equal, np.arange(60).reshape(6, 10), np.arange(60).reshape(6, 10) + 1)",
       nt::assert_array_equal(gp::arange(60).reshape({6, 10}), gp::arange(60).reshape({6, 10}) + 1));
  SAYS("said(nt.assert_array_equal, np.zeros(0), 3.)", nt::assert_array_equal(gp::zeros(0), 3.));
  SAYS("said(nt.assert_array_equal, A([1., 2, 3]), A([1., 2, 4]), err_msg='where', verbose=False)",
       nt::assert_array_equal(a, b, {.err_msg = "where", .verbose = false}));
  SAYS("said(nt.assert_array_equal, A([1.5], np.float32), A([2.], np.float32))",
       nt::assert_array_equal(gp::array<float>({1.5f}), gp::array<float>({2})));
}

TEST_CASE("assert_allclose") {
  const auto a = gp::array<double>({1e10, 1e-7}), b = gp::array<double>({1.00001e10, 1e-8});
  SAYS("said(nt.assert_allclose, A([1e10, 1e-7]), A([1.00001e10, 1e-8]), 1e-3)",
       nt::assert_allclose(a, b, 1e-3));
  SAYS("said(nt.assert_allclose, A([1e10, 1e-7]), A([1.00001e10, 1e-8]), rtol=1e-3, atol=1e-6)",
       nt::assert_allclose(a, b, {.rtol = 1e-3, .atol = 1e-6}));
  SAYS("said(nt.assert_allclose, A([1e10, 1e-7]), A([1.00001e10, 1e-8]))", nt::assert_allclose(a, b));
  SAYS("said(nt.assert_allclose, A([.1, .2], np.float32), A([.1, .2]))",
       nt::assert_allclose(gp::array<float>({.1f, .2f}), list({.1, .2})));
  SAYS("said(nt.assert_allclose, A([.1, .2], np.float32), A([.1, .2]), rtol=1e-9)",
       nt::assert_allclose(gp::array<float>({.1f, .2f}), list({.1, .2}), {.rtol = 1e-9}));
  SAYS("said(nt.assert_allclose, A([1., NAN]), A([1., NAN]), equal_nan=False)",
       nt::assert_allclose(list({1., NaN}), list({1., NaN}), {.equal_nan = false}));
  SAYS("said(nt.assert_allclose, A([0., 1.]), A([1e-9, 0.]))",
       nt::assert_allclose(list({0., 1.}), list({1e-9, 0.})));
  SAYS("said(nt.assert_allclose, A([1., 2.]), A([0., 0.]))",
       nt::assert_allclose(list({1., 2.}), list({0., 0.})));
  SAYS("said(nt.assert_allclose, A([1, 2]), A([1, 3]))",
       nt::assert_allclose(gp::array<std::int64_t>({1, 2}), gp::array<std::int64_t>({1, 3})));
  SAYS("said(nt.assert_allclose, np.sin(np.arange(3) * np.pi), 0, atol=1e-15, strict=True)",
       nt::assert_allclose(gp::sin(gp::arange(3) * gp::pi), 0, {.atol = 1e-15, .strict = true}));
  SAYS("said(nt.assert_allclose, 1., 1.1, 0.05)", nt::assert_allclose(1., 1.1, 0.05));
  SAYS("said(nt.assert_allclose, A([INF, 1.]), A([INF, 1.]))",
       nt::assert_allclose(list({inf, 1.}), list({inf, 1.})));
}

TEST_CASE("assert_array_almost_equal, assert_almost_equal") {
  const list a({1., 2.33333, NaN}), b({1., 2.33339, NaN});
  SAYS("said(nt.assert_array_almost_equal, A([1., 2.33333, NAN]), A([1., 2.33339, NAN]), decimal=4)",
       nt::assert_array_almost_equal(a, b, 4));
  SAYS("said(nt.assert_array_almost_equal, A([1., 2.33333, NAN]), A([1., 2.33339, NAN]), decimal=5)",
       nt::assert_array_almost_equal(a, b, 5));
  SAYS("said(nt.assert_array_almost_equal, A([1., 2.33333, NAN]), A([1., 2.33333, 5.]), decimal=5)",
       nt::assert_array_almost_equal(a, list({1., 2.33333, 5.}), 5));
  SAYS("said(nt.assert_almost_equal, 2.3333333333333, 2.33333334, decimal=7)",
       nt::assert_almost_equal(2.3333333333333, 2.33333334, 7));
  SAYS("said(nt.assert_almost_equal, 2.3333333333333, 2.33333334, decimal=10)",
       nt::assert_almost_equal(2.3333333333333, 2.33333334, 10));
}

TEST_CASE("assert_array_less") {
  SAYS("said(nt.assert_array_less, A([1., 1., NAN]), A([1.1, 2., NAN]))",
       nt::assert_array_less(list({1., 1., NaN}), list({1.1, 2., NaN})));
  SAYS("said(nt.assert_array_less, A([1., 1., NAN]), A([1., 2., NAN]))",
       nt::assert_array_less(list({1., 1., NaN}), list({1., 2., NaN})));
  SAYS("said(nt.assert_array_less, A([1., 4.]), 3.)", nt::assert_array_less(list({1., 4.}), 3.));
  SAYS("said(nt.assert_array_less, A([1., 4.]), INF)", nt::assert_array_less(list({1., 4.}), inf));
  SAYS("said(nt.assert_array_less, A([1., 2., 3.]), A([4.]))",
       nt::assert_array_less(list({1., 2., 3.}), list({4.})));
}

TEST_CASE("assert_equal") {
  SAYS("said(nt.assert_equal, 4, 6)", nt::assert_equal(4, 6));
  SAYS("said(nt.assert_equal, 4, 6, err_msg='count')", nt::assert_equal(4, 6, {.err_msg = "count"}));
  SAYS("said(nt.assert_equal, 4, 4)", nt::assert_equal(4, 4));
  SAYS("said(nt.assert_equal, 0., -0.)", nt::assert_equal(0., -0.));
  SAYS("said(nt.assert_equal, NAN, NAN)", nt::assert_equal(NaN, NaN));
  SAYS("said(nt.assert_equal, 'one', 'two')", nt::assert_equal(std::string("one"), "two"));
  SAYS("said(nt.assert_equal, A([4]), A([6]))",
       nt::assert_equal(gp::array<std::int64_t>({4}), gp::array<std::int64_t>({6})));
}

TEST_CASE("assert_array_max_ulp") {
  const double next = std::nextafter(1.0, 2.0), far = std::nextafter(std::nextafter(next, 2.0), 2.0);
  SAYS("said(nt.assert_array_max_ulp, A([1.]), A([1. + 2.**-52]))",
       nt::assert_array_max_ulp(list({1.}), list({next})));
  SAYS("said(nt.assert_array_max_ulp, A([1., 1.]), A([1., 1. + 3 * 2.**-52]))",
       nt::assert_array_max_ulp(list({1., 1.}), list({1., far})));
  SAYS("said(nt.assert_array_max_ulp, A([1e-45, 1.], np.float32), A([-1e-45, 1.], np.float32))",
       nt::assert_array_max_ulp(gp::array<float>({1e-45f, 1.f}), gp::array<float>({-1e-45f, 1.f})));
  CHECK_THROWS_AS(nt::assert_array_max_ulp(gp::array<float>({1}), list({1.})), gp::type_error);
  CHECK_THROWS_AS(nt::assert_array_max_ulp(list({1., 2.}), list({1.})), gp::value_error);
}
