#include <algorithm>

#include <host/random/words.hpp>
#include <host/support/clones.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 says that of its own intrinsics (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#endif

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

using kernel::counter_kind;
using kernel::philox_key;

GPARRAY_CLONES void fill_plainly(unsigned* words, std::uint64_t first, std::int64_t blocks, counter_kind kind,
                                 philox_key key, unsigned draw) {
  constexpr std::int64_t width = 16;
  for (std::int64_t block = 0; block < blocks; block += width) {
    const std::int64_t n = std::min(width, blocks - block);
    unsigned a[width], b[width], c[width], d[width];
#pragma omp simd
    for (std::int64_t k = 0; k < width; ++k) {
      const std::uint64_t number = first + static_cast<std::uint64_t>(block + k);
      a[k] = static_cast<unsigned>(number);
      b[k] = static_cast<unsigned>(number >> 32);
      c[k] = draw;
      d[k] = static_cast<unsigned>(kind);
    }
    for (unsigned round = 0; round < kernel::philox_rounds; ++round) {
      const philox_key of_round = kernel::round_key(key, round);
#pragma omp simd
      for (std::int64_t k = 0; k < width; ++k)
        kernel::philox_round(a[k], b[k], c[k], d[k], of_round.low, of_round.high);
    }
    for (std::int64_t k = 0; k < n; ++k) {
      unsigned* const w = words + 4 * (block + k);
      w[0] = a[k];
      w[1] = b[k];
      w[2] = c[k];
      w[3] = d[k];
    }
  }
}

#if defined(__x86_64__)
constexpr std::int64_t avx512_blocks = 16;

/// Three times as fast as what the compiler makes of the above: a word stands in 64 bits, where a product
/// leaves both of its halves in place, and what is above a word does not matter until the end.
__attribute__((target("avx512f"))) void fill_by_avx512(unsigned* words, std::uint64_t first,
                                                       std::int64_t blocks, counter_kind kind, philox_key key,
                                                       unsigned draw) {
  constexpr int vectors = avx512_blocks / 8;
  const __m512i first_factor = _mm512_set1_epi64(0xD2511F53), second_factor = _mm512_set1_epi64(0xCD9E8D57);
  const __m512i low_half = _mm512_set1_epi64(0xffffffff);
  const __m512i evens = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
  const __m512i odds = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
  for (std::int64_t block = 0; block < blocks; block += avx512_blocks, words += 4 * avx512_blocks) {
    __m512i a[vectors], b[vectors], c[vectors], d[vectors];
    for (int v = 0; v < vectors; ++v) {
      const auto number = static_cast<long long>(first + static_cast<std::uint64_t>(block + 8 * v));
      a[v] = _mm512_add_epi64(_mm512_set1_epi64(number), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
      b[v] = _mm512_srli_epi64(a[v], 32);
      c[v] = _mm512_set1_epi64(draw);
      d[v] = _mm512_set1_epi64(static_cast<long long>(kind));
    }
#pragma GCC unroll 10
    for (unsigned round = 0; round < kernel::philox_rounds; ++round) {
      const philox_key of_round = kernel::round_key(key, round);
      const __m512i low = _mm512_set1_epi64(of_round.low), high = _mm512_set1_epi64(of_round.high);
      for (int v = 0; v < vectors; ++v) {
        const __m512i p = _mm512_mul_epu32(first_factor, a[v]), q = _mm512_mul_epu32(second_factor, c[v]);
        constexpr int exclusive_or = 0x96;
        a[v] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(q, 32), b[v], low, exclusive_or);
        c[v] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p, 32), d[v], high, exclusive_or);
        b[v] = q;
        d[v] = p;
      }
    }
    for (int v = 0; v < vectors; ++v) {
      const __m512i ab = _mm512_or_si512(_mm512_and_si512(a[v], low_half), _mm512_slli_epi64(b[v], 32));
      const __m512i cd = _mm512_or_si512(_mm512_and_si512(c[v], low_half), _mm512_slli_epi64(d[v], 32));
      _mm512_storeu_si512(words + 32 * v, _mm512_permutex2var_epi64(ab, evens, cd));
      _mm512_storeu_si512(words + 32 * v + 16, _mm512_permutex2var_epi64(ab, odds, cd));
    }
  }
}

constexpr std::int64_t avx2_blocks = 8;

/// The same with vectors of half the size, which AVX2 has.
__attribute__((target("avx2"))) void fill_by_avx2(unsigned* words, std::uint64_t first, std::int64_t blocks,
                                                  counter_kind kind, philox_key key, unsigned draw) {
  constexpr int vectors = avx2_blocks / 4;
  const __m256i first_factor = _mm256_set1_epi64x(0xD2511F53), second_factor = _mm256_set1_epi64x(0xCD9E8D57);
  const __m256i low_half = _mm256_set1_epi64x(0xffffffff);
  for (std::int64_t block = 0; block < blocks; block += avx2_blocks, words += 4 * avx2_blocks) {
    __m256i a[vectors], b[vectors], c[vectors], d[vectors];
    for (int v = 0; v < vectors; ++v) {
      const auto number = static_cast<long long>(first + static_cast<std::uint64_t>(block + 4 * v));
      a[v] = _mm256_add_epi64(_mm256_set1_epi64x(number), _mm256_set_epi64x(3, 2, 1, 0));
      b[v] = _mm256_srli_epi64(a[v], 32);
      c[v] = _mm256_set1_epi64x(draw);
      d[v] = _mm256_set1_epi64x(static_cast<long long>(kind));
    }
#pragma GCC unroll 10
    for (unsigned round = 0; round < kernel::philox_rounds; ++round) {
      const philox_key of_round = kernel::round_key(key, round);
      const __m256i low = _mm256_set1_epi64x(of_round.low), high = _mm256_set1_epi64x(of_round.high);
      for (int v = 0; v < vectors; ++v) {
        const __m256i p = _mm256_mul_epu32(first_factor, a[v]), q = _mm256_mul_epu32(second_factor, c[v]);
        a[v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(q, 32), b[v]), low);
        c[v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p, 32), d[v]), high);
        b[v] = q;
        d[v] = p;
      }
    }
    for (int v = 0; v < vectors; ++v) {
      const __m256i ab = _mm256_or_si256(_mm256_and_si256(a[v], low_half), _mm256_slli_epi64(b[v], 32));
      const __m256i cd = _mm256_or_si256(_mm256_and_si256(c[v], low_half), _mm256_slli_epi64(d[v], 32));
      // Blocks 0 and 2, 1 and 3; then in order.
      const __m256i evens = _mm256_unpacklo_epi64(ab, cd), odds = _mm256_unpackhi_epi64(ab, cd);
      __m256i* const to = reinterpret_cast<__m256i*>(words + 16 * v);
      _mm256_storeu_si256(to, _mm256_permute2x128_si256(evens, odds, 0x20));
      _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(evens, odds, 0x31));
    }
  }
}
#endif

}  // namespace

void fill_random_words(unsigned* words, std::uint64_t first, std::int64_t blocks, counter_kind kind,
                       philox_key key, unsigned draw) {
#if defined(__x86_64__)
  static const bool use_avx512 = __builtin_cpu_supports("avx512f"), use_avx2 = __builtin_cpu_supports("avx2");
  const std::int64_t at_once = use_avx512 ? avx512_blocks : use_avx2 ? avx2_blocks : blocks + 1;
  const std::int64_t whole = blocks / at_once * at_once;
  if (whole > 0) (use_avx512 ? fill_by_avx512 : fill_by_avx2)(words, first, whole, kind, key, draw);
#else
  constexpr std::int64_t whole = 0;
#endif
  if (blocks > whole)
    fill_plainly(words + 4 * whole, first + static_cast<std::uint64_t>(whole), blocks - whole, kind, key,
                 draw);
}

}  // namespace host
GPARRAY_END_NAMESPACE
