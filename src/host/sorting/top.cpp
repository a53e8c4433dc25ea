// The first k of many elements: one pass, in which those go by that cannot be among them, and the others are
// collected until there are so many that a selection is worth its time.
#include <algorithm>

#include <host/sorting/select_keys.hpp>
#include <host/sorting/selection.hpp>
#include <host/sorting/sort_keys.hpp>
#include <host/support/clones.hpp>
#include <host/support/pooled.hpp>
#include <host/support/thread_pool.hpp>
#include <kernel/sort_key.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// Elements that are looked at together.
constexpr std::int64_t block = 256;

/// A key above the number of its element, so that no two are equal.
struct wide_word {
  std::uint64_t key, number;
  bool operator<(const wide_word& other) const {
    return key != other.key ? key < other.key : number < other.number;
  }
};
constexpr int number_bits = 32;
template<class Word>
Word word_of(std::uint64_t key, std::int64_t number) {
  if constexpr (std::is_same_v<Word, wide_word>) return {key, static_cast<std::uint64_t>(number)};
  else return key << number_bits | static_cast<Word>(number);
}
std::uint64_t key_of(unsigned long word) { return word >> number_bits; }
std::uint64_t key_of(const wide_word& word) { return word.key; }
std::int64_t number_of(unsigned long word) {
  return static_cast<std::int64_t>(word & ((1ul << number_bits) - 1));
}
std::int64_t number_of(const wide_word& word) { return static_cast<std::int64_t>(word.number); }

/// The k least words come first; the one at k - 1 is the greatest of them.
void keep_least(unsigned long* words, unsigned long* spare, std::int64_t n, std::int64_t k) {
  const std::int64_t last = k - 1;
  select_keys(words, spare, n, {&last, 1});
}
void keep_least(wide_word* words, wide_word*, std::int64_t n, std::int64_t k) {
  std::nth_element(words, words + (k - 1), words + n);
}

/// Whether a key is below the bound.
template<class T>
GPARRAY_CLONES bool make_keys(const T* elements, kernel::unsigned_t<T>* keys, std::int64_t n,
                              kernel::unsigned_t<T> flip, kernel::unsigned_t<T> bound) {
  bool any = false;
  for (std::int64_t i = 0; i < n; ++i) {
    keys[i] = static_cast<kernel::unsigned_t<T>>(kernel::tie_key(elements[i]) ^ flip);
    any |= keys[i] < bound;
  }
  return any;
}

constexpr std::int64_t room_for(std::int64_t n, std::int64_t k) {
  return std::min(n, k + std::max<std::int64_t>(k, 4096)) + block;
}

/// Leaves the words of the first k of the elements [begin, end), or of all if they are fewer; returns how
/// many. There is room for room_for(end - begin, k) of them, and in the spare.
template<class T, class Word>
std::int64_t collect(const T* elements, std::int64_t begin, std::int64_t end, std::int64_t k,
                     kernel::unsigned_t<T> flip, Word* words, Word* spare) {
  using K = kernel::unsigned_t<T>;
  const std::int64_t room = room_for(end - begin, k);
  K keys[block], bound = 0;
  bool has_bound = false;
  std::int64_t count = 0;
  for (std::int64_t i = begin; i < end; i += block) {
    const std::int64_t n = std::min(block, end - i);
    // Later elements with the bound itself come behind it.
    if (!make_keys(elements + i, keys, n, flip, bound) && has_bound) continue;
    for (std::int64_t j = 0; j < n; ++j) {
      words[count] = word_of<Word>(keys[j], i + j);
      count += !has_bound || keys[j] < bound;
    }
    if (count + block <= room || i + block >= end) continue;
    keep_least(words, spare, count, k);
    count = k;
    bound = static_cast<K>(key_of(words[k - 1]));
    has_bound = true;
  }
  if (count <= k) return count;
  keep_least(words, spare, count, k);
  return k;
}

template<class Word, class T>
void find_top(const core::top_plan& plan) {
  using K = kernel::unsigned_t<T>;
  const T* const in = static_cast<const T*>(plan.in);
  const K flip = static_cast<K>(plan.descending ? -1 : 0);
  const std::int64_t n = plan.n, k = plan.k;
  const auto store = [&](const Word* words, std::int64_t row) {
    std::int64_t* const numbers = plan.numbers + row * k;
    for (std::int64_t i = 0; i < k; ++i) numbers[i] = row * n + number_of(words[i]);
    std::sort(numbers, numbers + k);
  };
  if (plan.rows >= num_threads() || n < 2 * serial_elements) {
    return parallel_for(plan.rows, serial_elements / n + 1, [&](std::int64_t begin, std::int64_t end) {
      const pooled<Word> words(room_for(n, k)), spare(room_for(n, k));
      for (std::int64_t row = begin; row < end; ++row) {
        collect(in + row * n, 0, n, k, flip, words.get(), spare.get());
        store(words.get(), row);
      }
    });
  }
  // Threads share a long row. The first k of it are among the first k of its parts.
  const std::int64_t parts = std::min<std::int64_t>(num_threads(), n / serial_elements);
  const auto edge = [&](std::int64_t part) { return n * part / parts; };
  const std::int64_t room = room_for(edge(1) + 1, k);
  const pooled<Word> words(parts * room), spare(parts * room);
  const pooled<std::int64_t> counts(parts);
  for (std::int64_t row = 0; row < plan.rows; ++row) {
    parallel_for(parts, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t p = begin; p < end; ++p)
        counts.get()[p] = collect(in + row * n, edge(p), edge(p + 1), k, flip, words.get() + p * room,
                                  spare.get() + p * room);
    });
    std::int64_t count = 0;
    for (std::int64_t p = 0; p < parts; ++p) {
      std::copy_n(words.get() + p * room, counts.get()[p], words.get() + count);
      count += counts.get()[p];
    }
    keep_least(words.get(), spare.get(), count, k);
    store(words.get(), row);
  }
}

template<class T>
void find_typed(const core::top_plan& plan) {
  if constexpr (sizeof(T) <= 4) {
    if (plan.n <= std::int64_t{1} << number_bits) return find_top<unsigned long, T>(plan);
  }
  if constexpr (!kernel::is_complex<T>) find_top<wide_word, T>(plan);
}

}  // namespace

void top(const core::top_plan& plan) {
  switch (plan.type) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return find_typed<kernel_type>(plan);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
