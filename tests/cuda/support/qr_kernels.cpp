#if defined(GPARRAY_HAS_CUDA)
#include "cuda/support/emulated_device.hpp"

// Other names than those of the GPU's kernels, which the library has too.
#define factor_small emulated_factor_small
#define form_small_q emulated_form_small_q
#include <cuda/linalg/small_qr.cuh>

#include "cuda/support/qr_kernels.hpp"

namespace emulated_qr {

using namespace gparray;
using namespace gparray::core::cuda;

template<class T, int Rows>
void run_with(bool factor, const void* params, unsigned n_blocks, unsigned n_threads) {
  emulated::run_blocks(factor ? &emulated_factor_small<T, Rows> : &emulated_form_small_q<T, Rows>, params,
                       n_blocks, n_threads);
}

template<class T>
void run_type(bool factor, int rows, const void* params, unsigned n_blocks, unsigned n_threads) {
  if (rows == 1) run_with<T, 1>(factor, params, n_blocks, n_threads);
  else if (rows == 2) run_with<T, 2>(factor, params, n_blocks, n_threads);
  else run_with<T, 4>(factor, params, n_blocks, n_threads);
}

void run(dtype type, int rows, bool factor, const void* params, unsigned n_blocks, unsigned n_threads) {
  switch (type) {
    case dtype::float32:
      return run_type<float>(factor, rows, params, n_blocks, n_threads);
    case dtype::float64:
      return run_type<double>(factor, rows, params, n_blocks, n_threads);
    case dtype::complex64:
      return run_type<kernel::complex<float>>(factor, rows, params, n_blocks, n_threads);
    default:
      return run_type<kernel::complex<double>>(factor, rows, params, n_blocks, n_threads);
  }
}

}  // namespace emulated_qr
#endif
