// The tables of kernels that pick rows and read off or multiply diagonals.
#include <cuda/sparse/find_kernel.cuh>
#include <cuda/sparse/sparse_diagonals.cuh>
#include <cuda/sparse/sparse_rows.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

const void* find_tile_rows_kernel(dtype index) {
  return find_by_index(index, [&]<class I>() { return address_of(&find_tile_rows<I>); });
}
const void* find_expand_kernel(dtype index) {
  return find_by_index(index, [&]<class I>() { return address_of(&expand_rows<I>); });
}
const void* find_take_count_kernel(dtype index) {
  return find_by_index(index, [&]<class I>() { return address_of(&count_taken<I>); });
}
const void* find_write_starts_kernel(dtype index) {
  return find_by_index(index, [&]<class I>() { return address_of(&write_starts<I>); });
}
const void* find_descents_kernel(dtype index) {
  return find_by_index(index, [&]<class I>() { return address_of(&count_descents<I>); });
}
const void* find_take_write_kernel(dtype index, std::size_t item_bytes) {
  return find_by_index(index, [&]<class I>() {
    return find_by_size(item_bytes, [&]<class Item>() { return address_of(&write_taken<I, Item>); });
  });
}

const void* find_diagonal_kernel(dtype type, dtype index) {
  return find_by_type(type, [&]<class T>() {
    return find_by_index(index, [&]<class I>() { return address_of(&add_up_diagonal<T, I>); });
  });
}
const void* find_diagonals_count_kernel(dtype type) {
  return find_by_type(type, [&]<class T>() { return address_of(&count_diagonals<T>); });
}
const void* find_diagonals_write_kernel(dtype type, dtype index) {
  return find_by_type(type, [&]<class T>() {
    return find_by_index(index, [&]<class I>() { return address_of(&write_diagonals<T, I>); });
  });
}
const void* find_diagonals_product_kernel(dtype type) {
  return find_by_type(type, [&]<class T>() { return address_of(&multiply_diagonals<T>); });
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
