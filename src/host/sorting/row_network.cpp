#include <algorithm>
#include <type_traits>

#include <host/sorting/row_network.hpp>
#include <host/support/clones.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// Batcher's odd-even merge sort of n keys: the pairs to put in order, one after the other.
struct network {
  struct pair {
    std::uint8_t a, b;
  };
  int count = 0;
  pair pairs[191];  // of 32 keys

  explicit network(int n) {
    for (int p = 1; p < n; p *= 2)
      for (int k = p; k >= 1; k /= 2)
        for (int j = k % p; j + k < n; j += 2 * k)
          for (int i = j; i < j + k && i + k < n; ++i)
            if (i / (2 * p) == (i + k) / (2 * p))
              pairs[count++] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i + k)};
  }
};

/// Signed numbers, which processors compare sooner: keys with their first bit turned over.
template<class K>
struct lanes_of {
  using key = std::make_signed_t<K>;
  typedef key vector __attribute__((vector_size(32)));
  static constexpr int lanes = 32 / sizeof(K);
  static constexpr K first_bit = static_cast<K>(K{1} << (8 * sizeof(K) - 1));
  /// A second vector of rows has something to do while results of the first one are awaited.
  static constexpr int vectors = 2, rows = vectors * lanes;

  /// Keys that are in one place in all rows.
  struct column {
    union {
      vector part[vectors];
      key of_row[rows];
    };
  };

  static __attribute__((always_inline)) inline void load(column* columns, const K* keys,
                                                         std::int64_t rows_used, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t r = 0; r < rows_used; ++r)
        columns[i].of_row[r] = static_cast<key>(keys[r * n + i] ^ first_bit);
  }
};

template<class K>
GPARRAY_CLONES void sort_some(K* keys, std::int64_t rows, std::int64_t n, const network& steps) {
  using L = lanes_of<K>;
  typename L::column columns[longest_network];
  if (rows < L::rows) std::fill_n(columns, n, typename L::column{});
  L::load(columns, keys, rows, n);
  for (int s = 0; s < steps.count; ++s) {
    typename L::column &low = columns[steps.pairs[s].a], &high = columns[steps.pairs[s].b];
    for (int v = 0; v < L::vectors; ++v) {
      const typename L::vector a = low.part[v], b = high.part[v];
      low.part[v] = a < b ? a : b;
      high.part[v] = a < b ? b : a;
    }
  }
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t i = 0; i < n; ++i)
      keys[r * n + i] = static_cast<K>(columns[i].of_row[r]) ^ L::first_bit;
}

/// The same, with the number of each key, which decides between equal ones.
GPARRAY_CLONES void order_some(const unsigned long* keys, std::int64_t rows, std::int64_t n,
                               const network& steps, std::int64_t* order) {
  using L = lanes_of<unsigned long>;
  L::column columns[longest_network], numbers[longest_network];
  if (rows < L::rows) std::fill_n(columns, n, L::column{});
  L::load(columns, keys, rows, n);
  for (std::int64_t i = 0; i < n; ++i)
    for (int r = 0; r < L::rows; ++r) numbers[i].of_row[r] = i;
  for (int s = 0; s < steps.count; ++s) {
    const auto [low, high] = steps.pairs[s];
    for (int v = 0; v < L::vectors; ++v) {
      const L::vector a = columns[low].part[v], b = columns[high].part[v], number_of_a = numbers[low].part[v],
                      number_of_b = numbers[high].part[v];
      const auto swaps = (a > b) | ((a == b) & (number_of_a > number_of_b));
      columns[low].part[v] = swaps ? b : a;
      columns[high].part[v] = swaps ? a : b;
      numbers[low].part[v] = swaps ? number_of_b : number_of_a;
      numbers[high].part[v] = swaps ? number_of_a : number_of_b;
    }
  }
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t i = 0; i < n; ++i) order[r * n + i] = numbers[i].of_row[r];
}

template<class K>
GPARRAY_CLONES void number_keys(const K* keys, std::int64_t rows, std::int64_t n, unsigned long* numbered) {
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t i = 0; i < n; ++i)
      numbered[r * n + i] = static_cast<unsigned long>(keys[r * n + i]) << 32 | static_cast<unsigned long>(i);
}

}  // namespace

template<class K>
void sort_side_by_side(K* keys, std::int64_t rows, std::int64_t n) {
  const network steps(static_cast<int>(n));
  for (std::int64_t row = 0; row < rows; row += lanes_of<K>::rows)
    sort_some(keys + row * n, std::min<std::int64_t>(lanes_of<K>::rows, rows - row), n, steps);
}

template<class K>
void order_side_by_side(const K* keys, std::int64_t rows, std::int64_t n, std::int64_t* order) {
  if constexpr (sizeof(K) == 8) {
    const network steps(static_cast<int>(n));
    for (std::int64_t row = 0; row < rows; row += lanes_of<K>::rows)
      order_some(keys + row * n, std::min<std::int64_t>(lanes_of<K>::rows, rows - row), n, steps,
                 order + row * n);
  } else {  // a key and its number are one word
    auto* const numbered = reinterpret_cast<unsigned long*>(order);
    number_keys(keys, rows, n, numbered);
    sort_side_by_side(numbered, rows, n);
    for (std::int64_t i = 0; i < rows * n; ++i) numbered[i] &= 0xffffffff;
  }
}

#define GPARRAY_SIDE_BY_SIDE(K)                                    \
  template void sort_side_by_side(K*, std::int64_t, std::int64_t); \
  template void order_side_by_side(const K*, std::int64_t, std::int64_t, std::int64_t*);
GPARRAY_SIDE_BY_SIDE(unsigned char)
GPARRAY_SIDE_BY_SIDE(unsigned short)
GPARRAY_SIDE_BY_SIDE(unsigned)
GPARRAY_SIDE_BY_SIDE(unsigned long)
#undef GPARRAY_SIDE_BY_SIDE

}  // namespace host
GPARRAY_END_NAMESPACE
