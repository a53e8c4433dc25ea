// What a backend offers for discrete Fourier transforms.
#pragma once
#include <plan/backend.hpp>
#include <plan/fft_cache.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// forward: sum x[j] exp(-2 pi i j k / n); inverse: the same with +. real_forward takes n real numbers to the
/// n / 2 + 1 first of their transform; real_inverse goes back, and takes no notice of the imaginary parts of
/// the first and, if n is even, the last.
enum class fft_kind : std::uint8_t { forward, inverse, real_forward, real_inverse };

constexpr bool is_real(fft_kind kind) {
  return kind == fft_kind::real_forward || kind == fft_kind::real_inverse;
}

/// scale * the transforms along `rank` dimensions, for every index of the batch. No size is 0; elements are
/// aligned to their type and strides (bytes) multiples of its size; what is written is disjoint from what is
/// read, or the same elements with the same strides (complex kinds only).
struct fft_plan {
  fft_kind kind;
  dtype real;  // float32 or float64, of the parts
  int rank;    // 1 for the real kinds
  std::int64_t n[max_ndim];
  std::int64_t in_strides[max_ndim], out_strides[max_ndim];
  int batch_ndim;
  std::int64_t batch_shape[max_ndim], batch_in_strides[max_ndim], batch_out_strides[max_ndim];
  const void* in;
  void* out;
  bool input_is_scratch;  // and may be overwritten
  double scale;

  std::int64_t in_item() const { return item(kind != fft_kind::real_forward); }
  std::int64_t out_item() const { return item(kind != fft_kind::real_inverse); }

 private:
  std::int64_t item(bool is_complex) const {
    return static_cast<std::int64_t>(itemsize(real)) * (is_complex ? 2 : 1);
  }
};

/// Errors are library_error, cuda_error and out_of_memory.
class fft_engine {
 public:
  virtual ~fft_engine() = default;
  virtual void run(const fft_plan& plan, queue q) = 0;
  virtual fft_cache& cache(int device) = 0;
};

}  // namespace core
GPARRAY_END_NAMESPACE
