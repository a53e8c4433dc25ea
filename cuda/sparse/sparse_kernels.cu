// The tables of kernels for sparse matrices.
#include <cuda/sparse/sparse_kernels.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

struct alignas(16) sixteen_bytes {
  unsigned long long words[2];
};

template<class I>
const void* reorder_kernel(std::size_t item_bytes) {
  switch (item_bytes) {
    case 1:
      return reinterpret_cast<const void*>(&reorder_entries<I, std::uint8_t>);
    case 2:
      return reinterpret_cast<const void*>(&reorder_entries<I, std::uint16_t>);
    case 4:
      return reinterpret_cast<const void*>(&reorder_entries<I, std::uint32_t>);
    case 8:
      return reinterpret_cast<const void*>(&reorder_entries<I, std::uint64_t>);
    default:
      return reinterpret_cast<const void*>(&reorder_entries<I, sixteen_bytes>);
  }
}

template<class T>
const void* reduce_kernel(dtype index) {
  return index == dtype::int32 ? reinterpret_cast<const void*>(&reduce_rows_of<T, std::int32_t>)
                               : reinterpret_cast<const void*>(&reduce_rows_of<T, std::int64_t>);
}

template<class T>
const void* short_rows_kernel(dtype index) {
  return index == dtype::int32 ? reinterpret_cast<const void*>(&multiply_short_rows<T, std::int32_t>)
                               : reinterpret_cast<const void*>(&multiply_short_rows<T, std::int64_t>);
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

#define GPARRAY_BY_INDEX(kernel)                                                \
  (index == dtype::int32 ? reinterpret_cast<const void*>(&kernel<std::int32_t>) \
                         : reinterpret_cast<const void*>(&kernel<std::int64_t>))
const void* find_starts_kernel(dtype index) { return GPARRAY_BY_INDEX(find_starts); }
#undef GPARRAY_BY_INDEX

const void* find_reorder_kernel(dtype index, std::size_t item_bytes) {
  return index == dtype::int32 ? reorder_kernel<std::int32_t>(item_bytes)
                               : reorder_kernel<std::int64_t>(item_bytes);
}

const void* find_reduce_rows_kernel(dtype type, dtype index) {
  switch (type) {
#define GPARRAY_DTYPE(name, scalar, kernel_type, code, kind)    \
  case dtype::name:                                             \
    if constexpr (kernel::is_half<kernel_type>) return nullptr; \
    else return reduce_kernel<kernel_type>(index);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return nullptr;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
