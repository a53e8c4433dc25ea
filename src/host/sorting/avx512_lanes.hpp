// Vectors of unsigned keys for AVX-512: what sorting and dividing them is made of.
#pragma once
#include <gparray/config.hpp>

#if defined(__x86_64__) && defined(__GNUC__)
#define GPARRAY_HAS_AVX512 1
#if !defined(__clang__)
// g++ 12 says these of its own intrinsics (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#include <array>
#include <cstdint>

#define GPARRAY_AVX512 __attribute__((target("avx512f,avx512vl,popcnt")))
#define GPARRAY_AVX512_INLINE GPARRAY_AVX512 __attribute__((always_inline)) inline

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Whether the processor at hand has them. Tests do without, as other processors do.
inline bool has_avx512 = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("popcnt");
}();

using avx512_vector = __m512i;

/// The larger of a and b beside `least`, the smaller. Some processors make it on more of their ports than a
/// second comparison, which they do one at a time; larger_at() makes it in some lanes, and leaves `least` in
/// the others.
constexpr int exclusive_or = 0x96;
GPARRAY_AVX512_INLINE avx512_vector larger_of(avx512_vector a, avx512_vector b, avx512_vector least) {
  return _mm512_ternarylogic_epi64(a, b, least, exclusive_or);
}

#define GPARRAY_AVX512_KEYS(bits, key_type, number)                                                    \
  struct avx512_keys_##bits {                                                                          \
    using key = key_type;                                                                              \
    using vector = avx512_vector;                                                                      \
    using mask = __mmask##number;                                                                      \
    static constexpr int lanes = number;                                                               \
    GPARRAY_AVX512_INLINE static vector every(key k) {                                                 \
      return _mm512_set1_epi##bits(static_cast<std::int##bits##_t>(k));                                \
    }                                                                                                  \
    GPARRAY_AVX512_INLINE static vector load(const key* from, vector others, mask used) {              \
      return _mm512_mask_loadu_epi##bits(others, used, from);                                          \
    }                                                                                                  \
    GPARRAY_AVX512_INLINE static void store(key* to, vector v, mask used) {                            \
      _mm512_mask_storeu_epi##bits(to, used, v);                                                       \
    }                                                                                                  \
    GPARRAY_AVX512_INLINE static vector pick(mask which, vector others, vector v) {                    \
      return _mm512_mask_blend_epi##bits(which, others, v);                                            \
    }                                                                                                  \
    GPARRAY_AVX512_INLINE static mask has(vector v, vector some) {                                     \
      return _mm512_test_epi##bits##_mask(v, some);                                                    \
    }                                                                                                  \
    GPARRAY_AVX512_INLINE static mask above(vector v, vector bound) {                                  \
      return _mm512_cmpgt_epu##bits##_mask(v, bound);                                                  \
    }                                                                                                  \
    GPARRAY_AVX512_INLINE static vector min(vector a, vector b) { return _mm512_min_epu##bits(a, b); } \
    GPARRAY_AVX512_INLINE static vector larger_at(mask which, vector least, vector a, vector b) {      \
      return _mm512_mask_ternarylogic_epi##bits(least, which, a, b, exclusive_or);                     \
    }                                                                                                  \
    GPARRAY_AVX512_INLINE static vector permute(vector indices, vector v) {                            \
      return _mm512_permutexvar_epi##bits(indices, v);                                                 \
    }                                                                                                  \
    GPARRAY_AVX512_INLINE static vector permute(vector a, vector indices, vector b) {                  \
      return _mm512_permutex2var_epi##bits(a, indices, b);                                             \
    }                                                                                                  \
  };
GPARRAY_AVX512_KEYS(32, unsigned, 16)
GPARRAY_AVX512_KEYS(64, unsigned long, 8)
#undef GPARRAY_AVX512_KEYS

/// The first lanes, as many as there are of `count` from lane `row` * lanes on.
template<class Keys>
GPARRAY_AVX512_INLINE typename Keys::mask lanes_left(std::int64_t count, std::int64_t row = 0) {
  const std::int64_t left = count - row * Keys::lanes;
  constexpr unsigned all = (1u << Keys::lanes) - 1;
  return static_cast<typename Keys::mask>(left >= Keys::lanes ? all : left > 0 ? (1u << left) - 1 : 0);
}

/// For every set of 8 lanes: those in it, then the others. A look-up is quicker than packing both.
inline constexpr auto lanes_in_set_first = [] {
  std::array<std::array<unsigned char, 8>, 256> table{};
  for (unsigned set = 0; set < 256; ++set) {
    std::size_t next = 0;
    for (const unsigned in : {1u, 0u})
      for (unsigned lane = 0; lane < 8; ++lane)
        if ((set >> lane & 1) == in) table[set][next++] = static_cast<unsigned char>(lane);
  }
  return table;
}();

GPARRAY_AVX512_INLINE __m128i lanes_of_set(unsigned set) {
  return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(lanes_in_set_first[set].data()));
}

/// Eight keys.
template<class Keys>
struct eight;

template<>
struct eight<avx512_keys_64> {
  using key = unsigned long;
  using vector = avx512_vector;
  GPARRAY_AVX512_INLINE static vector every(key k) { return avx512_keys_64::every(k); }
  GPARRAY_AVX512_INLINE static vector load(const key* from) { return _mm512_loadu_si512(from); }
  GPARRAY_AVX512_INLINE static vector load(const key* from, unsigned used) {
    return _mm512_maskz_loadu_epi64(static_cast<__mmask8>(used), from);
  }
  GPARRAY_AVX512_INLINE static void store(key* to, vector v) { _mm512_storeu_si512(to, v); }
  GPARRAY_AVX512_INLINE static void store(key* to, vector v, unsigned used) {
    _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(used), v);
  }
  GPARRAY_AVX512_INLINE static unsigned below(vector v, vector bound) {
    return _mm512_cmplt_epu64_mask(v, bound);
  }
  GPARRAY_AVX512_INLINE static vector in_set_first(vector v, unsigned set) {
    return _mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(lanes_of_set(set)), v);
  }
};

template<>
struct eight<avx512_keys_32> {
  using key = unsigned;
  using vector = __m256i;
  GPARRAY_AVX512_INLINE static vector every(key k) { return _mm256_set1_epi32(static_cast<int>(k)); }
  GPARRAY_AVX512_INLINE static vector load(const key* from) {
    return _mm256_loadu_si256(reinterpret_cast<const vector*>(from));
  }
  GPARRAY_AVX512_INLINE static vector load(const key* from, unsigned used) {
    return _mm256_maskz_loadu_epi32(static_cast<__mmask8>(used), from);
  }
  GPARRAY_AVX512_INLINE static void store(key* to, vector v) {
    _mm256_storeu_si256(reinterpret_cast<vector*>(to), v);
  }
  GPARRAY_AVX512_INLINE static void store(key* to, vector v, unsigned used) {
    _mm256_mask_storeu_epi32(to, static_cast<__mmask8>(used), v);
  }
  GPARRAY_AVX512_INLINE static unsigned below(vector v, vector bound) {
    return _mm256_cmplt_epu32_mask(v, bound);
  }
  GPARRAY_AVX512_INLINE static vector in_set_first(vector v, unsigned set) {
    return _mm256_permutexvar_epi32(_mm256_cvtepu8_epi32(lanes_of_set(set)), v);
  }
};

}  // namespace host
GPARRAY_END_NAMESPACE
#endif
