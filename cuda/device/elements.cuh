// Element types by dtype, and loads and stores that convert.
#pragma once
#include <gparray/dtype.hpp>
#include <kernel/cast.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

namespace detail {
template<dtype D>
struct kernel_type;
template<class T>
inline constexpr dtype kernel_dtype = dtype::bool_;
#define GPARRAY_DTYPE(name, scalar, kernel_scalar, code, kind) \
  template<>                                                   \
  struct kernel_type<dtype::name> {                            \
    using type = kernel_scalar;                                \
  };                                                           \
  template<>                                                   \
  inline constexpr dtype kernel_dtype<kernel_scalar> = dtype::name;
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
}  // namespace detail

/// What kernel code calls the elements of a dtype, and back.
template<dtype D>
using kernel_t = typename detail::kernel_type<D>::type;
template<class T>
inline constexpr dtype kernel_dtype = detail::kernel_dtype<T>;

/// Loads an element of any dtype. Not inlined: 15 conversions in every kernel would be most of the library's
/// size.
template<class To>
__device__ __noinline__ To load_converted(const char* pointer, dtype type) {
  switch (type) {
#define GPARRAY_DTYPE(name, type_, kernel_type_, code, kind_) \
  case dtype::name:                                           \
    return kernel::cast<To>(*reinterpret_cast<const kernel_type_*>(pointer));
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return To();
}

template<class From>
__device__ __noinline__ void store_converted(char* pointer, dtype type, From value) {
  switch (type) {
#define GPARRAY_DTYPE(name, type_, kernel_type_, code, kind_)                      \
  case dtype::name:                                                                \
    *reinterpret_cast<kernel_type_*>(pointer) = kernel::cast<kernel_type_>(value); \
    return;
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
}

template<class To>
__device__ __forceinline__ To load_as(const char* pointer, dtype type) {
  return type == kernel_dtype<To> ? *reinterpret_cast<const To*>(pointer) : load_converted<To>(pointer, type);
}

/// N elements that are loaded and stored with one instruction.
template<class T, int N>
struct alignas(sizeof(T) * N) pack {
  T values[N];
};

template<class Pack>
__device__ __forceinline__ bool is_aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(Pack) == 0;
}

/// Elements [first, first + N) of a row of n; those outside are zero. One access if all are inside and
/// aligned.
template<class T, int N>
__device__ __forceinline__ void load_pack(T (&values)[N], const char* row, int first, int n) {
  const T* from = reinterpret_cast<const T*>(row) + first;
  if (first >= 0 && first <= n - N && is_aligned<pack<T, N>>(from)) {
    const auto loaded = *reinterpret_cast<const pack<T, N>*>(from);
#pragma unroll
    for (int k = 0; k < N; ++k) values[k] = loaded.values[k];
  } else {
#pragma unroll
    for (int k = 0; k < N; ++k)
      values[k] = static_cast<unsigned>(first + k) < static_cast<unsigned>(n) ? from[k] : T();
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
