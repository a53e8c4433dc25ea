// The table of kernels for eigenvalues of small Hermitian matrices.
#include <cuda/linalg/small_eigh.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

const void* find_small_eigh_kernel(dtype type) {
  switch (type) {
    case dtype::float32:
      return reinterpret_cast<const void*>(&eigh_small<float>);
    case dtype::float64:
      return reinterpret_cast<const void*>(&eigh_small<double>);
    case dtype::complex64:
      return reinterpret_cast<const void*>(&eigh_small<kernel::complex<float>>);
    default:
      return reinterpret_cast<const void*>(&eigh_small<kernel::complex<double>>);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
