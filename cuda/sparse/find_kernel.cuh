// Which of a kernel's instances is meant, for the tables of kernels for sparse matrices.
#pragma once
#include <cstddef>
#include <cstdint>

#include <gparray/dtype.hpp>
#include <kernel/compare.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct alignas(16) sixteen_bytes {
  unsigned long long words[2];
};

// Lambdas for these capture by reference, needed or not: nvcc warns of the conversion to a function that a
// lambda without a capture has.

/// find<T>() for a T of so many bytes, which is all that a kernel that moves elements knows of them.
template<class Find>
const void* find_by_size(std::size_t item_bytes, Find find) {
  switch (item_bytes) {
    case 1:
      return find.template operator()<std::uint8_t>();
    case 2:
      return find.template operator()<std::uint16_t>();
    case 4:
      return find.template operator()<std::uint32_t>();
    case 8:
      return find.template operator()<std::uint64_t>();
    default:
      return find.template operator()<sixteen_bytes>();
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

/// find<I>() for the dtype of the indices.
template<class Find>
const void* find_by_index(dtype index, Find find) {
  return index == dtype::int32 ? find.template operator()<std::int32_t>()
                               : find.template operator()<std::int64_t>();
}

template<class Params>
const void* address_of(void (*kernel)(Params)) {
  return reinterpret_cast<const void*>(kernel);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
