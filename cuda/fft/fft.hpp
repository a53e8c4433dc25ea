// Fourier transforms on GPUs, by cuFFT.
#pragma once
#include <memory>
#include <vector>

#include <cuda/runtime/device_state.hpp>
#include <plan/fft_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Plans of cuFFT have no memory of their own for intermediate results: an execution takes its work area from
/// the pool of its stream, so all plans share it.
class cuda_fft_engine final : public fft_engine {
 public:
  cuda_fft_engine(const std::vector<std::unique_ptr<device_state>>& states, int n_devices);

  void run(const fft_plan& plan, queue q) override;
  fft_cache& cache(int device) override { return caches_[static_cast<std::size_t>(device)]; }

 private:
  const std::vector<std::unique_ptr<device_state>>& states_;
  std::vector<fft_cache> caches_;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
