// Parameter blocks of the kernels that sort, search and reduce runs.
#pragma once
#include <core/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int order_threads = 256;
/// Keys that one thread, and one block, puts in order in one pass of a radix sort.
inline constexpr int keys_per_thread = 16;
inline constexpr int sort_tile = order_threads * keys_per_thread;
inline constexpr int digit_bits = 8;
inline constexpr int n_digits = 1 << digit_bits;
static_assert(n_digits == order_threads, "each thread of a block has one digit to look after");

/// Elements become keys, with the number of their row above, and back.
struct key_params {
  const void* elements;   // of the dtype: read by make_keys
  void* out;              // written by take_elements
  void* keys;             // 32 or 64 bits each
  std::uint32_t size, n;  // elements in all, and in a row
  int key_bits;           // of an element's key
  bool stable;            // zeros of either sign are equal
};

/// One pass over one digit of the keys.
struct radix_params {
  const void* keys;
  void* sorted_keys;
  const std::uint32_t* numbers;  // travel with the keys, or null; the first pass counts them itself
  std::uint32_t* sorted_numbers;
  std::uint32_t* counts;  // [digit][tile]: keys with this digit, then how many of them are in earlier tiles
  std::uint32_t* totals;  // [digit]
  std::uint32_t size, n_tiles;
  int shift;
  bool first;
};

/// What the sorted numbers stand for: elements, rows as the next keys, or numbers within their row.
struct number_params {
  const std::uint32_t* numbers;
  const void* elements;
  void* out;
  std::uint32_t size, n;
};

struct search_params {
  const void* sorted;
  const void* values;
  std::int64_t* out;
  std::int64_t n, count;
  bool right;
};

struct run_params {
  const void* values;
  const std::int64_t* begins;
  const std::int64_t* ends;
  void* out;
  std::int64_t n, count, n_out;
};

struct bin_params {
  const std::int64_t* numbers;
  unsigned long long* counts;
  std::int64_t n;
  std::uint32_t n_bins;  // if they are few, each block counts for itself first
};
inline constexpr std::int64_t few_bins = 8192;
inline constexpr std::int64_t numbers_per_block = 16 * order_threads;

struct radix_kernels {
  const void *count, *offsets, *scatter;
};

/// Null for complex numbers. `wide`: 64-bit keys.
const void* make_keys_kernel(dtype type, bool wide);
const void* take_elements_kernel(dtype type, bool wide);
radix_kernels find_radix_kernels(bool wide);
const void* rows_of_numbers_kernel();
const void* numbers_in_rows_kernel();
/// Moves elements of this many bytes.
const void* pick_numbered_kernel(std::size_t item_bytes);
/// `few`: at most few_bins of them.
const void* find_bin_kernel(bool few);
const void* find_search_kernel(dtype type);
const void* find_run_kernel(reduction op, dtype type);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
