// signal.fftconvolve: the product of two transforms is the transform of the convolution.
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/array/temporary.hpp>
#include <core/fft/fft.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/products/products.hpp>
#include <gparray/fft/cosine.hpp>
#include <gparray/signal/convolution.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The axes that need a transform; along the others one operand has size 1, or they are not convolved.
dims convolved_axes(const dims& s1, const dims& s2, const detail::optional_dims& axes) {
  dims all = axes.value, result;
  if (!axes.given)
    for (std::size_t d = 0; d < s1.size(); ++d) all.push_back(static_cast<std::int64_t>(d));
  if (axes.given && all.empty()) throw value_error("when provided, axes cannot be empty");
  for (std::int64_t axis : normalize_axis_list(all, static_cast<int>(s1.size()))) {
    const auto d = static_cast<std::size_t>(axis);
    if (s1[d] != 1 && s2[d] != 1) result.push_back(axis);
  }
  for (std::size_t d = 0; d < s1.size(); ++d)
    if (std::ranges::find(result, static_cast<std::int64_t>(d)) == result.end() && s1[d] != s2[d] &&
        s1[d] != 1 && s2[d] != 1)
      fail<value_error>("incompatible shapes for in1 and in2: {} and {}", text(s1), text(s2));
  return result;
}

bool covers(const dims& large, const dims& small, const dims& axes) {
  return std::ranges::all_of(axes, [&](std::int64_t axis) {
    return large[static_cast<std::size_t>(axis)] >= small[static_cast<std::size_t>(axis)];
  });
}

/// The middle of an array.
any_array centered(const any_array& a, const dims& shape) {
  any_array view = a;
  for (int d = 0; d < a.ndim(); ++d) {
    const std::int64_t count = shape[static_cast<std::size_t>(d)];
    view = slice_along(view, d, (a.shape(d) - count) / 2, count);
  }
  return detail::astype(temporary(view), a.dtype(), true).eval();
}

/// What "same" and "valid" leave of the full convolution, whose shape is `full`.
dims kept_shape(const dims& full, const dims& s1, const dims& s2, const dims& axes, std::string_view mode) {
  if (mode == "full") return full;
  if (mode == "same") return s1;
  const bool swapped = !covers(s1, s2, axes);
  if (swapped && !covers(s2, s1, axes))
    throw value_error("For 'valid' mode, one must be at least as large as the other in every dimension");
  dims kept = full;
  for (std::int64_t axis : axes) {
    const auto d = static_cast<std::size_t>(axis);
    kept[d] = (swapped ? s2[d] - s1[d] : s1[d] - s2[d]) + 1;
  }
  return kept;
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array fftconvolve(const argument& a, const argument& b, gparray::dtype type, std::string_view mode,
                      const optional_dims& axes_argument) {
  const argument both[] = {a, b};
  common_device("fftconvolve", both);
  if (mode != "full" && mode != "same" && mode != "valid")
    throw value_error("acceptable mode flags are 'valid', 'same', or 'full'");
  const dims s1 = a.array->shape(), s2 = b.array->shape();
  if (s1.size() != s2.size()) throw value_error("in1 and in2 should have the same dimensionality");
  if (s1.empty()) return make_expression(ufunc::multiply, type, both).eval();
  if (a.array->size() == 0 || b.array->size() == 0) return allocate(type, 0, a.array->device());

  const dims axes = convolved_axes(s1, s2, axes_argument);
  dims full = s1, lengths;
  for (std::size_t d = 0; d < full.size(); ++d) full[d] = std::max(s1[d], s2[d]);
  for (std::int64_t axis : axes) {
    const auto d = static_cast<std::size_t>(axis);
    full[d] = s1[d] + s2[d] - 1;
    lengths.push_back(detail::fast_length(full[d], true));
  }
  const dims kept = kept_shape(full, s1, s2, axes, mode);
  if (axes.empty()) return centered(make_expression(ufunc::multiply, type, both), kept);

  const bool is_real = !is_complex(type);
  const auto transform = [&](const argument& x) {
    const any_array operand = product_operand(x, type);
    return fftn(is_real ? fft_function::rfft : fft_function::fft, temporary(operand), lengths, axes,
                "backward", nullptr);
  };
  const any_array first = transform(a), second = transform(b);
  const argument spectra[] = {temporary(first), temporary(second)};
  const any_array product = make_expression(ufunc::multiply, complex_dtype(type), spectra);
  const any_array sums = fftn(is_real ? fft_function::irfft : fft_function::ifft, temporary(product), lengths,
                              axes, "backward", nullptr);
  any_array whole = sums;
  for (std::int64_t axis : axes)
    whole = slice_along(whole, static_cast<int>(axis), 0, full[static_cast<std::size_t>(axis)]);
  return centered(whole, kept);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
