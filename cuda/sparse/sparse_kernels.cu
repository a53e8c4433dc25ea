// The tables of kernels for sparse matrices.
#include <cuda/sparse/find_kernel.cuh>
#include <cuda/sparse/sparse_kernels.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// Of the dtypes that cuSPARSE has.
template<class Find>
const void* find_by_library_type(dtype type, Find find) {
  switch (type) {
    case dtype::float32:
      return find.template operator()<float>();
    case dtype::float64:
      return find.template operator()<double>();
    case dtype::complex64:
      return find.template operator()<kernel::complex<float>>();
    case dtype::complex128:
      return find.template operator()<kernel::complex<double>>();
    default:
      return nullptr;
  }
}

}  // namespace

const void* find_short_rows_kernel(dtype type, dtype index) {
  return find_by_library_type(type, [&]<class T>() {
    return find_by_index(index, [&]<class I>() { return address_of(&multiply_short_rows<T, I>); });
  });
}

const void* find_wide_rows_kernel(dtype type, dtype index) {
  return find_by_library_type(type, [&]<class T>() {
    return find_by_index(index, [&]<class I>() { return address_of(&multiply_wide_rows<T, I>); });
  });
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
