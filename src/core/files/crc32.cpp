// The checksum of zip archives: the remainder of a polynomial over GF(2), bits reversed, by 0x04c11db7.
#include <array>
#include <cstdint>
#include <cstring>

#include <core/files/zip_format.hpp>

#if !defined(GPARRAY_ONE_PROCESSOR) && defined(__x86_64__) && defined(__GNUC__)
#define GPARRAY_HAS_CARRYLESS_PRODUCTS
#include <immintrin.h>
#endif

GPARRAY_BEGIN_NAMESPACE
namespace core::zip {

namespace {

/// tables[k][byte]: what a byte leaves of the remainder when k more have followed it.
using crc_tables = std::array<std::array<std::uint32_t, 256>, 8>;
crc_tables make_crc_tables() {
  crc_tables t{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    t[0][i] = i;
    for (int bit = 0; bit < 8; ++bit) t[0][i] = t[0][i] >> 1 ^ (t[0][i] & 1 ? 0xedb88320u : 0);
  }
  for (std::size_t k = 1; k < t.size(); ++k)
    for (std::size_t i = 0; i < 256; ++i) t[k][i] = t[k - 1][i] >> 8 ^ t[0][t[k - 1][i] & 255];
  return t;
}

// Eight bytes at a time, whose tables are read independently of each other (Kounavis and Berry, A systematic
// approach to building high performance software-based CRC generators, ISCC 2005).
std::uint32_t extend_by_tables(std::uint32_t crc, const unsigned char* at, const unsigned char* end) {
  static const crc_tables table = make_crc_tables();
  for (; end - at >= 8; at += 8) {
    const std::uint32_t first =
        crc ^ (at[0] | at[1] << 8 | at[2] << 16 | static_cast<std::uint32_t>(at[3]) << 24);
    crc = table[7][first & 255] ^ table[6][first >> 8 & 255] ^ table[5][first >> 16 & 255] ^
          table[4][first >> 24] ^ table[3][at[4]] ^ table[2][at[5]] ^ table[1][at[6]] ^ table[0][at[7]];
  }
  for (; at != end; ++at) crc = crc >> 8 ^ table[0][(crc ^ *at) & 255];
  return crc;
}

#if defined(GPARRAY_HAS_CARRYLESS_PRODUCTS)
constexpr std::ptrdiff_t part = 16, parts = 4;

/// x^n modulo the polynomial, with its bits reversed, as a product of reversed bits wants it: 33 bits.
constexpr std::uint64_t reversed_power(int n) {
  std::uint32_t power = 0x80000000;  // x^0
  for (; n > 0; --n) power = power >> 1 ^ (power & 1 ? 0xedb88320u : 0);
  return std::uint64_t{power} << 1;
}

/// `behind` and what `x` leaves when it is moved so many bits ahead of it. The low half of x has the higher
/// powers.
template<int Bits>
__attribute__((target("pclmul"), always_inline)) inline __m128i moved(__m128i x, __m128i behind) {
  constexpr std::uint64_t low = reversed_power(Bits + 32), high = reversed_power(Bits - 32);
  const __m128i powers = _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
  return _mm_xor_si128(
      behind, _mm_xor_si128(_mm_clmulepi64_si128(x, powers, 0x00), _mm_clmulepi64_si128(x, powers, 0x11)));
}

/// Folds all before the last bytes into 16 that have the same remainder (Gopal and others, Fast CRC
/// computation for generic polynomials using PCLMULQDQ instruction, Intel 2009). At least parts * part bytes.
__attribute__((target("pclmul"))) std::uint32_t extend_by_products(std::uint32_t crc, const unsigned char* at,
                                                                   const unsigned char* end) {
  const auto load = [](const unsigned char* from) __attribute__((target("pclmul"), always_inline)) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  };
  __m128i x[parts];
  for (std::ptrdiff_t k = 0; k < parts; ++k) x[k] = load(at + k * part);
  x[0] = _mm_xor_si128(x[0], _mm_cvtsi32_si128(static_cast<int>(crc)));
  for (at += parts * part; end - at >= parts * part; at += parts * part)
    for (std::ptrdiff_t k = 0; k < parts; ++k) x[k] = moved<parts * part * 8>(x[k], load(at + k * part));
  for (std::ptrdiff_t k = 1; k < parts; ++k) x[k] = moved<part * 8>(x[k - 1], x[k]);
  __m128i folded = x[parts - 1];
  for (; end - at >= part; at += part) folded = moved<part * 8>(folded, load(at));
  unsigned char same[part];
  std::memcpy(same, &folded, sizeof(same));
  return extend_by_tables(extend_by_tables(0, same, same + part), at, end);
}

const bool has_carryless_products = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("pclmul") != 0;
}();
#endif

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  const auto* const at = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto* const end = at + bytes.size();
#if defined(GPARRAY_HAS_CARRYLESS_PRODUCTS)
  if (has_carryless_products && end - at >= parts * part) return ~extend_by_products(~before, at, end);
#endif
  return ~extend_by_tables(~before, at, end);
}

}  // namespace core::zip
GPARRAY_END_NAMESPACE
