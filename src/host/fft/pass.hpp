// One pass over memory: the transforms along one axis.
#pragma once
#include <host/fft/fftw.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

struct fft_side {
  char* data;
  std::int64_t item, count;  // bytes of an element, and elements along the axis
  std::int64_t stride;       // bytes along the axis
  std::int64_t strides[core::max_ndim];
};

/// Every transform is that of the same plan on memory of the same alignment, so its bits depend on its input
/// alone: not on where it lies, nor on how many threads share the work.
struct fft_pass {
  const line_transform* transform;
  dtype real;
  fft_side in, out;
  bool copies_input;  // the transform may neither read it in place nor overwrite it
  int ndim = 0;
  std::int64_t shape[core::max_ndim];
  double scale;

  /// Another dimension of the batch, in any order.
  void append(std::int64_t n, std::int64_t in_stride, std::int64_t out_stride);
  void run();
};

}  // namespace host
GPARRAY_END_NAMESPACE
