// power of float32 with the vectors of AVX-512; libmvec's takes twice the time.
//
// x^y = 2^(y log2 x). With m the mantissa of x and c = 1/m rounded to 6 bits, log2 x = exponent - log2 c +
// log2(1 + r), r = m c - 1, which is exact. The sum is kept in two floats, for y multiplies its error by up
// to 150. The largest error seen is 2.2 ulp, of 10^8 operands; powers that
// are whole numbers below 2^24 come out exact.
#include <host/map/fast_loops.hpp>
#include <kernel/libm.hpp>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
// g++ 12 warns of its own header (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

#define GPARRAY_AVX512_DQ __attribute__((target("avx512f,avx512dq")))

/// -log2(1 + j / 32) for the digits j of the reciprocal: multiples of 2^-16, and what they lack.
alignas(64) constexpr float log_high[] = {0,
                                          -0x1.6bap-5f,
                                          -0x1.664p-4f,
                                          -0x1.08c8p-3f,
                                          -0x1.5cp-3f,
                                          -0x1.acf8p-3f,
                                          -0x1.fbcp-3f,
                                          -0x1.244p-2f,
                                          -0x1.49a8p-2f,
                                          -0x1.6e24p-2f,
                                          -0x1.91bcp-2f,
                                          -0x1.b48p-2f,
                                          -0x1.d674p-2f,
                                          -0x1.f7a8p-2f,
                                          -0x1.0c1p-1f,
                                          -0x1.1bf4p-1f,
                                          -0x1.2b8p-1f,
                                          -0x1.3abcp-1f,
                                          -0x1.49a8p-1f,
                                          -0x1.5848p-1f,
                                          -0x1.66ap-1f,
                                          -0x1.74b2p-1f,
                                          -0x1.828p-1f,
                                          -0x1.900ep-1f,
                                          -0x1.9d5ep-1f,
                                          -0x1.aa7p-1f,
                                          -0x1.b74ap-1f,
                                          -0x1.c3eap-1f,
                                          -0x1.d054p-1f,
                                          -0x1.dc8ap-1f,
                                          -0x1.e88cp-1f,
                                          -0x1.f45ep-1f};
alignas(64) constexpr float log_low[] = {0,
                                         -0x1.a6eb1ep-18f,
                                         0x1.20a6dep-21f,
                                         0x1.3b992cp-18f,
                                         -0x1.a39fbep-19f,
                                         0x1.0e9258p-18f,
                                         -0x1.6b9026p-19f,
                                         -0x1.eac382p-20f,
                                         0x1.ed0cbap-20f,
                                         0x1.e3263p-18f,
                                         0x1.5db83ap-20f,
                                         0x1.408c78p-18f,
                                         -0x1.3e032ep-18f,
                                         -0x1.5a32c2p-20f,
                                         -0x1.40358ep-19f,
                                         0x1.dc2d46p-18f,
                                         -0x1.a39fbep-20f,
                                         0x1.80abfcp-18f,
                                         0x1.ed0cbap-19f,
                                         -0x1.134c4ep-20f,
                                         -0x1.1c8f12p-22f,
                                         0x1.4d8fc6p-24f,
                                         -0x1.3ab7cep-18f,
                                         -0x1.858p-19f,
                                         0x1.80abfcp-19f,
                                         -0x1.1eb002p-18f,
                                         0x1.6e155ap-18f,
                                         0x1.ae8f3p-20f,
                                         0x1.25b3eep-22f,
                                         0x1.953002p-19f,
                                         -0x1.acd89ap-19f,
                                         -0x1.179e0cp-22f};
/// 2^(j / 16), and what these floats lack.
alignas(64) constexpr float powers[] = {0x1p+0f,        0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f,
                                        0x1.306fep+0f,  0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
                                        0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
                                        0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f};
alignas(64) constexpr float powers_low[] = {0,
                                            0x1.9f3122p-25f,
                                            -0x1.c15742p-27f,
                                            0x1.ceac48p-25f,
                                            0x1.4636e2p-25f,
                                            0x1.824684p-25f,
                                            -0x1.593abcp-25f,
                                            -0x1.5bd5ecp-27f,
                                            0x1.9fcef4p-26f,
                                            -0x1.829fdp-25f,
                                            0x1.15506ep-27f,
                                            0x1.51f848p-27f,
                                            -0x1.a94b14p-26f,
                                            -0x1.3d56b2p-27f,
                                            -0x1.822dbcp-27f,
                                            0x1.52486cp-27f};

/// y log2 x as the sum of two floats, for a positive number x; not below 150 in magnitude, or NaN, where
/// either is infinite, NaN or zero.
struct scaled_logarithm {
  __m512 high, low;
};
GPARRAY_AVX512_DQ __attribute__((always_inline)) inline scaled_logarithm multiplied_log2(__m512 x, __m512 y) {
  const __m512 mantissa = _mm512_getmant_ps(x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero);
  const __m512 inverse = _mm512_roundscale_ps(_mm512_rcp14_ps(mantissa), 6 << 4);
  const __m512 r = _mm512_fmsub_ps(mantissa, inverse, _mm512_set1_ps(1));
  const __m512i digits = _mm512_srli_epi32(_mm512_castps_si512(inverse), 18);  // the low 5 bits count
  const __m512 table_high =
                   _mm512_permutex2var_ps(_mm512_load_ps(log_high), digits, _mm512_load_ps(log_high + 16)),
               table_low =
                   _mm512_permutex2var_ps(_mm512_load_ps(log_low), digits, _mm512_load_ps(log_low + 16));
  const __m512 exponent = _mm512_sub_ps(_mm512_getexp_ps(x), _mm512_getexp_ps(inverse));
  // The series of log2(1 + r); its first term in two floats.
  const __m512 log2_e = _mm512_set1_ps(0x1.715476p+0f), log2_e_low = _mm512_set1_ps(0x1.4ae0c0p-26f);
  const __m512 first = _mm512_mul_ps(r, log2_e);
  __m512 low = _mm512_fmadd_ps(r, log2_e_low, _mm512_fmsub_ps(r, log2_e, first));
  __m512 rest = _mm512_fmadd_ps(r, _mm512_set1_ps(0x1.2776c6p-2f), _mm512_set1_ps(-0x1.715476p-2f));
  rest = _mm512_fmadd_ps(r, rest, _mm512_set1_ps(0x1.ec709ep-2f));
  rest = _mm512_fmadd_ps(r, rest, _mm512_set1_ps(-0x1.715476p-1f));
  low = _mm512_fmadd_ps(_mm512_mul_ps(r, r), rest, low);
  // No digit of these sums is lost: entries of the table end at 2^-16.
  const __m512 whole = _mm512_add_ps(exponent, table_high), sum = _mm512_add_ps(whole, first);
  low = _mm512_add_ps(low, table_low);
  low = _mm512_add_ps(low, _mm512_add_ps(_mm512_sub_ps(whole, sum), first));
  const __m512 high = _mm512_add_ps(sum, low);
  low = _mm512_add_ps(_mm512_sub_ps(sum, high), low);
  const __m512 product = _mm512_mul_ps(y, high);
  return {product, _mm512_fmadd_ps(y, low, _mm512_fmsub_ps(y, high, product))};
}

/// 2^(high + low), for high below 2^18 in magnitude.
GPARRAY_AVX512_DQ __attribute__((always_inline)) inline __m512 power_of_two(__m512 high, __m512 low) {
  // Rounded to sixteenths, which are the last bits of the sum. Of the series of 2^d the fourth power is put
  // into the second: d^4 = d^2 / 1024 within 2^-23 for such d.
  const __m512 shift = _mm512_set1_ps(0x1.8p19f), shifted = _mm512_add_ps(high, shift),
               rounded = _mm512_sub_ps(shifted, shift);
  const __m512 d = _mm512_add_ps(_mm512_sub_ps(high, rounded), low);
  __m512 series = _mm512_fmadd_ps(d, _mm512_set1_ps(0x1.c6b08ep-5f), _mm512_set1_ps(0x1.ec00ccp-3f));
  series = _mm512_mul_ps(d, _mm512_fmadd_ps(d, series, _mm512_set1_ps(0x1.62e430p-1f)));
  const __m512i digits = _mm512_castps_si512(shifted);  // the low 4 bits count
  const __m512 power = _mm512_permutexvar_ps(digits, _mm512_load_ps(powers)),
               power_low = _mm512_permutexvar_ps(digits, _mm512_load_ps(powers_low));
  return _mm512_scalef_ps(_mm512_add_ps(power, _mm512_fmadd_ps(power, series, power_low)), rounded);
}

/// Negative numbers to whole powers take a sign; what else is no plain power is libm's, element by element.
GPARRAY_AVX512_DQ __attribute__((noinline)) __m512 with_special(__m512 x, __m512 y, __m512 result,
                                                                __mmask16 special) {
  constexpr int nearest = _MM_FROUND_TO_NEAREST_INT;
  const __m512 half = _mm512_mul_ps(y, _mm512_set1_ps(0.5f));
  const __mmask16 negative = _mm512_movepi32_mask(_mm512_castps_si512(x)),
                  whole = _mm512_cmp_ps_mask(_mm512_roundscale_ps(y, nearest), y, _CMP_EQ_OQ),
                  odd = whole & _mm512_cmp_ps_mask(_mm512_roundscale_ps(half, nearest), half, _CMP_NEQ_OQ);
  alignas(64) float bases[16], exponents[16], results[16];
  _mm512_store_ps(bases, x);
  _mm512_store_ps(exponents, y);
  _mm512_store_ps(results, _mm512_mask_sub_ps(result, negative & odd, _mm512_setzero_ps(), result));
  for (unsigned left = special | (negative & ~whole & 0xffffu); left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    results[i] = kernel::pow(bases[i], exponents[i]);
  }
  return _mm512_load_ps(results);
}

GPARRAY_AVX512_DQ void power_loop(const void* const* args, void* out, std::int64_t n) {
  const float* const a = static_cast<const float*>(args[0]);
  const float* const b = static_cast<const float*>(args[1]);
  float* const to = static_cast<float*>(out);
  for (std::int64_t i = 0; i < n; i += 16) {
    const __mmask16 used = n - i >= 16 ? 0xffff : static_cast<__mmask16>((1u << (n - i)) - 1);
    const __m512 one = _mm512_set1_ps(1), x = _mm512_mask_loadu_ps(one, used, a + i),
                 y = _mm512_mask_loadu_ps(one, used, b + i);
    const scaled_logarithm t = multiplied_log2(x, y);
    const __mmask16 special = _mm512_cmp_ps_mask(_mm512_abs_ps(t.high), _mm512_set1_ps(150), _CMP_NLT_UQ);
    __m512 result = power_of_two(t.high, t.low);
    if (special | _mm512_movepi32_mask(_mm512_castps_si512(x))) result = with_special(x, y, result, special);
    _mm512_mask_storeu_ps(to + i, used, result);
  }
}

}  // namespace

loop find_power_loop(dtype type) {
  static const bool use_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
  return use_avx512 && type == dtype::float32 ? &power_loop : nullptr;
}

}  // namespace host
GPARRAY_END_NAMESPACE

#else

GPARRAY_BEGIN_NAMESPACE
namespace host {

loop find_power_loop(dtype) { return nullptr; }

}  // namespace host
GPARRAY_END_NAMESPACE
#endif
