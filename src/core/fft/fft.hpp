// Transforms of computed arrays: what the functions of fft.hpp, plan objects and convolutions are made of.
#pragma once
#include <core/array/array_rep.hpp>
#include <gparray/fft.hpp>
#include <plan/fft_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Checked arguments of a transform. Axes are in [0, ndim), in the order in which NumPy takes them: the last
/// first.
struct fft_request {
  detail::fft_function function;
  dims axes, lengths;
  double scale;
  std::string norm;

  /// Elements of the input that are used along axis number i: a crop or a pad of it.
  std::int64_t used(std::size_t i) const {
    return gives_real(function) && i + 1 == axes.size() ? lengths[i] / 2 + 1 : lengths[i];
  }
  dims result_shape(const dims& shape) const;
  bool repeats_axes() const;
};

/// Throws value_error, axis_error with NumPy's texts.
fft_request checked_fft(detail::fft_function f, const dims& shape, detail::slice_end n, int axis,
                        std::string_view norm);
fft_request checked_fftn(detail::fft_function f, const dims& shape, const detail::optional_dims& s,
                         const detail::optional_dims& axes, std::string_view norm);

/// Whether every element is aligned to its size, as plans want them.
bool is_regular(const array_rep* a);

/// The plan for arrays of these layouts.
fft_plan make_fft_plan(fft_kind kind, const array_rep* in, const array_rep* out, const dims& axes,
                       double scale);
/// scale * the transforms of `in` along the axes, written to `out`. `scratch`: in may be overwritten.
void run_fft(fft_kind kind, const array_rep* in, const array_rep* out, const dims& axes, double scale,
             bool scratch = false);

/// The engine of a device. Throws device_error if its backend cannot transform.
fft_engine& fft_engine_of(device on_device);

}  // namespace core
GPARRAY_END_NAMESPACE
