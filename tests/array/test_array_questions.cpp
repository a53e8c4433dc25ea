// Questions about arrays, r_ and c_, and the methods of ufuncs against NumPy.
#include <cmath>
#include <complex>
#include <limits>

#include <gparray/array/questions.hpp>
#include <gparray/creation/concatenators.hpp>
#include <gparray/ufunc/objects.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;
using c128 = std::complex<double>;
namespace uf = gp::ufuncs;

namespace {
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }
gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }
}  // namespace

TEST_CASE("shape, size and ndim as functions") {
  CHECK(gp::ndim(cube()) == 3);
  CHECK(gp::ndim(5) == 0);
  CHECK(gp::size(cube()) == 24);
  CHECK(gp::size(cube(), -1) == 4);
  CHECK(gp::size(2.5) == 1);
  CHECK(gp::shape(cube()) == gp::dims{2, 3, 4});
  CHECK(gp::shape(5) == gp::dims{});
  CHECK_THROWS_AS((void)gp::size(cube(), 3), gp::axis_error);
}

TEST_CASE("the smallest dtype of a number, and a common one") {
  using gp::dtype;
  CHECK(gp::min_scalar_type(10) == dtype::uint8);
  CHECK(gp::min_scalar_type(255) == dtype::uint8);
  CHECK(gp::min_scalar_type(256) == dtype::uint16);
  CHECK(gp::min_scalar_type(1u << 31) == dtype::uint32);
  CHECK(gp::min_scalar_type(UINT64_MAX) == dtype::uint64);
  CHECK(gp::min_scalar_type(-128) == dtype::int8);
  CHECK(gp::min_scalar_type(-129) == dtype::int16);
  CHECK(gp::min_scalar_type(-32769) == dtype::int32);
  CHECK(gp::min_scalar_type(INT64_MIN) == dtype::int64);
  CHECK(gp::min_scalar_type(true) == dtype::bool_);
  CHECK(gp::min_scalar_type(1.5) == dtype::float16);
  CHECK(gp::min_scalar_type(-1e5) == dtype::float32);
  CHECK(gp::min_scalar_type(1e50) == dtype::float64);
  CHECK(gp::min_scalar_type(std::nan("")) == dtype::float16);
  CHECK(gp::min_scalar_type(c128(1, 1e50)) == dtype::complex128);
  CHECK(gp::min_scalar_type(c128(1, 2)) == dtype::complex64);
  CHECK(gp::min_scalar_type(gp::arange(3)) == dtype::int64);
  CHECK(gp::common_type(gp::zeros<float>(1)) == dtype::float32);
  CHECK(gp::common_type(gp::zeros<float>(1), gp::arange(2)) == dtype::float64);
  CHECK(gp::common_type(gp::zeros<gp::float16>(1), gp::zeros<std::complex<float>>(1)) == dtype::complex64);
}

TEST_CASE("memory that arrays share") {
  const auto a = gp::zeros<std::int8_t>(100);
  CHECK(gp::shares_memory(a, a));
  CHECK_FALSE(gp::shares_memory(a, a.copy()));
  CHECK_FALSE(gp::shares_memory(a("::2"), a("1::2")));
  CHECK(gp::may_share_memory(a("::2"), a("1::2")));
  CHECK(gp::shares_memory(a("::2"), a("1::3")));        // element 4
  CHECK_FALSE(gp::shares_memory(a("::6"), a("1::4")));  // even and odd
  CHECK(gp::shares_memory(a("::-2"), a("1:2")));
  CHECK_FALSE(gp::shares_memory(a("0:0"), a));
  const auto m = gp::zeros({4, 6});
  CHECK_FALSE(gp::shares_memory(m(gp::all, gp::slice(0, 3)), m(gp::all, gp::slice(3, 6))));
  CHECK(gp::shares_memory(m(gp::all, gp::slice(0, 4)), m(gp::all, gp::slice(3, 6))));
  const auto z = gp::zeros<c128>(3);
  CHECK_FALSE(gp::shares_memory(z.real(), z.imag()));
  const auto [low, high] = gp::byte_bounds(m("::-1, ::2"));
  CHECK(high - low == (3 * 6 + 4) * 8 + 8);
  CHECK(low == reinterpret_cast<const std::byte*>(m.data()));
}

TEST_CASE("require, real_if_close, broadcast") {
  const auto a = matrix();
  CHECK(gp::shares_memory(gp::require(a, "C"), a));
  CHECK(gp::require(a, "F").is_f_contiguous());
  CHECK_FALSE(gp::shares_memory(gp::require(a, "O"), a));
  const auto repeated = gp::broadcast_to(gp::array({1, 2}), {2, 2});
  const auto writeable = gp::require(repeated, "W");
  writeable(0, 0) = 7;
  CHECK(writeable.to_vector() == std::vector<i64>{7, 2, 1, 2});
  CHECK(gp::require<float>(a, "CA").dtype() == gp::dtype::float32);
  CHECK_THROWS_WITH_AS(gp::require(a, "CF"), "Cannot specify both \"C\" and \"F\" order", gp::value_error);
  CHECK_THROWS_AS(gp::require(a, "X"), gp::value_error);
  CHECK(gp::real_if_close(gp::array<c128>({c128(2.1, 4e-14), c128(5.2, 3e-15)})).index() == 1);
  CHECK(gp::real_if_close(gp::array<c128>({c128(2.1, 4e-14), c128(5.2, 3e-15)}), 1000).index() == 0);
  const gp::broadcast b(gp::zeros({3, 1}), gp::arange(4));
  CHECK(b.shape() == gp::dims{3, 4});
  CHECK(b.size() == 12);
  CHECK(std::get<1>(b.values()).shape() == gp::dims{3, 4});
  CHECK_THROWS_AS(gp::broadcast(gp::zeros(3), gp::zeros(4)), gp::value_error);
  CHECK(gp::asanyarray<float>(a).dtype() == gp::dtype::float32);
  CHECK(gp::show_config().find("gparray 0.") == 0);
}

TEST_CASE("indices and elements one by one") {
  std::vector<std::vector<i64>> seen;
  for (const gp::dims& i : gp::ndindex({2, 2})) seen.push_back(i.to_vector());
  CHECK(seen == std::vector<std::vector<i64>>{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  int n = 0;
  for (const gp::dims& i : gp::ndindex(gp::dims{})) n += i.empty() ? 1 : 100;
  for (const gp::dims& i : gp::ndindex({3, 0})) n += 100 + static_cast<int>(i.size());
  CHECK(n == 1);
  i64 sum = 0;
  for (const auto& [i, x] : gp::ndenumerate(matrix()("::-1"))) sum += (i[0] * 3 + i[1] + 1) * x;
  CHECK(sum == 1 * 3 + 2 * 4 + 3 * 5 + 4 * 0 + 5 * 1 + 6 * 2);
  const auto a = matrix();
  const gp::flatiter flat(a("::-1"));
  CHECK(flat[0].item() == 3);
  CHECK(flat[-1].item() == 2);
  flat[1] = 40;
  CHECK(a.item(1, 1) == 40);
  flat = gp::array({1, 2});
  CHECK(a.to_vector() == std::vector<i64>{2, 1, 2, 1, 2, 1});
  CHECK_THROWS_AS(flat[6], gp::index_error);
}

TEST_CASE("r_, c_ and grids of samples") {
  const auto a = gp::array({1, 2, 3});
  GOLDEN("np.r_[A([1, 2, 3]), 0, 0, A([4, 5])]", gp::r_(a, 0, 0, gp::array({4, 5})));
  GOLDEN("np.r_[0:3, 5:0:-2, 1.5]", gp::r_(gp::slice(0, 3), gp::slice(5, 0, -2), 1.5));
  GOLDEN("np.r_[-1:1:6j, 3]", gp::r_(gp::samples{-1, 1, 6}, 3));
  GOLDEN("np.r_[a, a]", gp::r_(matrix(), matrix()));
  GOLDEN("np.c_[A([1, 2, 3]), A([4, 5, 6])]", gp::c_(a, gp::array({4, 5, 6})));
  GOLDEN("np.c_[a, A([7, 8]), a]", gp::c_(matrix(), gp::array({7, 8}), matrix()));
  GOLDEN("np.mgrid[0:1:5j]", gp::mgrid(gp::samples{0, 1, 5}));
  GOLDEN("np.mgrid[0:1:3j, 0:2:2j]", gp::mgrid(gp::samples{0, 1, 3}, gp::samples{0, 2, 2}));
  GOLDEN("np.ogrid[0:1:3j, 0:2:2j][1]", gp::ogrid(gp::samples{0, 1, 3}, gp::samples{0, 2, 2})[1]);
  CHECK_THROWS_AS(gp::r_(matrix(), a), gp::value_error);
}

TEST_CASE("methods of ufuncs") {
  const auto a = matrix();
  GOLDEN("np.add(a, 1)", uf::add(a, 1));
  GOLDEN("np.add.reduce(a)", uf::add.reduce(a));
  GOLDEN("np.asarray(np.multiply.reduce(a + 1, axis=None))", uf::multiply.reduce(a + 1, none));
  GOLDEN("np.maximum.reduce(a, axis=1, keepdims=True)", uf::maximum.reduce(a, 1, {.keepdims = true}));
  GOLDEN("np.logical_and.reduce(a, axis=0)", uf::logical_and.reduce(a));
  GOLDEN("np.subtract.reduce(a, axis=1)", uf::subtract.reduce(a, 1));
  GOLDEN("np.asarray(np.bitwise_xor.reduce(a, axis=None))", uf::bitwise_xor.reduce(a, none));
  GOLDEN("np.gcd.reduce(A([[12, 18], [8, 27]]), axis=1)", uf::gcd.reduce(gp::array({{12, 18}, {8, 27}}), 1));
  GOLDEN("np.add.accumulate(a, axis=1)", uf::add.accumulate(a, 1));
  GOLDEN("np.maximum.accumulate(A([[3, 1, 4, 1, 5], [9, 2, 10, 5, 3]]), axis=1)",
         uf::maximum.accumulate(gp::array({{3, 1, 4, 1, 5}, {9, 2, 10, 5, 3}}), 1));
  GOLDEN("np.minimum.accumulate(A([3., 1, NAN, 0]))",
         uf::minimum.accumulate(gp::array({3., 1., std::nan(""), 0.})));
  GOLDEN("np.subtract.accumulate(A([10, 1, 2, 3]))", uf::subtract.accumulate(gp::array({10, 1, 2, 3})));
  GOLDEN("np.multiply.outer(A([1, 2]), a)", uf::multiply.outer(gp::array({1, 2}), a));
  GOLDEN("np.greater.outer(A([1, 2]), A([1., 3]))",
         uf::greater.outer(gp::array({1, 2}), gp::array({1., 3.})));
  GOLDEN("np.add.reduceat(np.arange(8), [0, 4, 1, 5, 2, 6, 3, 7])",
         uf::add.reduceat(gp::arange(8), {0, 4, 1, 5, 2, 6, 3, 7}));
  GOLDEN("np.multiply.reduceat(t, [0, 3], axis=2)", uf::multiply.reduceat(cube(), {0, 3}, 2));
  GOLDEN("np.maximum.reduceat(t, [0, 1], axis=1)", uf::maximum.reduceat(cube(), {0, 1}, 1));
  CHECK_THROWS_AS(uf::add.reduceat(gp::arange(3), {3}), gp::index_error);
  GOLDEN_THROWS("np.maximum.reduce(np.ones((0, 2)))", uf::maximum.reduce(gp::ones({0, 2})));
  GOLDEN_THROWS("np.add.reduce(a, axis=2)", uf::add.reduce(a, 2));
}

TEST_CASE("ufuncs at indices that repeat") {
  const auto a = gp::array({1, 2, 3, 4});
  uf::add.at(a, {0, 1, 2, 2}, 1);
  CHECK(a.to_vector() == std::vector<i64>{2, 3, 5, 4});
  uf::subtract.at(a, gp::array({-1, 0, -1}), gp::array({1, 2, 3}));
  CHECK(a.to_vector() == std::vector<i64>{0, 3, 5, 0});
  uf::maximum.at(a, {0, 3, 0}, gp::array({7, 1, 9}));
  CHECK(a.to_vector() == std::vector<i64>{9, 3, 5, 1});
  uf::multiply.at(a, {1, 1}, 2);
  CHECK(a.to_vector() == std::vector<i64>{9, 12, 5, 1});
  const auto m = gp::zeros({3, 2});
  gp::scatter_add(m, gp::array({0, 2, 0}), gp::array({{1., 2.}, {3., 4.}, {5., 6.}}));
  CHECK(m.to_vector() == std::vector<double>{6, 8, 0, 0, 3, 4});
  gp::scatter_min(m.T(), gp::array({1}), -1.);
  CHECK(m.to_vector() == std::vector<double>{6, -1, 0, -1, 3, -1});
  CHECK_THROWS_AS(uf::add.at(a, {4}, 1), gp::index_error);
  CHECK_THROWS_AS(uf::add.at(a, {0, 1}, gp::array({1, 2, 3})), gp::value_error);
  CHECK(a.to_vector() == std::vector<i64>{9, 12, 5, 1});
}
