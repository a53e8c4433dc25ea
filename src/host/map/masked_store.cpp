#include <algorithm>
#include <bit>
#include <cstring>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include <host/map/cost.hpp>
#include <host/map/masked_store.hpp>
#include <host/map/strided_tiles.hpp>
#include <host/support/item.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

// Flags that are looked at together, and how many of them may be true for elements to be stored one by one.
constexpr std::int64_t block = 64;
constexpr int few = 8;
// As many of one value are made for the function.
constexpr std::int64_t longest = 1024;

/// A bit for each of 64 flags.
__attribute__((always_inline)) inline std::uint64_t bits_of(const char* flags) {
  std::uint64_t bits = 0;
#if defined(__x86_64__)
  for (int part = 0; part < 4; ++part) {
    const __m128i sixteen = _mm_loadu_si128(reinterpret_cast<const __m128i*>(flags) + part);
    const int zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(sixteen, _mm_setzero_si128()));
    bits |= static_cast<std::uint64_t>(~zeros & 0xffff) << 16 * part;
  }
#else
  for (int i = 0; i < block; ++i) bits |= static_cast<std::uint64_t>(flags[i] != 0) << i;
#endif
  return bits;
}

bool are_few(std::uint64_t bits) {
  for (int i = 0; i < few; ++i) bits &= bits - 1;
  return bits == 0;
}

/// Asks a few blocks.
bool are_mostly_few(const char* flags, std::int64_t n) {
  constexpr std::int64_t asked = 16;
  const std::int64_t blocks = n / block, step = std::max<std::int64_t>(1, blocks / asked);
  std::int64_t with_few = 0, with_many = 0;
  for (std::int64_t b = 0; b < blocks; b += step)
    (are_few(bits_of(flags + b * block)) ? with_few : with_many) += 1;
  return with_few >= with_many;
}

/// `values`: of one value `longest`.
template<class T, bool One>
void store(loop where, const char* flags, const T* values, T* target, std::int64_t n) {
  const auto value = [&](std::int64_t i) { return values[One ? 0 : i]; };
  // Blocks with many wait for their neighbours, for the function to be called once.
  std::int64_t waiting = 0, i = 0;
  const auto merge = [&] {
    if (waiting == i) return;
    const void* const args[] = {flags + waiting, One ? values : values + waiting, target + waiting};
    where(args, target + waiting, i - waiting);
  };
  while (i + block <= n) {
    std::uint64_t bits = bits_of(flags + i);
    if (!are_few(bits)) {
      i += block;
      if (i - waiting < longest) continue;
      merge();
      waiting = i;
      continue;
    }
    merge();
    for (; bits != 0; bits &= bits - 1) {
      const std::int64_t at = i + std::countr_zero(bits);
      target[at] = value(at);
    }
    i += block;
    waiting = i;
  }
  merge();
  for (; i < n; ++i)
    if (flags[i] != 0) target[i] = value(i);
}

}  // namespace

bool store_where(const masked_store& s) {
  if (!s.flags && *static_cast<const char*>(s.flag) == 0) return true;
  if (s.flags && !are_mostly_few(s.flags, s.n)) return false;
  const std::int64_t grain = fewest_elements(traffic_cost(1 + (s.values ? 2 : 1) * s.item));
  with_item(static_cast<std::size_t>(s.item), [&](auto item) {
    using T = decltype(item);
    alignas(64) char repeated[longest * sizeof(T)];
    if (!s.values) fill(repeated, s.value, std::min(longest, s.n), sizeof(T));
    parallel_for(s.n, grain, [&](std::int64_t begin, std::int64_t end) {
      T* const target = reinterpret_cast<T*>(s.target) + begin;
      const T* const values =
          s.values ? reinterpret_cast<const T*>(s.values) + begin : reinterpret_cast<const T*>(repeated);
      if (s.flags && s.values) store<T, false>(s.where, s.flags + begin, values, target, end - begin);
      else if (s.flags) store<T, true>(s.where, s.flags + begin, values, target, end - begin);
      else if (s.values) std::memmove(target, values, static_cast<std::size_t>(end - begin) * sizeof(T));
      else fill(target, s.value, end - begin, sizeof(T));
    });
  });
  return true;
}

}  // namespace host
GPARRAY_END_NAMESPACE
