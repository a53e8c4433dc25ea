// The kernels of cumulative operations on bits, which know sizes alone.
#include <cuda/reduction/scan_table.cuh>
#include <kernel/bit_cores.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class T>
scan_kernels kernels_for(scan op) {
  switch (op) {
    case scan::bitwise_and:
      return exact_scan_kernels_of<kernel::bit_and_core<T>>();
    case scan::bitwise_or:
      return exact_scan_kernels_of<kernel::bit_or_core<T>>();
    default:
      return exact_scan_kernels_of<kernel::bit_xor_core<T>>();
  }
}

}  // namespace

scan_kernels find_bit_scan_kernels(scan op, dtype type) {
  if (is_inexact(type)) return {};
  switch (itemsize(type)) {
    case 1:
      return kernels_for<kernel_t<dtype::uint8>>(op);
    case 2:
      return kernels_for<kernel_t<dtype::uint16>>(op);
    case 4:
      return kernels_for<kernel_t<dtype::uint32>>(op);
    default:
      return kernels_for<kernel_t<dtype::uint64>>(op);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
