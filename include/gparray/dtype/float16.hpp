// float16 (IEEE binary16) and bfloat16: two-byte storage types that compute in float.
// Read by g++, nvcc and NVRTC alike, so it includes nothing but config.hpp.
#pragma once
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

GPARRAY_FN unsigned float_bits(float value) { return __builtin_bit_cast(unsigned, value); }
GPARRAY_FN float bits_float(unsigned bits) { return __builtin_bit_cast(float, bits); }

/// Round to nearest even; overflow gives infinity, NaN stays NaN (quiet).
GPARRAY_FN unsigned short float_to_half(float value) {
#if defined(__CUDA_ARCH__)
  unsigned short half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
  return half;
#else
  const unsigned bits = float_bits(value), sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
  // Three candidate results and two selects: branch-free, so that the compiler vectorises conversions.
  // Subnormal halves: adding 0.5 aligns the mantissa so that float addition does the rounding.
  const unsigned subnormal = float_bits(bits_float(magnitude) + 0.5f) - 0x3f000000u;
  const unsigned normal = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  const unsigned special = magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u;
  const unsigned finite = magnitude < 0x38800000u ? subnormal : normal;
  return static_cast<unsigned short>(sign | (magnitude >= 0x47800000u ? special : finite));
#endif
}

GPARRAY_FN float half_to_float(unsigned short half) {
#if defined(__CUDA_ARCH__)
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
  return value;
#else
  const unsigned sign = (half & 0x8000u) << 16, magnitude = half & 0x7fffu;
  const float subnormal = static_cast<float>(static_cast<int>(magnitude)) * 5.9604644775390625e-8f;  // 2^-24
  const unsigned normal = (magnitude << 13) + (magnitude >= 0x7c00u ? 0x70000000u : 0x38000000u);
  return bits_float(sign | (magnitude < 0x0400u ? float_bits(subnormal) : normal));
#endif
}

GPARRAY_FN unsigned short float_to_bfloat(float value) {
  const unsigned bits = float_bits(value);
  const unsigned rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return static_cast<unsigned short>((bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16) | 0x40u : rounded);
}

GPARRAY_FN float bfloat_to_float(unsigned short bits) {
  return bits_float(static_cast<unsigned>(bits) << 16);
}

/// Double to float such that a second rounding to 10 or fewer bits is the correct single rounding:
/// round to odd keeps the sticky bit that a plain conversion would lose.
GPARRAY_FN float round_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  const double error = value - static_cast<double>(nearest);
  const unsigned bits = float_bits(nearest);
  if (error == 0.0 || error != error || (bits & 1u) || (bits & 0x7f800000u) == 0x7f800000u) return nearest;
  const bool away = (error > 0.0) == (nearest > 0.0f || (nearest == 0.0f && error > 0.0));
  return bits_float(away ? bits + 1u : bits - 1u);
}

}  // namespace detail

/// IEEE 754 binary16: 11 significant bits, largest finite value 65504.
struct float16 {
  /// The number as it is stored.
  unsigned short bits;

  /// Leaves the number uninitialised.
  float16() = default;
  /// Rounds to the nearest number, halves to even; too large ones become infinite.
  GPARRAY_FN explicit float16(float value) : bits(detail::float_to_half(value)) {}
  /// Rounds once to the nearest number, halves to even.
  GPARRAY_FN explicit float16(double value) : bits(detail::float_to_half(detail::round_to_odd(value))) {}
  /// Rounds an integer.
  template<class Integer, class = decltype(static_cast<double>(*static_cast<Integer*>(nullptr)))>
  GPARRAY_FN explicit float16(Integer value) : float16(static_cast<double>(value)) {}
  /// The exact value as float, in which arithmetic is done.
  GPARRAY_FN operator float() const { return detail::half_to_float(bits); }
};

/// The upper half of a binary32: 8 significant bits, float's range.
struct bfloat16 {
  /// The number as it is stored.
  unsigned short bits;

  /// Leaves the number uninitialised.
  bfloat16() = default;
  /// Rounds to the nearest number, halves to even; too large ones become infinite.
  GPARRAY_FN explicit bfloat16(float value) : bits(detail::float_to_bfloat(value)) {}
  /// Rounds once to the nearest number, halves to even.
  GPARRAY_FN explicit bfloat16(double value) : bits(detail::float_to_bfloat(detail::round_to_odd(value))) {}
  /// Rounds an integer.
  template<class Integer, class = decltype(static_cast<double>(*static_cast<Integer*>(nullptr)))>
  GPARRAY_FN explicit bfloat16(Integer value) : bfloat16(static_cast<double>(value)) {}
  /// The exact value as float, in which arithmetic is done.
  GPARRAY_FN operator float() const { return detail::bfloat_to_float(bits); }
};

GPARRAY_END_NAMESPACE
