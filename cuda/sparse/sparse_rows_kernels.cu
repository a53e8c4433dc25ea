// The tables of kernels that pick rows and read off or multiply diagonals.
#include <cuda/sparse/sparse_diagonals.cuh>
#include <cuda/sparse/sparse_rows.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

struct alignas(16) sixteen_bytes {
  unsigned long long words[2];
};

template<class I>
const void* take_kernel(std::size_t item_bytes) {
  switch (item_bytes) {
    case 1:
      return reinterpret_cast<const void*>(&write_taken<I, std::uint8_t>);
    case 2:
      return reinterpret_cast<const void*>(&write_taken<I, std::uint16_t>);
    case 4:
      return reinterpret_cast<const void*>(&write_taken<I, std::uint32_t>);
    case 8:
      return reinterpret_cast<const void*>(&write_taken<I, std::uint64_t>);
    default:
      return reinterpret_cast<const void*>(&write_taken<I, sixteen_bytes>);
  }
}

/// find<T>() for the element type T; null for those that matrices cannot have.
template<class Find>
const void* find_by_type(dtype type, Find find) {
  switch (type) {
#define GPARRAY_DTYPE(name, scalar, kernel_type, code, kind)    \
  case dtype::name:                                             \
    if constexpr (kernel::is_half<kernel_type>) return nullptr; \
    else return find.template operator()<kernel_type>();
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return nullptr;
}

}  // namespace

#define GPARRAY_BY_INDEX(kernel, ...)                                                       \
  (index == dtype::int32 ? reinterpret_cast<const void*>(&kernel<__VA_ARGS__ std::int32_t>) \
                         : reinterpret_cast<const void*>(&kernel<__VA_ARGS__ std::int64_t>))
#define GPARRAY_OF(T) T,
const void* find_tile_rows_kernel(dtype index) { return GPARRAY_BY_INDEX(find_tile_rows); }
const void* find_expand_kernel(dtype index) { return GPARRAY_BY_INDEX(expand_rows); }
const void* find_take_count_kernel(dtype index) { return GPARRAY_BY_INDEX(count_taken); }
const void* find_write_starts_kernel(dtype index) { return GPARRAY_BY_INDEX(write_starts); }
const void* find_descents_kernel(dtype index) { return GPARRAY_BY_INDEX(count_descents); }
const void* find_take_write_kernel(dtype index, std::size_t item_bytes) {
  return index == dtype::int32 ? take_kernel<std::int32_t>(item_bytes)
                               : take_kernel<std::int64_t>(item_bytes);
}

const void* find_diagonal_kernel(dtype type, dtype index) {
  return find_by_type(type, [&]<class T>() { return GPARRAY_BY_INDEX(add_up_diagonal, GPARRAY_OF(T)); });
}
const void* find_diagonals_count_kernel(dtype type) {
  return find_by_type(type, [&]<class T>() { return reinterpret_cast<const void*>(&count_diagonals<T>); });
}
const void* find_diagonals_write_kernel(dtype type, dtype index) {
  return find_by_type(type, [&]<class T>() { return GPARRAY_BY_INDEX(write_diagonals, GPARRAY_OF(T)); });
}
const void* find_diagonals_product_kernel(dtype type) {
  return find_by_type(type, [&]<class T>() { return reinterpret_cast<const void*>(&multiply_diagonals<T>); });
}
#undef GPARRAY_OF
#undef GPARRAY_BY_INDEX

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
