// The kernels of cumulative sums and products.
#include <cuda/reduction/scan_table.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class T>
scan_kernels kernels_for(scan op) {
  using A = kernel::widened_t<T>;
  // Integers have no NaN to skip.
  constexpr bool skips = !kernel::is_integer<T>;
  switch (op) {
    case scan::sum:
      return scan_kernels_of<kernel::sum_core<T, A, false>>();
    case scan::prod:
      return scan_kernels_of<kernel::prod_core<T, A, false>>();
    case scan::nansum:
      return scan_kernels_of<kernel::sum_core<T, A, skips>>();
    default:
      return scan_kernels_of<kernel::prod_core<T, A, skips>>();
  }
}

}  // namespace

scan_kernels find_scan_kernels(scan op, dtype type) {
  if (op >= scan::bitwise_and) return find_bit_scan_kernels(op, type);
  if (is_exact(op)) return find_extreme_scan_kernels(op, type);
  switch (type) {
    case dtype::int64:
      return kernels_for<kernel_t<dtype::int64>>(op);
    case dtype::uint64:
      return kernels_for<kernel_t<dtype::uint64>>(op);
    case dtype::float16:
      return kernels_for<kernel_t<dtype::float16>>(op);
    case dtype::bfloat16:
      return kernels_for<kernel_t<dtype::bfloat16>>(op);
    case dtype::float32:
      return kernels_for<kernel_t<dtype::float32>>(op);
    case dtype::float64:
      return kernels_for<kernel_t<dtype::float64>>(op);
    case dtype::complex64:
      return kernels_for<kernel_t<dtype::complex64>>(op);
    case dtype::complex128:
      return kernels_for<kernel_t<dtype::complex128>>(op);
    default:
      return {};  // no accumulator has another dtype
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
