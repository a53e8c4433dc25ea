// What random numbers are made with in loops over blocks, where a fused multiply-add is one instruction, a
// division takes the time of twenty and arguments are known to be ordinary: minimax polynomials alone.
#pragma once
#include "random_math.hpp"

// A GPU has no room for coefficients of 64 bits in its instructions, but operands in constant memory.
#if defined(__CUDACC__)
#define GPARRAY_COEFFICIENTS static __constant__
#else
#define GPARRAY_COEFFICIENTS inline constexpr
#endif

GPARRAY_BEGIN_NAMESPACE
namespace kernel {
namespace portable {

GPARRAY_COEFFICIENTS double fused_log_coefficients[] = {
    -0.0283005264153381757, 0.0632514143744902918, -0.06787073742713987,  0.0597352886929698805,
    -0.0604111598884183829, 0.0662160711092283369, -0.071602613668012259, 0.0769771078105390396,
    -0.0833255199536787565, 0.0909058328546765415, -0.100000181892738698, 0.111111220184874733,
    -0.124999998297384916,  0.142857140871614193,  -0.166666666662671093, 0.200000000017418226,
    -0.250000000000123678,  0.333333333333280942,  -0.499999999999999733};
GPARRAY_COEFFICIENTS double diagonal_sine_coefficients[] = {
    8.30229772296340717e-12, -8.78887461489402806e-10, 7.41142667915644407e-8,
    -4.62592542353237105e-6, 0.000202625416034066107,  -0.00576272576414407525,
    0.0941510734124823867,   -0.707106781186547463,    1.41421356237309505};
GPARRAY_COEFFICIENTS double diagonal_cosine_coefficients[] = {
    8.9161492723709988e-11, -8.31096556058434114e-9, 6.05536106151612892e-7, -0.0000318283241223698721,
    0.0011315085582823345,  -0.0246486933799651138,  0.277680183634900459,   -1.11072073453959154};

/// Natural logarithm of a positive normal number. The polynomial is (log(1 + f) - f) / f^2 for 1 + f in
/// [sqrt(1/2), sqrt(2)), within 3e-8 of the logarithm.
GPARRAY_KERNEL_FN float fused_log(float x) {
  constexpr float c[] = {0.0873464574024f, -0.14307446589f,  0.14918017991f, -0.165705242364f,
                         0.199620690888f,  -0.250017542745f, 0.33333950286f, -0.499999916212f};
  // x = 2^e m with m in [sqrt(1/2), sqrt(2)); the exponent stays where it is in the word, times 2^23.
  const int bits = static_cast<int>(to_bits(x));
  const int e = (bits - 0x3f3504f3) & static_cast<int>(0xff800000);
  const float f = from_bits<float>(static_cast<unsigned>(bits - e)) - 1.f;
  const float of_m = ::fmaf(f * f, polynomial<rounding::once>(f, c), f);
  return ::fmaf(static_cast<float>(e), 0x1p-23f * 0.693147180559945309f, of_m);
}

/// The same within 5e-17.
GPARRAY_KERNEL_FN double fused_log(double x) {
  const unsigned long bits = to_bits(x);
  const int e = (static_cast<int>(bits >> 32) - 0x3fe6a09e) & static_cast<int>(0xfff00000);
  const double m = from_bits<double>(bits - (static_cast<unsigned long>(static_cast<unsigned>(e)) << 32));
  const double f = m - 1.0;
  const double of_m = ::fma(f * f, polynomial<rounding::once>(f, fused_log_coefficients), f);
  return ::fma(static_cast<double>(e), 0x1p-20 * 0.693147180559945309417, of_m);
}

/// sqrt(2) times the sine and the cosine of t right angles, t in [-1, 1]. Over their zeros, t and t^2 - 1,
/// they are nearly straight lines in t^2 - 1: five terms come within 6e-9.
GPARRAY_KERNEL_FN rotation<float> diagonal(float t) {
  constexpr float s[] = {0.000214232350608f, -0.00575277475801f, 0.0941545063735f, -0.707106373906f,
                         1.41421356989f};
  constexpr float c[] = {-3.33584475086e-5f, 0.00113018006729f, -0.0246491600234f, 0.277680126816f,
                         -1.11072073563f};
  const float w = ::fmaf(t, t, -1.f);
  return {t * polynomial<rounding::once>(w, s), w * polynomial<rounding::once>(w, c)};
}

/// The same within 2e-17.
GPARRAY_KERNEL_FN rotation<double> diagonal(double t) {
  const double w = ::fma(t, t, -1.0);
  return {t * polynomial<rounding::once>(w, diagonal_sine_coefficients),
          w * polynomial<rounding::once>(w, diagonal_cosine_coefficients)};
}

}  // namespace portable
}  // namespace kernel
GPARRAY_END_NAMESPACE
