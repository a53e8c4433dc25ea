#include <cuda/map/bits.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

const void* bit_kernel(bool packs) {
  return packs ? reinterpret_cast<const void*>(&move_bits<true>)
               : reinterpret_cast<const void*>(&move_bits<false>);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
