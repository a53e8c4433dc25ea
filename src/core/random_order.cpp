#include <core/random_order.hpp>
#include <host/thread_pool.hpp>

#include <algorithm>
#include <bit>
#include <vector>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

struct numbered_word {
  std::uint64_t word;
  std::int64_t number;
  friend bool operator<(const numbered_word& a, const numbered_word& b) {
    return a.word != b.word ? a.word < b.word : a.number < b.number;
  }
};

/// Few enough that a bucket, its copy and its counts stay in the second-level cache.
constexpr std::int64_t bucket_size = 4096;

/// `bits` bits of a word after the first `skipped`.
std::uint64_t digit(std::uint64_t word, int skipped, int bits) {
  return bits == 0 ? 0 : word << skipped >> (64 - bits);
}

/// Writes them to `to`, ascending in the digit.
void distribute(const numbered_word* from, std::int64_t n, int skipped, int bits,
                std::vector<std::int64_t>& ends, numbered_word* to) {
  ends.assign(std::size_t{1} << bits, 0);
  for (std::int64_t i = 0; i < n; ++i) ++ends[digit(from[i].word, skipped, bits)];
  std::int64_t sum = 0;
  for (std::int64_t& end : ends) {
    const std::int64_t count = end;
    end = sum;
    sum += count;
  }
  for (std::int64_t i = 0; i < n; ++i) to[ends[digit(from[i].word, skipped, bits)]++] = from[i];
}

/// For elements of which each is near its place.
void insertion_sort(numbered_word* x, std::int64_t n) {
  for (std::int64_t i = 1; i < n; ++i) {
    const numbered_word moving = x[i];
    std::int64_t k = i;
    for (; k > 0 && moving < x[k - 1]; --k) x[k] = x[k - 1];
    x[k] = moving;
  }
}

int bits_for(std::int64_t n) { return n < 2 ? 0 : std::bit_width(static_cast<std::uint64_t>(n - 1)); }

/// Sorts words that share their first `skipped` bits.
void sort_bucket(numbered_word* x, std::int64_t n, int skipped, std::vector<numbered_word>& copy,
                 std::vector<std::int64_t>& ends) {
  if (n > 32) {
    copy.assign(x, x + n);
    distribute(copy.data(), n, skipped, bits_for(n), ends, x);
  }
  insertion_sort(x, n);
}

}  // namespace

void order_words(const std::uint64_t* words, std::int64_t n, std::int64_t* order) {
  std::vector<numbered_word> all(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = {words[i], i};
  const int bits = bits_for(n / bucket_size + 1);
  std::vector<std::int64_t> ends{n};
  if (bits > 0) {
    std::vector<numbered_word> sorted(all.size());
    distribute(all.data(), n, 0, bits, ends, sorted.data());
    all.swap(sorted);
  }
  host::parallel_for(static_cast<std::int64_t>(ends.size()), 8, [&](std::int64_t first, std::int64_t last) {
    std::vector<numbered_word> copy;
    std::vector<std::int64_t> own_ends;
    for (std::int64_t b = first; b < last; ++b) {
      const std::int64_t begin = b > 0 ? ends[static_cast<std::size_t>(b - 1)] : 0;
      const std::int64_t end = ends[static_cast<std::size_t>(b)];
      sort_bucket(all.data() + begin, end - begin, bits, copy, own_ends);
      for (std::int64_t i = begin; i < end; ++i) order[i] = all[static_cast<std::size_t>(i)].number;
    }
  });
}

}  // namespace core
GPARRAY_END_NAMESPACE
