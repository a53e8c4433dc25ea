#include <core/random_order.hpp>
#include <host/pooled.hpp>
#include <host/thread_pool.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// Words that are sorted keep their upper bits; the lower ones give way to the word's number. So keys are
/// distinct, and in the order of the words, but for words that agree in all of the upper bits.
using key = std::uint64_t;

/// Few enough that a bucket, its copy and its counts stay in the first-level cache.
constexpr std::int64_t bucket_size = 2048;

int bits_for(std::int64_t n) { return n < 2 ? 0 : std::bit_width(static_cast<std::uint64_t>(n - 1)); }

/// `bits` bits of a word after the first `skipped`.
std::size_t digit(std::uint64_t word, int skipped, int bits) {
  return bits == 0 ? 0 : static_cast<std::size_t>(word << skipped >> (64 - bits));
}

/// Writes the n keys make(i), ascending in the digit; ends[d] is where those of d end.
template<class Count, class Make>
void distribute(std::int64_t n, int skipped, int bits, Count* ends, key* to, Make make) {
  std::fill_n(ends, std::size_t{1} << bits, Count(0));
  for (std::int64_t i = 0; i < n; ++i) ++ends[digit(make(i), skipped, bits)];
  Count sum = 0;
  for (std::size_t d = 0; d < std::size_t{1} << bits; ++d) {
    const Count count = ends[d];
    ends[d] = sum;
    sum = static_cast<Count>(sum + count);
  }
  for (std::int64_t i = 0; i < n; ++i) {
    const key k = make(i);
    to[ends[digit(k, skipped, bits)]++] = k;
  }
}

/// For keys of which each is near its place.
void insertion_sort(key* x, std::int64_t n) {
  for (std::int64_t i = 1; i < n; ++i) {
    const key moving = x[i];
    std::int64_t k = i;
    for (; k > 0 && moving < x[k - 1]; --k) x[k] = x[k - 1];
    x[k] = moving;
  }
}

/// Sorts keys that share their first `skipped` bits.
void sort_bucket(key* x, std::int64_t n, int skipped) {
  if (n > 32) {
    constexpr std::int64_t most = 2 * bucket_size;
    if (n > most) return std::sort(x, x + n);  // words that are not spread evenly
    key copy[most];
    std::uint16_t ends[most];
    std::copy_n(x, n, copy);
    distribute(n, skipped, bits_for(n), ends, x, [&](std::int64_t i) { return copy[i]; });
  }
  insertion_sort(x, n);
}

}  // namespace

void order_words(const std::uint64_t* words, std::int64_t n, std::int64_t* order) {
  const int number_bits = bits_for(n), bits = bits_for(n / bucket_size + 1);
  const key number_mask = (key{1} << number_bits) - 1;
  const host::pooled<key> keys(n);
  const host::pooled<std::int64_t> ends(std::int64_t{1} << bits);
  distribute(n, 0, bits, ends.get(), keys.get(),
             [&](std::int64_t i) { return (words[i] & ~number_mask) | static_cast<key>(i); });
  const auto less = [&](std::int64_t a, std::int64_t b) {
    return words[a] != words[b] ? words[a] < words[b] : a < b;
  };
  host::parallel_for(std::int64_t{1} << bits, 16, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t b = first; b < last; ++b) {
      const std::int64_t begin = b > 0 ? ends.get()[b - 1] : 0, end = ends.get()[b];
      const key* const sorted = keys.get() + begin;
      sort_bucket(keys.get() + begin, end - begin, bits);
      std::int64_t alike = 0;  // where those begin that agree in the upper bits
      for (std::int64_t i = 0; i < end - begin; ++i) {
        order[begin + i] = static_cast<std::int64_t>(sorted[i] & number_mask);
        if (((sorted[i] ^ sorted[alike]) & ~number_mask) == 0) continue;
        if (i - alike > 1) std::sort(order + begin + alike, order + begin + i, less);
        alike = i;
      }
      if (end - begin - alike > 1) std::sort(order + begin + alike, order + end, less);
    }
  });
}

void order_first_words(const std::uint64_t* words, std::int64_t n, std::int64_t count, std::int64_t* order) {
  const host::pooled<std::int64_t> room(n + 1);
  std::int64_t* const found = room.get();
  if (16 * count <= n) {
    // As many are expected below the bound as leave a chance of 10^-5 that they are too few.
    const double wanted = static_cast<double>(count) + 5 * std::sqrt(static_cast<double>(count)) + 8;
    const auto bound = static_cast<std::uint64_t>(0x1p64 * (wanted / static_cast<double>(n)));
    std::int64_t below = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      found[below] = i;
      below += words[i] < bound;
    }
    if (below >= count) {
      std::partial_sort_copy(found, found + below, order, order + count, [&](std::int64_t a, std::int64_t b) {
        return words[a] != words[b] ? words[a] < words[b] : a < b;
      });
      return;
    }
  }
  order_words(words, n, found);
  std::copy_n(found, count, order);
}

}  // namespace core
GPARRAY_END_NAMESPACE
