// The table of kernels that combine sparse matrices.
#include <cuda/sparse/sparse_combine.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<bool writes>
const void* union_kernel(dtype type, dtype index) {
  switch (type) {
#define GPARRAY_DTYPE(name, scalar, kernel_type, code, kind)                                      \
  case dtype::name:                                                                               \
    if constexpr (kernel::is_half<kernel_type>) return nullptr;                                   \
    else                                                                                          \
      return index == dtype::int32                                                                \
                 ? reinterpret_cast<const void*>(&union_tiles<kernel_type, std::int32_t, writes>) \
                 : reinterpret_cast<const void*>(&union_tiles<kernel_type, std::int64_t, writes>);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return nullptr;
}

}  // namespace

const void* find_union_splits_kernel(dtype index) {
  return index == dtype::int32 ? reinterpret_cast<const void*>(&find_union_splits<std::int32_t>)
                               : reinterpret_cast<const void*>(&find_union_splits<std::int64_t>);
}
const void* find_union_count_kernel(dtype type, dtype index) { return union_kernel<false>(type, index); }
const void* find_union_write_kernel(dtype type, dtype index) { return union_kernel<true>(type, index); }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
