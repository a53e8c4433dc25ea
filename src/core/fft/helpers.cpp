// Frequencies of a transform's elements, and shifts that put frequency 0 in the middle.
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/manipulation/manipulation.hpp>
#include <gparray/fft.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

any_array fft_frequencies(std::int64_t n, double d, bool half, device where) {
  if (n < 1) fail<value_error>("{}fftfreq: n must be at least 1, and it is {}", half ? "r" : "", n);
  const std::int64_t positive = half ? n / 2 + 1 : n / 2 + n % 2;
  const any_array result = allocate(dtype::float64, half ? positive : n, where);
  const double step = 1 / (static_cast<double>(n) * d);
  const auto fill_part = [&](std::int64_t start, std::int64_t count, std::int64_t first) {
    generate(slice_along(result, 0, start, count), [&](plan_builder& b) {
      const int numbers = b.cast(b.iota(first, 1), dtype::float64);
      return b.apply(ufunc::multiply, dtype::float64,
                     {numbers, b.constant(dtype::float64, constant_bits(step, dtype::float64))});
    });
  };
  fill_part(0, positive, 0);
  if (!half) fill_part(positive, n - positive, positive - n);
  return result;
}

any_array fft_shift(const any_array& a, const optional_dims& axes, bool inverse) {
  dims along = axes.value, shift;
  if (!axes.given)
    for (int i = 0; i < a.ndim(); ++i) along.push_back(i);
  for (std::int64_t axis : along) {
    const std::int64_t n = a.shape(normalize_axis(axis, a.ndim()));
    shift.push_back(inverse ? -(n / 2) : n / 2);
  }
  return roll(a, shift, &along);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
