// The table of kernels that convolve and correlate.
#include <cuda/signal/correlate.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

const void* find_correlate_kernel(dtype type) {
  switch (type) {
    case dtype::bool_:
      return reinterpret_cast<const void*>(&correlate_tile_of<bool>);
    case dtype::float32:
      return reinterpret_cast<const void*>(&correlate_tile_of<float>);
    case dtype::float64:
      return reinterpret_cast<const void*>(&correlate_tile_of<double>);
    case dtype::complex64:
      return reinterpret_cast<const void*>(&correlate_tile_of<kernel::complex<float>>);
    case dtype::complex128:
      return reinterpret_cast<const void*>(&correlate_tile_of<kernel::complex<double>>);
    default:
      break;
  }
  // Wrapping sums and products have the same bits whether signed or not.
  switch (itemsize(type)) {
    case 1:
      return reinterpret_cast<const void*>(&correlate_tile_of<unsigned char>);
    case 2:
      return reinterpret_cast<const void*>(&correlate_tile_of<unsigned short>);
    case 4:
      return reinterpret_cast<const void*>(&correlate_tile_of<unsigned>);
    default:
      return reinterpret_cast<const void*>(&correlate_tile_of<unsigned long>);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
