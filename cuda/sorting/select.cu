// The tables of the kernels that select.
#include <cuda/sorting/select_kernels.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

const void* find_select_kernel(bool keys_are_64_bit) {
  return keys_are_64_bit ? reinterpret_cast<const void*>(&select_digit<std::uint64_t>)
                         : reinterpret_cast<const void*>(&select_digit<std::uint32_t>);
}

const void* find_mark_kernel(bool keys_are_64_bit) {
  return keys_are_64_bit ? reinterpret_cast<const void*>(&mark_top<std::uint64_t>)
                         : reinterpret_cast<const void*>(&mark_top<std::uint32_t>);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
