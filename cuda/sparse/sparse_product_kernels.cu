// The table of kernels that multiply sparse matrices.
#include <cuda/sparse/sparse_product.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class T>
const void* write_kernel(dtype index) {
  return index == dtype::int32 ? reinterpret_cast<const void*>(&write_product<T, std::int32_t>)
                               : reinterpret_cast<const void*>(&write_product<T, std::int64_t>);
}

}  // namespace

const void* find_product_count_kernel(dtype index) {
  return index == dtype::int32 ? reinterpret_cast<const void*>(&count_product<std::int32_t>)
                               : reinterpret_cast<const void*>(&count_product<std::int64_t>);
}

const void* find_product_write_kernel(dtype type, dtype index) {
  switch (type) {
#define GPARRAY_DTYPE(name, scalar, kernel_type, code, kind)    \
  case dtype::name:                                             \
    if constexpr (kernel::is_half<kernel_type>) return nullptr; \
    else return write_kernel<kernel_type>(index);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return nullptr;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
