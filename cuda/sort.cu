// The table of the sort's kernels.
#include <gparray/dtype.hpp>

#include "sort_kernels.cuh"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

namespace {

template<class K>
radix_kernels radix_kernels_of() {
  return {reinterpret_cast<const void*>(&count_digits<K>), reinterpret_cast<const void*>(&digit_offsets),
          reinterpret_cast<const void*>(&scatter_keys<K>)};
}

/// f(T()) for the kernel type of a dtype that has keys; null for the others.
template<class F>
const void* for_type(dtype type, F f) {
  switch (type) {
#define GPARRAY_DTYPE(name, user_type, kernel_type, code, kind)                            \
  case dtype::name:                                                                        \
    if constexpr (!kernel::is_complex<kernel_type>) return f(static_cast<kernel_type>(0)); \
    else return nullptr;
#include <gparray/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return nullptr;
}

}  // namespace

const void* make_keys_kernel(dtype type, bool wide) {
  return for_type(type, [wide](auto x) {
    using T = decltype(x);
    if constexpr (sizeof(T) < 8)
      if (!wide) return reinterpret_cast<const void*>(&make_keys<T, std::uint32_t>);
    return reinterpret_cast<const void*>(&make_keys<T, std::uint64_t>);
  });
}

const void* take_elements_kernel(dtype type, bool wide) {
  return for_type(type, [wide](auto x) {
    using T = decltype(x);
    if constexpr (sizeof(T) < 8)
      if (!wide) return reinterpret_cast<const void*>(&take_elements<T, std::uint32_t>);
    return reinterpret_cast<const void*>(&take_elements<T, std::uint64_t>);
  });
}

radix_kernels find_radix_kernels(bool wide) {
  return wide ? radix_kernels_of<std::uint64_t>() : radix_kernels_of<std::uint32_t>();
}

const void* rows_of_numbers_kernel() { return reinterpret_cast<const void*>(&rows_of_numbers); }
const void* numbers_in_rows_kernel() { return reinterpret_cast<const void*>(&numbers_in_rows); }

const void* pick_numbered_kernel(std::size_t item_bytes) {
  switch (item_bytes) {
    case 1:
      return reinterpret_cast<const void*>(&pick_numbered<std::uint8_t>);
    case 2:
      return reinterpret_cast<const void*>(&pick_numbered<std::uint16_t>);
    case 4:
      return reinterpret_cast<const void*>(&pick_numbered<std::uint32_t>);
    default:
      return reinterpret_cast<const void*>(&pick_numbered<std::uint64_t>);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
