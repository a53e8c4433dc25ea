// On a GPU a matrix of many short rows times a vector is a reduction of the rows, and its transpose one of
// the columns.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"

namespace gp = gparray;

namespace {

/// Small integers, whose sums are exact.
template<class V>
gp::ndarray<V> whole_numbers(std::int64_t n, std::int64_t m) {
  return (gp::arange(n * m) * 7 % 11 - 5).reshape({n, m}).astype<V>();
}

}  // namespace

TEST_CASE_TEMPLATE("products on a GPU: many short rows by a vector", V, float, double) {
  fake::installed fake;
  const std::int64_t rows = 1 << 16;
  for (const std::int64_t n : {2, 32, 65}) {
    const gp::ndarray<V> a = whole_numbers<V>(rows, n), x = whole_numbers<V>(1, n).ravel().copy();
    gp::eval(a, x);
    const auto is_reduction = [&](auto multiply, std::int64_t size) {
      fake.gpu.reductions.clear();
      const gp::ndarray<V> product = multiply();
      product.eval();
      const bool reduced = !fake.gpu.reductions.empty();
      CHECK(product.shape() == gp::dims{size});
      const gp::device_guard guard(gp::device::cpu());
      const gp::ndarray<V> expected = gp::matmul(gp::asnumpy(a(gp::slice(0, size))), gp::asnumpy(x));
      CHECK(gp::array_equal(gp::asnumpy(product), expected));
      return reduced;
    };
    CHECK(is_reduction([&] { return gp::matmul(a, x); }, rows) == (n <= 64));
    CHECK(is_reduction([&] { return gp::matvec(a, x); }, rows) == (n <= 64));
    CHECK_FALSE(is_reduction([&] { return gp::matmul(a(":-1"), x); }, rows - 1));
  }
}

TEST_CASE_TEMPLATE("products on a GPU: a vector by the columns of many short rows", V, float, double) {
  fake::installed fake;
  const std::int64_t rows = 1 << 16;
  for (const std::int64_t n : {31, 32, 64, 65}) {
    CAPTURE(n);
    const gp::ndarray<V> a = whole_numbers<V>(rows, n), x = whole_numbers<V>(1, rows).ravel().copy();
    gp::eval(a, x);
    gp::ndarray<V> expected;
    {
      const gp::device_guard guard(gp::device::cpu());
      expected = gp::matmul(gp::asnumpy(x), gp::asnumpy(a));
    }
    const auto is_reduction = [&](auto multiply) {
      fake.gpu.reductions.clear();
      const gp::ndarray<V> product = multiply();
      product.eval();
      CHECK(product.shape() == gp::dims{n});
      CHECK(gp::array_equal(gp::asnumpy(product), expected));
      return !fake.gpu.reductions.empty();
    };
    const bool expects = n == 32 || n == 64;
    CHECK(is_reduction([&] { return gp::matmul(a.T(), x); }) == expects);
    CHECK(is_reduction([&] { return gp::matvec(a.T(), x); }) == expects);
    CHECK(is_reduction([&] { return gp::matmul(x, a); }) == expects);
    CHECK(is_reduction([&] { return gp::vecmat(x, a); }) == expects);
  }
}
