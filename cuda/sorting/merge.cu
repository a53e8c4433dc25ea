// The table of the kernels that merge.
#include <cuda/device/elements.cuh>
#include <cuda/sorting/merge_kernels.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class T, bool WithNumbers>
merge_kernels kernels_of() {
  return {reinterpret_cast<const void*>(&find_merge_cuts<T, WithNumbers>),
          reinterpret_cast<const void*>(&merge_tiles<T, WithNumbers>), merge_tile<T>};
}

template<class T>
merge_kernels kernels_of(bool with_numbers) {
  return with_numbers ? kernels_of<T, true>() : kernels_of<T, false>();
}

}  // namespace

merge_kernels find_merge_kernels(dtype type, bool with_numbers) {
  if (type == dtype::complex64) return kernels_of<kernel_t<dtype::complex64>>(with_numbers);
  if (type == dtype::complex128) return kernels_of<kernel_t<dtype::complex128>>(with_numbers);
  switch (itemsize(type)) {
    case 1:
      return kernels_of<std::uint8_t>(with_numbers);
    case 2:
      return kernels_of<std::uint16_t>(with_numbers);
    case 4:
      return kernels_of<std::uint32_t>(with_numbers);
    default:
      return kernels_of<std::uint64_t>(with_numbers);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
