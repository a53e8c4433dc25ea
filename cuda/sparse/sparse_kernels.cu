// The tables of kernels for sparse matrices.
#include <cuda/sparse/find_kernel.cuh>
#include <cuda/sparse/sparse_kernels.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class T>
const void* short_rows_kernel(dtype index) {
  return find_by_index(index, [&]<class I>() { return address_of(&multiply_short_rows<T, I>); });
}

}  // namespace

const void* find_short_rows_kernel(dtype type, dtype index) {
  switch (type) {
    case dtype::float32:
      return short_rows_kernel<float>(index);
    case dtype::float64:
      return short_rows_kernel<double>(index);
    case dtype::complex64:
      return short_rows_kernel<kernel::complex<float>>(index);
    case dtype::complex128:
      return short_rows_kernel<kernel::complex<double>>(index);
    default:
      return nullptr;
  }
}

const void* find_starts_kernel(dtype index) {
  return find_by_index(index, [&]<class I>() { return address_of(&find_starts<I>); });
}

const void* find_reorder_kernel(dtype index, std::size_t item_bytes) {
  return find_by_index(index, [&]<class I>() {
    return find_by_size(item_bytes, [&]<class Item>() { return address_of(&reorder_entries<I, Item>); });
  });
}

const void* find_reduce_rows_kernel(dtype type, dtype index) {
  return find_by_type(type, [&]<class T>() {
    return find_by_index(index, [&]<class I>() { return address_of(&reduce_rows_of<T, I>); });
  });
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
