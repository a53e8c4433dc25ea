// From the dimensions of a transform to what cuFFT calls its advanced data layout.
#pragma once
#include <cuda/device/loop_nest.hpp>
#include <plan/fft_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Element (i, j, k) of transform b is at b * distance + ((i * embed[1] + j) * embed[2] + k) * stride.
struct cufft_side {
  long long embed[3], stride, distance;
};

/// What cufftMakePlanMany64 takes. Counts are elements.
struct cufft_layout {
  int type, rank;
  long long n[3];
  cufft_side in, out;
  long long batch;

  fft_cache::key key() const;
};

/// One dimension of the data. `out` and `in` are strides in bytes, out_count and in_count the elements that
/// are there: of real numbers' spectra only half.
struct fft_dimension {
  std::int64_t out_count, in_count, n, out, in;
  bool transformed;
};

/// Some of the transforms of a plan: those that cuFFT does at once, along up to three dimensions.
struct cufft_call {
  cufft_layout layout;
  std::vector<fft_dimension> along;  // outermost first
  std::vector<fft_dimension> across;
  loop_nest repeats;  // operands out, in: where else the same call is to be made
};

/// One call, or what takes its place: through arrays in which the transformed dimensions are innermost.
struct fft_step {
  cufft_call call;
  bool transposed;
  bool aligned;         // so that `call` can be made where the data lies, if slower
  cufft_layout layout;  // of the call that is made
};

/// How cuFFT computes a plan.
struct fft_program {
  /// From the outermost in the output to the innermost, those of size 1 that are not transformed left out.
  std::vector<fft_dimension> given;
  /// The input is copied first: side by side, in this order. `dimensions` have the strides of the copy.
  bool copies_input;
  std::vector<fft_dimension> dimensions;
  std::vector<fft_step> steps;  // the first from the input to the output, the others in place
};

fft_program program_of(const fft_plan& plan);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
