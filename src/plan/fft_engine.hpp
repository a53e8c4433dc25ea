// What a backend offers for discrete Fourier transforms.
#pragma once
#include <plan/backend.hpp>
#include <plan/fft_cache.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// forward: sum x[j] exp(-2 pi i j k / n); inverse: the same with +. real_forward takes n real numbers to the
/// n / 2 + 1 first of their transform; real_inverse goes back, and takes no notice of the imaginary parts of
/// the first and, if n is even, the last. Cosine and sine transforms take n real numbers to n, as the page of
/// fft::dct says, without a factor.
enum class fft_kind : std::uint8_t {
  forward,
  inverse,
  real_forward,
  real_inverse,
  cosine_1,
  cosine_2,
  cosine_3,
  cosine_4,
  sine_1,
  sine_2,
  sine_3,
  sine_4
};

constexpr fft_kind cosine_kind(bool sine, int type) {
  return static_cast<fft_kind>(static_cast<int>(sine ? fft_kind::sine_1 : fft_kind::cosine_1) + type - 1);
}
constexpr bool is_cosine_or_sine(fft_kind kind) { return kind >= fft_kind::cosine_1; }
constexpr bool is_sine(fft_kind kind) { return kind >= fft_kind::sine_1; }
/// 1 to 4.
constexpr int cosine_type(fft_kind kind) {
  return static_cast<int>(kind) - static_cast<int>(is_sine(kind) ? fft_kind::sine_1 : fft_kind::cosine_1) + 1;
}

constexpr bool is_real(fft_kind kind) {
  return kind == fft_kind::real_forward || kind == fft_kind::real_inverse;
}

/// scale * the transforms along `rank` dimensions, for every index of the batch. No size is 0; elements are
/// aligned to their type and strides (bytes) multiples of its size; what is written is disjoint from what is
/// read, or the same elements with the same strides (complex kinds only).
struct fft_plan {
  fft_kind kind;
  dtype real;  // float32 or float64, of the parts
  int rank;    // 1 for the real kinds and those of cosines and sines
  std::int64_t n[max_ndim];
  std::int64_t in_strides[max_ndim], out_strides[max_ndim];
  int batch_ndim;
  std::int64_t batch_shape[max_ndim], batch_in_strides[max_ndim], batch_out_strides[max_ndim];
  const void* in;
  void* out;
  bool input_is_scratch;  // and may be overwritten
  double scale;

  std::int64_t in_item() const { return item(kind != fft_kind::real_forward && !is_cosine_or_sine(kind)); }
  std::int64_t out_item() const { return item(kind != fft_kind::real_inverse && !is_cosine_or_sine(kind)); }

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
  /// Whether run() does cosine and sine transforms of n numbers.
  virtual bool takes(fft_kind, std::int64_t) const { return false; }
  virtual fft_cache& cache(int device) = 0;
};

}  // namespace core
GPARRAY_END_NAMESPACE
