// Rows whose work is exact: an element has the same bits alone, in scalar code, and among others, in vector
// code.
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/dtype/float16.hpp>
#include <host/map/loops.hpp>
#include <kernel/functors.hpp>

#include "support/same_bits.hpp"

namespace gp = gparray;
namespace kernel = gparray::kernel;
using gp::dtype;
using gp::ufunc;

namespace {

using bytes = std::vector<unsigned char>;

/// Numbers of every kind, in another order for each operand.
template<class T>
bytes numbers(int operand, std::size_t n) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double values[] = {0.,   -0., 1.,   -1.,   0.5, -0.5,  2.5,      -3.5,      1e-7, -6e-8,
                               3.75, 7.,  -11., 100.3, -42, 65504, infinity, -infinity, 1e-3};
  bytes result(n * sizeof(T));
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t at = i * (operand == 0 ? 1 : operand == 1 ? 7 : 5) + i / std::size(values);
    T value;
    if constexpr (std::is_same_v<T, bool>) value = at % 3 == 0;
    else if constexpr (std::is_integral_v<T>) value = static_cast<T>(at % 23) - 11;
    else if (at % 17 == 16) value = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
    else value = static_cast<T>(static_cast<float>(values[at % std::size(values)]));
    std::memcpy(result.data() + i * sizeof(T), &value, sizeof value);
  }
  return result;
}

template<class T>
bytes operand_of(dtype type, int operand, std::size_t n) {
  if (type == dtype::bool_) return numbers<bool>(operand, n);
  if (type == dtype::int32) return numbers<std::int32_t>(operand, n);
  return numbers<T>(operand, n);
}

template<class T>
void check_rows(dtype type) {
  constexpr std::size_t n = 19 * 17 + 5;
  for (int row = 0; row < gp::ufunc_count; ++row) {
    const auto f = static_cast<ufunc>(row);
    const gp::host::loop loop = gp::host::find_loop(f, type);
    if (!loop || !gp::host::is_exact(f, type)) continue;
    INFO(gp::name(f), " of ", gp::name(type));
    bytes operands[gp::max_arity];
    const void* all[gp::max_arity] = {};
    for (int i = 0; i < gp::arity(f); ++i) {
      operands[i] = operand_of<T>(gp::input_dtype(f, i, type), i, n);
      all[i] = operands[i].data();
    }
    const std::size_t size = gp::itemsize(gp::output_dtype(f, type));
    bytes together(n * size), alone(n * size);
    loop(all, together.data(), n);
    for (std::size_t k = 0; k < n; ++k) {
      const void* one[gp::max_arity] = {};
      for (int i = 0; i < gp::arity(f); ++i)
        one[i] = operands[i].data() + k * gp::itemsize(gp::input_dtype(f, i, type));
      loop(one, alone.data() + k * size, 1);
    }
    CHECK(together == alone);
  }
}

/// Complex numbers of whose products the digits behind the last one are not zero.
template<class R>
std::vector<kernel::complex<R>> factors(std::size_t n, R step) {
  std::vector<kernel::complex<R>> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    const R x = R(1) + static_cast<R>(i) * step;
    result[i] = {x / R(3), R(7) / x};
  }
  return result;
}

}  // namespace

TEST_CASE_TEMPLATE("host map: products of complex numbers are rounded before they are added", R, float,
                   double) {
  constexpr std::size_t n = 1003;
  const auto a = factors<R>(n, R(0.7)), b = factors<R>(n, R(-0.3));
  std::vector<kernel::complex<R>> result(n);
  const void* const operands[] = {a.data(), b.data()};
  const auto check = [&]<class Op>(ufunc f, Op) {
    CAPTURE(gp::name(f));
    gp::host::find_loop(f, gp::dtype_of<std::complex<R>>)(operands, result.data(), n);
    std::vector<kernel::complex<R>> expected(n);
    for (std::size_t i = 0; i < n; ++i) {
      if constexpr (std::is_same_v<Op, kernel::reciprocal_op>)
        expected[i] = kernel::invoke<Op, kernel::complex<R>>(a[i]);
      else expected[i] = kernel::invoke<Op, kernel::complex<R>>(a[i], b[i]);
    }
    CHECK(same_bits(result, expected));
  };
  check(ufunc::multiply, kernel::multiply_op{});
  check(ufunc::divide, kernel::divide_op{});
  check(ufunc::reciprocal, kernel::reciprocal_op{});
}

TEST_CASE("host map: loops that are exact give an element the same bits alone and among others") {
  check_rows<gp::float16>(dtype::float16);
  check_rows<gp::bfloat16>(dtype::bfloat16);
  check_rows<float>(dtype::float32);
  check_rows<double>(dtype::float64);
}

TEST_CASE("host map: what a row's work says of its loops") {
  CHECK(gp::detail::is_exact(ufunc::add, dtype::complex64));
  CHECK(!gp::detail::is_exact(ufunc::multiply, dtype::complex64));
  CHECK(!gp::detail::is_exact(ufunc::exp, dtype::float64));
  CHECK(!gp::detail::is_exact(ufunc::power, dtype::float64));
  CHECK(gp::detail::is_exact(ufunc::power, dtype::int64));
  CHECK(!gp::detail::is_exact(ufunc::user, dtype::int64));
  CHECK(gp::detail::is_few(ufunc::multiply, dtype::float64));
  CHECK(!gp::detail::is_few(ufunc::multiply, dtype::complex128));
  CHECK(!gp::detail::is_few(ufunc::sqrt, dtype::float32));
}
