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

// Bytes that lie side by side are in registers as words of four, and nothing below asks for one of them
// otherwise: the compiler takes an array apart into single bytes if anything does, and joins them again where
// a word is wanted.

template<class T, int N>
inline constexpr bool is_of_words = sizeof(T) == 1 && N % 4 == 0;

/// N elements by one access. Struct copies of bytes would be made byte by byte.
template<class T, int N>
__device__ __forceinline__ void load_elements(T (&values)[N], const void* from) {
  if constexpr (is_of_words<T, N>) {
    const auto loaded = *static_cast<const pack<std::uint32_t, N / 4>*>(from);
    memcpy(values, loaded.values, sizeof values);
  } else {
    const auto loaded = *static_cast<const pack<T, N>*>(from);
#pragma unroll
    for (int k = 0; k < N; ++k) values[k] = loaded.values[k];
  }
}
template<class T, int N>
__device__ __forceinline__ void store_elements(void* to, const T (&values)[N]) {
  if constexpr (is_of_words<T, N>) {
    pack<std::uint32_t, N / 4> whole;
    memcpy(whole.values, values, sizeof values);
    *static_cast<pack<std::uint32_t, N / 4>*>(to) = whole;
  } else {
    pack<T, N> whole;
#pragma unroll
    for (int k = 0; k < N; ++k) whole.values[k] = values[k];
    *static_cast<pack<T, N>*>(to) = whole;
  }
}
template<class T, int N>
__device__ __forceinline__ void copy_elements(T (&to)[N], const T (&from)[N]) {
  if constexpr (is_of_words<T, N>) {
    memcpy(to, from, sizeof to);
  } else {
#pragma unroll
    for (int k = 0; k < N; ++k) to[k] = from[k];
  }
}
/// values[k] = element(k) for each k.
template<class T, int N, class Element>
__device__ __forceinline__ void set_elements(T (&values)[N], Element element) {
  if constexpr (is_of_words<T, N>) {
#pragma unroll
    for (int i = 0; i < N; i += 4) {
      std::uint32_t word = 0;
#pragma unroll
      for (int k = 0; k < 4; ++k)
        word |= static_cast<std::uint32_t>(static_cast<unsigned char>(element(i + k))) << 8 * k;
      memcpy(values + i, &word, sizeof word);
    }
  } else {
#pragma unroll
    for (int k = 0; k < N; ++k) values[k] = element(k);
  }
}
/// values[k], where k is known when the kernel is compiled.
template<class T, int N>
__device__ __forceinline__ T element_at(const T (&values)[N], int k) {
  if constexpr (is_of_words<T, N>) {
    std::uint32_t word;
    memcpy(&word, values + k / 4 * 4, sizeof word);
    return static_cast<T>(word >> 8 * (k % 4) & (kernel::is_same<T, bool> ? 1 : 0xff));
  } else {
    return values[k];
  }
}

/// Elements [first, first + N) of a row of n; those outside are zero. One access if all are inside and
/// aligned.
template<class T, int N>
__device__ __forceinline__ void load_pack(T (&values)[N], const char* row, int first, int n) {
  const T* from = reinterpret_cast<const T*>(row) + first;
  if (first >= 0 && first <= n - N && is_aligned<pack<T, N>>(from)) {
    load_elements(values, from);
  } else {
    set_elements(values, [&](int k) {
      return static_cast<unsigned>(first + k) < static_cast<unsigned>(n) ? from[k] : T();
    });
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
