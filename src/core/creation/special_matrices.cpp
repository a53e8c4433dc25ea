// Matrices made from numbers alone, and what matrices of a known form refuse.
#include <bit>
#include <cmath>
#include <numbers>

#include <core/array/generate.hpp>
#include <core/creation/creation.hpp>
#include <gparray/creation/special_matrices.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>
#include <support/shape_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {
device device_of(const array_options& options) { return options.device.value_or(default_device()); }
}  // namespace

}  // namespace core

namespace detail {

using namespace core;

void throw_matrix(std::string_view why) { throw value_error(std::string(why)); }

ndarray<std::int64_t> row_numbers(std::int64_t n, device on_device) {
  return gparray::arange(n, {.device = on_device}).reshape({n, 1});
}
ndarray<std::int64_t> column_numbers(std::int64_t n, device on_device) {
  return gparray::arange(n, {.device = on_device});
}

any_array hadamard(std::int64_t n, const array_options& options) {
  if (n < 1 || !std::has_single_bit(static_cast<std::uint64_t>(n)))
    throw value_error("n must be an positive integer, and n must be a power of 2");
  const any_array result = create({n, n}, gparray::dtype::int64, options);
  generate(result, [](plan_builder& b) {
    const auto number = [&b](gparray::dtype type, int value) {
      return b.constant(type, constant_bits(value, type));
    };
    const int shared =
        b.apply(ufunc::bitwise_and, gparray::dtype::int64, {b.iota(0, {1, 0}), b.iota(0, {0, 1})});
    const int bits = b.apply(ufunc::bitwise_count, gparray::dtype::int64, {shared});
    const int odd =
        b.apply(ufunc::bitwise_and, gparray::dtype::uint8, {bits, number(gparray::dtype::uint8, 1)});
    return b.apply(ufunc::where, gparray::dtype::int64,
                   {odd, number(gparray::dtype::int64, -1), number(gparray::dtype::int64, 1)});
  });
  return result;
}

void check_leslie(const any_array& f, const any_array& s) {
  if (f.ndim() != 1 || s.ndim() != 1) throw value_error("leslie: f and s must be one-dimensional");
  if (f.size() != s.size() + 1)
    throw value_error(
        "Incorrect lengths for f and s. The length of s along the last axis must be one less than the length "
        "of f.");
  if (s.size() == 0) throw value_error("The length of s must be at least 1.");
}

void check_khatri_rao(const any_array& a, const any_array& b) {
  if (a.ndim() < 2 || b.ndim() < 2) throw value_error("Both arrays should be at least two-dimensional.");
  if (a.shape(-1) != b.shape(-1)) throw value_error("The number of columns for both arrays should be equal.");
}

std::pair<std::int64_t, std::int64_t> convolution_rows(const any_array& a, std::int64_t n,
                                                       std::string_view mode) {
  if (n <= 0) throw value_error("n must be a positive integer.");
  if (a.ndim() != 1) throw value_error("convolution_matrix expects a one-dimensional array as input");
  const std::int64_t m = a.size(), all = checked_sum(m, n - 1, "convolution_matrix: the rows");
  if (m == 0) throw value_error("len(a) must be at least 1.");
  if (mode == "full") return {0, all};
  if (mode != "same" && mode != "valid")
    fail<value_error>("'mode' argument must be one of ('full', 'valid', 'same')");
  const std::int64_t kept = mode == "same" ? std::max(m, n) : std::max(m, n) - std::min(m, n) + 1;
  const std::int64_t first = mode == "same" ? (all - kept) / 2 : std::min(m, n) - 1;
  return {first, first + kept};
}

}  // namespace detail

namespace linalg {

using detail::column_numbers;
using detail::row_numbers;

ndarray<double> helmert(std::int64_t n, bool full, const array_options& options) {
  if (n < 1) core::fail<value_error>("helmert: n must be at least 1, not {}", n);
  const device on_device = core::device_of(options);
  const auto i = row_numbers(n, on_device), j = column_numbers(n, on_device);
  const ndarray<std::int64_t> sums = where((j < i) | (i == 0), 1, where(i == j, -i, 0));
  const ndarray<std::int64_t> squares = where(i == 0, n, i * (i + 1));
  const ndarray<double> h = sums / sqrt(squares.astype<double>());
  return full ? h : h(slice(1, none));
}

ndarray<double> hilbert(std::int64_t n, const array_options& options) {
  // Each element stands on a whole diagonal, and is divided for once.
  const std::int64_t diagonals = n > 0 ? core::checked_sum(n, n - 1, "hilbert: the diagonals") : 0;
  const ndarray<double> inverse = 1.0 / (column_numbers(diagonals, core::device_of(options)) + 1);
  return detail::along_antidiagonals(inverse, n, n);
}

ndarray<std::complex<double>> dft(std::int64_t n, std::string_view scale, const array_options& options) {
  if (!scale.empty() && scale != "sqrtn" && scale != "n")
    core::fail<value_error>("scale must be None, 'sqrtn', or 'n'; {} is not valid.", scale);
  const device on_device = core::device_of(options);
  const auto size = static_cast<double>(n);
  const ndarray<std::int64_t> turns =
      row_numbers(n, on_device) * column_numbers(n, on_device) % std::max<std::int64_t>(n, 1);
  const ndarray<double> angle = turns * (-2 * std::numbers::pi / size);
  const double factor = scale == "n" ? 1 / size : scale == "sqrtn" ? 1 / std::sqrt(size) : 1;
  const ndarray<std::complex<double>> m = empty<std::complex<double>>({n, n}, {.device = on_device});
  m.real() = cos(angle) * factor;
  m.imag() = sin(angle) * factor;
  return m;
}

}  // namespace linalg
GPARRAY_END_NAMESPACE
