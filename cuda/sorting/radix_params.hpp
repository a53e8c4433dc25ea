// Parameter blocks of the kernels of the radix sort.
#pragma once
#include <cstdint>

#include <cuda/device/division.hpp>
#include <gparray/dtype.hpp>
#include <kernel/sort_key.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int digit_bits = 8;
inline constexpr int n_digits = 1 << digit_bits;

/// Fewer keys than this are sorted in smaller tiles, so that every multiprocessor has some.
inline constexpr std::uint32_t few_keys = 1 << 21;
/// A block of one pass over memory: K is a key, WithNumbers says that numbers travel with the keys.
inline constexpr int pass_threads = 384;
template<class K, bool WithNumbers, bool Few = false>
struct pass_shape {
  static constexpr int threads = pass_threads,
                       items = sizeof(K) == 8 ? 12
                               : Few          ? 11
                               : WithNumbers  ? 21
                                              : 23,
                       tile = threads * items;
};
/// The same where a block sorts whole rows.
struct row_shape {
  static constexpr int threads = 256, items = 16, tile = threads * items;
};

/// What becomes keys of 32 or 64 bits.
struct key_source {
  const void* items;       // elements by the rule, or keys, if `encodes` is false
  int item_bytes;          // of an item; 1, 2, 4 or 8
  int dropped_bits;        // of items of eight bytes that become keys of 32 bits: the lowest
  int element_bits;        // below the number of the row, if rows are among the bits of a key
  bool encodes, has_rows;  // has_rows: item i is in row i / n
  bool stable;             // zeros of either sign are equal
  std::uint64_t flip;      // bits of a key that are turned over: all of the element's sort it from behind
  kernel::sort_rule rule;
  fast_divisor n;  // items of a row
};

/// What sorted keys and numbers become; what is null is not wanted.
struct key_result {
  void* items;
  int item_bytes;
  bool decodes;
  kernel::sort_rule rule;
  std::uint32_t* numbers;
  std::int64_t* order;  // the numbers within rows of n
  fast_divisor n;
};

/// Counts of all digits of all keys, and from them where each digit begins.
struct digit_params {
  key_source source;
  std::uint32_t* begins;  // [digit's position][digit]; zero before
  unsigned* counter;      // of blocks that are done; zero before and after
  std::uint32_t size, per_block;
  int bits;  // of a key
};

/// One pass over one digit of the keys.
struct pass_params {
  key_source source;
  key_result result;
  const std::uint32_t* numbers;  // that travel with the keys; null in the first pass, which counts them
  const std::uint32_t* begins;   // [digit]: in the result
  // [tile][digit]: how many keys have this digit, in the tile or up to its end; zero before the launch. What
  // the next pass will use is cleared.
  std::uint32_t* status;
  std::uint32_t* next_status;
  unsigned* counter;  // of blocks that have started; zero before and after
  std::uint32_t size;
  int shift;
};

/// Rows that fit into tiles: each block sorts some of them.
struct row_params {
  key_source source;
  key_result result;
  std::uint32_t size, per_block;  // items in all, and of the rows of a block
  int bits, row_bits;             // of a key, and of the number of a row in its block
};

/// `keys_are_64_bit`: else of 32 bits.
const void* find_digit_kernel(bool keys_are_64_bit);
struct pass_kernel {
  const void* address;
  int tile;  // keys of a block
};
pass_kernel find_pass_kernel(bool keys_are_64_bit, bool with_numbers, std::uint32_t size);
const void* find_row_kernel(bool keys_are_64_bit, bool with_numbers);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
