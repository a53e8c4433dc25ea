// The arguments of transforms: lengths, axes, norm.
#include <cmath>

#include <core/array/layout.hpp>
#include <core/fft/fft.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

using detail::fft_function;

namespace {

/// Real elements that a transform gives of `size` of a Hermitian half.
std::int64_t whole_length(std::int64_t size) {
  return checked_product(2, size - 1, "array is too big: the length of a transform");
}

void check_length(std::int64_t n) {
  if (n < 1) fail<value_error>("Invalid number of FFT data points ({}) specified.", n);
}

double scale_of(fft_function f, const dims& lengths, std::string_view norm) {
  double n = 1;
  for (std::int64_t length : lengths) n *= static_cast<double>(length);
  if (norm == "ortho") return 1 / std::sqrt(n);
  const bool inverse = f == fft_function::ifft || f == fft_function::irfft || f == fft_function::ihfft;
  if (norm == (inverse ? "backward" : "forward")) return 1 / n;
  if (norm == (inverse ? "forward" : "backward")) return 1;
  const bool has_space = f != fft_function::fft && f != fft_function::rfft;  // in NumPy's texts
  fail<value_error>("Invalid norm value {}; should be \"backward\",{}\"ortho\" or \"forward\".", norm,
                    has_space ? " " : "");
}

}  // namespace

dims fft_request::result_shape(const dims& shape) const {
  dims result = shape;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool half = takes_real(function) && i + 1 == axes.size();
    result[static_cast<std::size_t>(axes[i])] = half ? lengths[i] / 2 + 1 : lengths[i];
  }
  return result;
}

bool fft_request::repeats_axes() const {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (std::find(axes.begin(), axes.begin() + i, axes[i]) != axes.begin() + i) return true;
  return false;
}

fft_request checked_fft(fft_function f, const dims& shape, detail::slice_end n, int axis,
                        std::string_view norm) {
  if (n.given) check_length(n.value);
  const int along = normalize_axis(axis, static_cast<int>(shape.size()));
  const std::int64_t size = shape[static_cast<std::size_t>(along)];
  const std::int64_t length = n.given ? n.value : gives_real(f) ? whole_length(size) : size;
  check_length(length);
  return {f, along, length, scale_of(f, length, norm), std::string(norm)};
}

fft_request checked_fftn(fft_function f, const dims& shape, const detail::optional_dims& s,
                         const detail::optional_dims& axes, std::string_view norm) {
  const int ndim = static_cast<int>(shape.size());
  fft_request r{f, axes.value, s.value, 1, std::string(norm)};
  if (!axes.given) {
    r.axes = {};
    const auto count = static_cast<std::int64_t>(s.given ? s.value.size() : shape.size());
    for (std::int64_t i = -count; i < 0; ++i) r.axes.push_back(i);
  }
  if (s.given && s.value.size() != r.axes.size()) throw value_error("Shape and axes have different lengths.");
  if (r.axes.empty() && (takes_real(f) || gives_real(f)))
    throw index_error("a transform of or to real numbers needs an axis, and there is none");
  for (std::size_t i = 0; i < r.axes.size(); ++i) {
    r.axes[i] = normalize_axis(r.axes[i], ndim);
    const std::int64_t size = shape[static_cast<std::size_t>(r.axes[i])];
    if (!s.given) r.lengths.push_back(gives_real(f) && i + 1 == r.axes.size() ? whole_length(size) : size);
    else if (r.lengths[i] == -1) r.lengths[i] = size;
  }
  for (std::int64_t n : r.lengths) check_length(n);
  r.scale = scale_of(f, r.lengths, norm);
  return r;
}

}  // namespace core
GPARRAY_END_NAMESPACE
