// Bits are put into bytes and taken out of them, eight by eight.
#include <algorithm>
#include <bit>
#include <cstring>

#include <host/map/bits.hpp>
#include <host/support/clones.hpp>
#include <host/support/thread_pool.hpp>
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// Times eight bytes of 0 or 1, the product has them in order in its uppermost byte: no two meet elsewhere.
constexpr std::uint64_t first_is_highest = 0x8040201008040201, first_is_lowest = 0x0102040810204080;

GPARRAY_CLONES void pack_plainly(const std::uint8_t* flags, std::uint8_t* bytes, std::int64_t n,
                                 std::uint64_t factor) {
  for (std::int64_t i = 0; i < n; ++i) {
    std::uint64_t eight;
    __builtin_memcpy(&eight, flags + 8 * i, sizeof eight);
    bytes[i] = static_cast<std::uint8_t>(eight * factor >> 56);
  }
}

#if defined(__x86_64__) && defined(__GNUC__)
/// 32 at a time; returns how many bytes are done.
__attribute__((target("avx2"))) std::int64_t pack_by_avx2(const std::uint8_t* flags, std::uint8_t* bytes,
                                                          std::int64_t n, bool little) {
  const __m256i from_behind = _mm256_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607, 0x08090a0b0c0d0e0f,
                                                0x0001020304050607),
                in_order = _mm256_set_epi64x(0x0f0e0d0c0b0a0908, 0x0706050403020100, 0x0f0e0d0c0b0a0908,
                                             0x0706050403020100),
                order = little ? in_order : from_behind;
  std::int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(flags + 8 * i));
    const int packed = _mm256_movemask_epi8(_mm256_slli_epi16(_mm256_shuffle_epi8(some, order), 7));
    std::memcpy(bytes + i, &packed, sizeof packed);
  }
  return i;
}
#endif

void pack(const std::uint8_t* flags, std::uint8_t* bytes, std::int64_t n, bool little) {
  std::int64_t done = 0;
#if defined(__x86_64__) && defined(__GNUC__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) done = pack_by_avx2(flags, bytes, n, little);
#endif
  pack_plainly(flags + 8 * done, bytes + done, n - done,
               (std::endian::native == std::endian::little) == little ? first_is_lowest : first_is_highest);
}

GPARRAY_CLONES void unpack(const std::uint8_t* bytes, std::uint8_t* flags, std::int64_t n,
                           const std::uint8_t* bits) {
  for (std::int64_t i = 0; i < n; ++i)
    for (int k = 0; k < 8; ++k) flags[8 * i + k] = (bytes[i] & bits[k]) != 0;
}

constexpr std::uint8_t from_lowest[] = {1, 2, 4, 8, 16, 32, 64, 128},
                       from_highest[] = {128, 64, 32, 16, 8, 4, 2, 1};

/// `n` flags and the bytes that they fill, or begin to.
void move_bits(const core::bit_plan& plan, const std::uint8_t* in, std::uint8_t* out, std::int64_t n) {
  const std::int64_t whole = n / 8, rest = n % 8;
  const std::uint8_t* const bits = plan.little ? from_lowest : from_highest;
  std::uint8_t eight[8] = {};
  if (plan.packs) {
    pack(in, out, whole, plan.little);
    std::copy_n(in + 8 * whole, rest, eight);
    if (rest) pack(eight, out + whole, 1, plan.little);
  } else {
    unpack(in, out, whole, bits);
    if (rest) unpack(in + whole, eight, 1, bits);
    std::copy_n(eight, rest, out + 8 * whole);
  }
}

}  // namespace

void move_bits(const core::bit_plan& plan) {
  const auto* const in = static_cast<const std::uint8_t*>(plan.in);
  auto* const out = static_cast<std::uint8_t*>(plan.out);
  if (plan.n_bits == 8 * plan.n_bytes)  // one row
    return parallel_for(plan.rows * plan.n_bytes, serial_elements, [&](std::int64_t begin, std::int64_t end) {
      move_bits(plan, in + begin * (plan.packs ? 8 : 1), out + begin * (plan.packs ? 1 : 8),
                8 * (end - begin));
    });
  const std::int64_t n = std::min(plan.n_bits, 8 * plan.n_bytes),
                     n_in = plan.packs ? plan.n_bits : plan.n_bytes,
                     n_out = plan.packs ? plan.n_bytes : plan.n_bits, written = plan.packs ? (n + 7) / 8 : n;
  parallel_for(plan.rows, serial_elements / (plan.n_bytes + 1) + 1,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t row = begin; row < end; ++row) {
                   move_bits(plan, in + row * n_in, out + row * n_out, n);
                   std::fill(out + row * n_out + written, out + (row + 1) * n_out, std::uint8_t{0});
                 }
               });
}

}  // namespace host
GPARRAY_END_NAMESPACE
