// The kernels of cumulative maxima and minima.
#include <cuda/reduction/scan_table.cuh>

// Functors compare with zero whatever the sign of the type.
#pragma nv_diag_suppress 186

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// False and true are 0 and 1.
template<class T>
using number_t = kernel::conditional_t<kernel::is_bool<T>, unsigned char, T>;

template<class T>
scan_kernels kernels_for(scan op) {
  // Integers have no NaN to skip.
  constexpr bool skips = !kernel::is_integer<T>;
  switch (op) {
    case scan::max:
      return exact_scan_kernels_of<kernel::max_core<T, false>>();
    case scan::min:
      return exact_scan_kernels_of<kernel::min_core<T, false>>();
    case scan::fmax:
      return exact_scan_kernels_of<kernel::max_core<T, skips>>();
    default:
      return exact_scan_kernels_of<kernel::min_core<T, skips>>();
  }
}

}  // namespace

scan_kernels find_extreme_scan_kernels(scan op, dtype type) {
  switch (type) {
#define GPARRAY_DTYPE(name, user_type, kernel_type, code, kind) \
  case dtype::name:                                             \
    return kernels_for<number_t<kernel_type>>(op);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return {};
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
