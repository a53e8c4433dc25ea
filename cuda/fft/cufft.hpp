// cuFFT, loaded at first use.
#pragma once
#include <cufftXt.h>

#include <cuda/fft/fft_layout.hpp>
#include <plan/fft_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct cufft_table {
#define GPARRAY_CUFFT_CALL(name) decltype(&::name) name;
#include <cuda/fft/cufft_calls.def>
#undef GPARRAY_CUFFT_CALL
};

/// Loads the library at the first call. Throws library_error.
const cufft_table& cufft();
/// Fakes for tests; nullptr ends that. The previous table is returned.
const cufft_table* exchange_cufft(const cufft_table* substitute) noexcept;

/// A plan of the current device, without memory of its own for intermediate results.
class cufft_plan final : public prepared_fft {
 public:
  /// Throws cuda_error, out_of_memory.
  explicit cufft_plan(const cufft_layout& layout);
  ~cufft_plan() override;
  cufft_plan(const cufft_plan&) = delete;
  cufft_plan& operator=(const cufft_plan&) = delete;

  /// Bytes that `work` must have.
  std::size_t work_bytes() const { return bytes; }
  /// Enqueues transforms for each pair of addresses that `next` gives, until it gives false. Several threads
  /// may use one plan: they take turns.
  template<class Next>
  void execute(int direction, void* work, stream_handle stream, Next next) {
    const std::lock_guard guard(lock_);
    bind(work, stream);
    const void* in = nullptr;
    void* out = nullptr;
    while (next(in, out)) transform(in, out, direction);
  }

 private:
  void bind(void* work, stream_handle stream);
  void transform(const void* in, void* out, int direction);

  const cufft_table& calls_;
  int device_;
  cufftHandle handle_ = 0;
  // What the last transform was bound to: binding takes as long as a launch.
  bool is_bound_ = false;
  stream_handle stream_ = nullptr;
  void* work_ = nullptr;
  std::mutex lock_;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
