// Four neighbouring elements of a byte each, computed at once in a register: as words, whose lowest byte is
// the first element. Bools in a word are masks, bytes of 0 and 0xff. Nothing carries from a byte to the next.
#pragma once
#include <gparray/dtype.hpp>
#include <kernel/cast.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda::words {

using word = std::uint32_t;

inline constexpr word ones = 0x01010101, tops = 0x80808080;  // the lowest and the highest bit of each byte

/// Bytes of two words, which are numbered from the lowest one of the first; Selector has a digit for each
/// byte of the result.
template<word Selector>
__device__ __forceinline__ word permuted(word a, word b) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(a, b, Selector);
#else
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  word result = 0;
  for (int k = 0; k < 4; ++k)
    result |= static_cast<word>(both >> 8 * (Selector >> 4 * k & 7) & 0xff) << 8 * k;
  return result;
#endif
}

/// The bytes whose highest bit is set.
__device__ __forceinline__ word mask_of_tops(word a) {
#if defined(__CUDA_ARCH__)
  word mask;
  asm("prmt.b32 %0, %1, %1, 0xba98;" : "=r"(mask) : "r"(a));  // each byte's sign in place of the byte
  return mask;
#else
  return (a >> 7 & ones) * 0xff;
#endif
}
__device__ __forceinline__ word select(word mask, word a, word b) { return (mask & a) | (~mask & b); }

template<class T>
__device__ __forceinline__ word of_bytes(word bytes) {
  if constexpr (kernel::is_bool<T>) return (bytes & ones) * 0xff;
  else return bytes;
}
template<class T>
__device__ __forceinline__ word to_bytes(word a) {
  if constexpr (kernel::is_bool<T>) return a & ones;
  else return a;
}

/// Four elements that were loaded together.
template<class T>
__device__ __forceinline__ word loaded(const T* elements) {
  word bytes;
  memcpy(&bytes, elements, sizeof bytes);
  return of_bytes<T>(bytes);
}
/// Four elements that were computed one by one.
template<class T>
__device__ __forceinline__ word joined(const T* elements) {
  if constexpr (kernel::is_bool<T>)
    return (elements[0] ? 0xffu : 0) | (elements[1] ? 0xff00u : 0) | (elements[2] ? 0xff0000u : 0) |
           (elements[3] ? 0xff000000u : 0);
  else return loaded(elements);
}
template<class T>
__device__ __forceinline__ word repeated(T element) {
  if constexpr (kernel::is_bool<T>) return element ? ~word{0} : 0;
  else return static_cast<unsigned char>(element) * ones;
}
template<class T>
__device__ __forceinline__ void split(T* elements, word a) {
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if constexpr (kernel::is_bool<T>) elements[k] = (a >> 8 * k & 1) != 0;
    else elements[k] = static_cast<T>(a >> 8 * k);
}
template<class T>
__device__ __forceinline__ void store(T* elements, word a) {
  const word bytes = to_bytes<T>(a);
  memcpy(elements, &bytes, sizeof bytes);
}

// The functions have the names of ufuncs, and their results for a loop of T.

template<class T>
__device__ __forceinline__ word add(word a, word b) {
  if constexpr (kernel::is_bool<T>) return a | b;
  else return ((a & ~tops) + (b & ~tops)) ^ ((a ^ b) & tops);
}
/// a - b with 0x80 in place of what is borrowed: the highest bit is set where that was not needed.
__device__ __forceinline__ word low_difference(word a, word b) { return (a | tops) - (b & ~tops); }
template<class T>
__device__ __forceinline__ word subtract(word a, word b) {
  return low_difference(a, b) ^ (~(a ^ b) & tops);
}
template<class T>
__device__ __forceinline__ word negative(word a) {
  return subtract<T>(0, a);
}
template<class T>
__device__ __forceinline__ word positive(word a) {
  return a;
}
template<class T>
__device__ __forceinline__ word multiply(word a, word b) {
  if constexpr (kernel::is_bool<T>) {
    return a & b;
  } else {
    // The lowest byte of a product is that of the lowest bytes, whatever stands above them.
    const word low = permuted<0x0040>(a * b, (a >> 8) * (b >> 8)),
               high = permuted<0x0040>((a >> 16) * (b >> 16), (a >> 24) * (b >> 24));
    return permuted<0x5410>(low, high);
  }
}
/// By the same number in each byte: two products at once.
template<class T>
__device__ __forceinline__ word multiply_by(word a, T factor) {
  if constexpr (kernel::is_bool<T>) {
    return factor ? a : 0;
  } else {
    constexpr word even = 0x00ff00ff;
    const word b = static_cast<unsigned char>(factor);
    return permuted<0x6240>((a & even) * b, (a >> 8 & even) * b);
  }
}
template<class T>
__device__ __forceinline__ word square(word a) {
  return multiply<T>(a, a);
}
template<class T>
__device__ __forceinline__ word absolute(word a) {
  if constexpr (kernel::is_signed_integer<T>) {
    const word mask = mask_of_tops(a);
    return (a ^ mask) + (mask & ones);  // at most 0x7f + 1
  } else {
    return a;
  }
}

template<class T>
__device__ __forceinline__ word bitwise_and(word a, word b) {
  return a & b;
}
template<class T>
__device__ __forceinline__ word bitwise_or(word a, word b) {
  return a | b;
}
template<class T>
__device__ __forceinline__ word bitwise_xor(word a, word b) {
  return a ^ b;
}
template<class T>
__device__ __forceinline__ word invert(word a) {
  return ~a;
}

/// The highest bit of each byte that is not zero.
__device__ __forceinline__ word tops_of_nonzero(word a) { return ((a & ~tops) + ~tops) | a; }
template<class T>
__device__ __forceinline__ word nonzero(word a) {
  if constexpr (kernel::is_bool<T>) return a;
  else return mask_of_tops(tops_of_nonzero(a));
}
template<class T>
__device__ __forceinline__ word not_equal(word a, word b) {
  return nonzero<T>(a ^ b);
}
template<class T>
__device__ __forceinline__ word equal(word a, word b) {
  if constexpr (kernel::is_bool<T>) return ~(a ^ b);
  else return mask_of_tops(~tops_of_nonzero(a ^ b));
}
/// The highest bit of each byte of a that is less than that of b.
template<class T>
__device__ __forceinline__ word tops_of_less(word a, word b) {
  const word by_tops = kernel::is_signed_integer<T> ? a & ~b : ~a & b;
  return by_tops | ~(low_difference(a, b) | (a ^ b));
}
template<class T>
__device__ __forceinline__ word less(word a, word b) {
  if constexpr (kernel::is_bool<T>) return ~a & b;
  else return mask_of_tops(tops_of_less<T>(a, b));
}
template<class T>
__device__ __forceinline__ word greater_equal(word a, word b) {
  if constexpr (kernel::is_bool<T>) return a | ~b;
  else return mask_of_tops(~tops_of_less<T>(a, b));
}
template<class T>
__device__ __forceinline__ word greater(word a, word b) {
  return less<T>(b, a);
}
template<class T>
__device__ __forceinline__ word less_equal(word a, word b) {
  return greater_equal<T>(b, a);
}

template<class T>
__device__ __forceinline__ word logical_and(word a, word b) {
  return nonzero<T>(a) & nonzero<T>(b);
}
template<class T>
__device__ __forceinline__ word logical_or(word a, word b) {
  return nonzero<T>(a | b);
}
template<class T>
__device__ __forceinline__ word logical_xor(word a, word b) {
  return nonzero<T>(a) ^ nonzero<T>(b);
}
template<class T>
__device__ __forceinline__ word logical_not(word a) {
  if constexpr (kernel::is_bool<T>) return ~a;
  else return mask_of_tops(~tops_of_nonzero(a));
}

template<class T>
__device__ __forceinline__ word maximum(word a, word b) {
  return select(less<T>(a, b), b, a);
}
template<class T>
__device__ __forceinline__ word minimum(word a, word b) {
  return select(less<T>(a, b), a, b);
}
template<class T>
__device__ __forceinline__ word fmax(word a, word b) {
  return maximum<T>(a, b);
}
template<class T>
__device__ __forceinline__ word fmin(word a, word b) {
  return minimum<T>(a, b);
}
template<class T>
__device__ __forceinline__ word clip(word a, word low, word high) {
  return minimum<T>(maximum<T>(a, low), high);
}
template<class T>
__device__ __forceinline__ word where(word mask, word a, word b) {
  return select(mask, a, b);
}
template<class To, class From>
__device__ __forceinline__ word cast(word a) {
  if constexpr (kernel::is_bool<To>) return nonzero<From>(a);
  else return to_bytes<From>(a);
}

}  // namespace core::cuda::words
GPARRAY_END_NAMESPACE
