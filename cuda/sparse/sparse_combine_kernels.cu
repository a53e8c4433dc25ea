// The table of kernels that combine sparse matrices.
#include <cuda/sparse/find_kernel.cuh>
#include <cuda/sparse/sparse_combine.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<bool writes>
const void* union_kernel(dtype type, dtype index) {
  return find_by_type(type, [&]<class T>() {
    return find_by_index(index, [&]<class I>() { return address_of(&union_tiles<T, I, writes>); });
  });
}

}  // namespace

const void* find_union_splits_kernel(dtype index) {
  return find_by_index(index, [&]<class I>() { return address_of(&find_union_splits<I>); });
}
const void* find_union_count_kernel(dtype type, dtype index) { return union_kernel<false>(type, index); }
const void* find_union_write_kernel(dtype type, dtype index) { return union_kernel<true>(type, index); }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
