// The table of kernels for products of small matrices.
#include <cuda/products/tiny_product.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

const void* find_tiny_kernel(dtype type) {
  switch (type) {
    case dtype::float16:
      return reinterpret_cast<const void*>(&multiply_tiny<float16>);
    case dtype::bfloat16:
      return reinterpret_cast<const void*>(&multiply_tiny<bfloat16>);
    case dtype::float32:
      return reinterpret_cast<const void*>(&multiply_tiny<float>);
    case dtype::float64:
      return reinterpret_cast<const void*>(&multiply_tiny<double>);
    case dtype::complex64:
      return reinterpret_cast<const void*>(&multiply_tiny<kernel::complex<float>>);
    default:
      return reinterpret_cast<const void*>(&multiply_tiny<kernel::complex<double>>);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
