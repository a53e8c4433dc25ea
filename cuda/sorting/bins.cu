// The tables of kernels that count.
#include <cuda/sorting/bin_kernels.cuh>
#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

const void* find_bin_kernel(bool few) {
  return few ? reinterpret_cast<const void*>(&count_numbers<true>)
             : reinterpret_cast<const void*>(&count_numbers<false>);
}

namespace {

template<class T>
const void* between_kernel() {
  if constexpr (kernel::is_complex<T>) return nullptr;  // which have no order
  else return reinterpret_cast<const void*>(&count_between<T>);
}

}  // namespace

const void* find_between_kernel(dtype type) {
  switch (type) {
#define GPARRAY_DTYPE(name, user_type, kernel_type, code, kind) \
  case dtype::name:                                             \
    return between_kernel<kernel_type>();
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return nullptr;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
