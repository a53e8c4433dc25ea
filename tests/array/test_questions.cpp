// Questions about arrays and numbers against NumPy; indices and elements one by one.
#include <cmath>
#include <complex>

#include <gparray/array/questions.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
using i64 = std::int64_t;
using c128 = std::complex<double>;

namespace {

gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }

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
  // A dimension of one element, or of none, repeats nothing.
  for (const gp::dims& shape : {gp::dims{1, 2}, gp::dims{0, 2}, gp::dims{2, 2}}) {
    const auto row = gp::as_strided(gp::zeros<i64>(2), shape, {0, 8});
    CHECK((gp::require(row, "W").data() == row.data()) == (shape[0] < 2));
  }
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
