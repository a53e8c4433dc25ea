// What kernel code needs to know about an element type: its category, its limits, the type it computes in.
// Own traits, because NVRTC compiles this without any standard header.
#pragma once
#include <gparray/config.hpp>
#include <gparray/dtype/float16.hpp>

// On the host every functor must be inlined: only then does the vectoriser see through it, and only then is
// it compiled for the instruction set of the calling loop.
#if defined(__CUDACC__)
#define GPARRAY_KERNEL_FN GPARRAY_FN
#else
#define GPARRAY_KERNEL_FN __attribute__((always_inline)) inline
#endif

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

template<class Real>
struct complex;

enum class category { boolean, signed_integer, unsigned_integer, half, real, complex };

/// One specialisation for each element type. `unsigned_type` has the type's width; `wrapping_unsigned` is
/// never promoted to int, so that arithmetic in it wraps (unsigned short times unsigned short would overflow
/// an int).
template<class T>
struct traits;

template<category Kind, class Real, class Compute, class Unsigned, class WrappingUnsigned>
struct traits_base {
  static constexpr category kind = Kind;
  using real_type = Real;
  using compute_type = Compute;
  using unsigned_type = Unsigned;
  using wrapping_unsigned = WrappingUnsigned;
};

template<>
struct traits<bool> : traits_base<category::boolean, bool, bool, unsigned char, unsigned> {};
template<>
struct traits<signed char>
    : traits_base<category::signed_integer, signed char, signed char, unsigned char, unsigned> {};
template<>
struct traits<short> : traits_base<category::signed_integer, short, short, unsigned short, unsigned> {};
template<>
struct traits<int> : traits_base<category::signed_integer, int, int, unsigned, unsigned> {};
template<>
struct traits<long> : traits_base<category::signed_integer, long, long, unsigned long, unsigned long> {};
template<>
struct traits<unsigned char>
    : traits_base<category::unsigned_integer, unsigned char, unsigned char, unsigned char, unsigned> {};
template<>
struct traits<unsigned short>
    : traits_base<category::unsigned_integer, unsigned short, unsigned short, unsigned short, unsigned> {};
template<>
struct traits<unsigned> : traits_base<category::unsigned_integer, unsigned, unsigned, unsigned, unsigned> {};
template<>
struct traits<unsigned long>
    : traits_base<category::unsigned_integer, unsigned long, unsigned long, unsigned long, unsigned long> {};

template<>
struct traits<float16> : traits_base<category::half, float16, float, unsigned short, unsigned> {
  static constexpr unsigned short infinity_bits = 0x7c00;
};
template<>
struct traits<bfloat16> : traits_base<category::half, bfloat16, float, unsigned short, unsigned> {
  static constexpr unsigned short infinity_bits = 0x7f80;
};
template<>
struct traits<float> : traits_base<category::real, float, float, unsigned, unsigned> {
  static constexpr unsigned infinity_bits = 0x7f800000u;
  static constexpr float max = 0x1.fffffep127f, min_normal = 0x1p-126f, epsilon = 0x1p-23f;
};
template<>
struct traits<double> : traits_base<category::real, double, double, unsigned long, unsigned long> {
  static constexpr unsigned long infinity_bits = 0x7ff0000000000000ul;
  static constexpr double max = 0x1.fffffffffffffp1023, min_normal = 0x1p-1022, epsilon = 0x1p-52;
};
template<class Real>
struct traits<complex<Real>> : traits_base<category::complex, Real, complex<Real>, void, void> {};

template<class T>
inline constexpr category kind_of = traits<T>::kind;
template<class T>
inline constexpr bool is_bool = kind_of<T> == category::boolean;
template<class T>
inline constexpr bool is_signed_integer = kind_of<T> == category::signed_integer;
template<class T>
inline constexpr bool is_integer = is_signed_integer<T> || kind_of<T> == category::unsigned_integer;
template<class T>
inline constexpr bool is_half = kind_of<T> == category::half;
template<class T>
inline constexpr bool is_real = kind_of<T> == category::real;
template<class T>
inline constexpr bool is_complex = kind_of<T> == category::complex;

/// The type an expression on T is computed in: float for the halves, T itself otherwise.
template<class T>
using compute_t = typename traits<T>::compute_type;
/// complex64 -> float32, complex128 -> float64, any other type itself.
template<class T>
using real_t = typename traits<T>::real_type;
template<class T>
using unsigned_t = typename traits<T>::unsigned_type;
template<class T>
using wrapping_unsigned_t = typename traits<T>::wrapping_unsigned;

template<class A, class B>
inline constexpr bool is_same = false;
template<class A>
inline constexpr bool is_same<A, A> = true;

template<bool Condition, class A, class B>
struct conditional {
  using type = A;
};
template<class A, class B>
struct conditional<false, A, B> {
  using type = B;
};
template<bool Condition, class A, class B>
using conditional_t = typename conditional<Condition, A, B>::type;

/// The object representation of a value as an unsigned integer, and back.
template<class T>
GPARRAY_KERNEL_FN unsigned_t<T> to_bits(T value) {
  return __builtin_bit_cast(unsigned_t<T>, value);
}

template<class T>
GPARRAY_KERNEL_FN T from_bits(unsigned_t<T> bits) {
  return __builtin_bit_cast(T, bits);
}

template<class T>
GPARRAY_KERNEL_FN T infinity() {
  return from_bits<T>(traits<T>::infinity_bits);
}

/// The positive quiet NaN (the upper mantissa bit is set).
template<class T>
GPARRAY_KERNEL_FN T quiet_nan() {
  constexpr auto inf = traits<T>::infinity_bits;
  return from_bits<T>(static_cast<unsigned_t<T>>(inf | (inf >> 1 & ~inf)));
}

template<class T>
inline constexpr unsigned_t<T> sign_mask = static_cast<unsigned_t<T>>(1ul << (8 * sizeof(T) - 1));

}  // namespace kernel
GPARRAY_END_NAMESPACE
