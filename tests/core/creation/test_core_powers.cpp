// Vandermonde matrices on a GPU, which computes few columns each alone and rows several at once.
#include <algorithm>
#include <bit>
#include <limits>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"
#include "support/same_bits.hpp"

namespace gp = gparray;

namespace {

template<class V>
void check_vander(const gp::ndarray<V>& x) {
  const gp::ndarray<V> on_cpu = gp::asnumpy(x);
  for (int columns = 0; columns < 11; ++columns)
    for (const bool increasing : {false, true}) {
      CAPTURE(columns);
      CAPTURE(increasing);
      CHECK(same_bits(gp::vander(x, columns, increasing), gp::vander(on_cpu, columns, increasing)));
    }
}

}  // namespace

TEST_CASE("powers in columns are the same products on a GPU") {
  const fake::installed fake;
  const gp::ndarray<double> x = gp::array(
      {0.0, -0.0, 1.1, -0.7, 1e200, std::numeric_limits<double>::infinity(), 1e-300, 3.0, 7.3, -5.1});
  check_vander(x);
  check_vander(gp::ndarray<double>(x("::-2")));
  check_vander(gp::ndarray<float>(x.astype<float>()));
  check_vander(gp::array<std::int64_t>({0, 1, -2, 3, 1 << 30, -7}));
  check_vander(gp::ndarray<std::complex<double>>(x("2:4") * std::complex<double>(0, 1) + 0.5));
  CHECK(gp::vander(gp::zeros(0), 3).shape() == gp::dims{0, 3});
  CHECK(gp::vander(gp::array<std::int32_t>({2, 3}), 3).dtype() == gp::dtype::int64);
}

TEST_CASE("powers in rows are the products of NumPy's loop, however many") {
  fake::installed fake;
  const gp::ndarray<double> x = gp::array({{0.5, -0.0, 1.1}, {-0.7, 1e200, 7.3}});
  for (const int degree : {0, 1, 2, 4, 5, 6, 11}) {
    CAPTURE(degree);
    for (const gp::ndarray<double>& at :
         {x, gp::ndarray<double>(x.T()), gp::ndarray<double>(x("::-1, 1:"))}) {
      const auto powers = gp::polynomial::polyvander(at, degree);
      gp::ndarray<double> power = gp::ones_like(at);
      for (int k = 0; k <= degree; ++k) {
        CHECK(same_bits(gp::ndarray<double>(powers(gp::ellipsis, k)), power));
        power = gp::ndarray<double>(power * at).eval();
      }
    }
  }
  CHECK(gp::polynomial::polyvander(gp::zeros(0), 3).shape() == gp::dims{0, 4});
  fake.gpu.maps.clear();
  (void)gp::polynomial::polyvander(x, 5).eval();
  CHECK(std::count_if(fake.gpu.maps.begin(), fake.gpu.maps.end(),
                      [](const auto& m) { return m.stores == 4; }) == 1);
}

TEST_CASE("a Hadamard matrix is one kernel") {
  fake::installed fake;
  const auto matrix = gp::linalg::hadamard(8);
  CHECK(fake.gpu.maps.size() == 1);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      CHECK(gp::asnumpy(matrix)(i, j).item() == (std::popcount(static_cast<unsigned>(i & j)) % 2 ? -1 : 1));
  CHECK(gp::linalg::hadamard<float>(1).dtype() == gp::dtype::float32);
}
