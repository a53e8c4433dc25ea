// Parameter blocks of the kernels that sort, search and reduce runs.
#pragma once
#include <cuda/device/division.hpp>
#include <kernel/sort_key.hpp>
#include <plan/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int order_threads = 256;

/// What sorted numbers stand for: elements, or rows as the next keys.
struct number_params {
  const std::uint32_t* numbers;
  const void* elements;
  void* out;
  std::uint32_t size, n;
  kernel::sort_rule rule;  // of the elements
};

/// The numbers of words that are in order by their rows and first bits, so that only those that agree in them
/// are to be put in order.
struct tie_params {
  const std::uint64_t* words;
  const std::uint32_t* keys;  // row and first bits, in order
  std::uint32_t* numbers;     // that belong to the keys; put in order
  std::int64_t* order;        // becomes the numbers within rows of n
  std::uint32_t size;
  fast_divisor n;
};

/// Complex numbers become words that sort them. `order`, if not null, has the numbers, in rows of n, of the
/// elements to take one after the other.
struct complex_key_params {
  const void* elements;
  const std::int64_t* order;
  std::uint64_t* keys;    // of complex128 the high or the low words, if there are no numbers to be written
  std::int64_t* numbers;  // if not null, becomes 0, 1, 2, ..., and the keys are whole
  std::uint32_t size;
  bool high;
  fast_divisor n;
};
/// Elements, or their numbers, in the order that sorting by one or two words gave.
struct complex_pick_params {
  const void* elements;
  const std::int64_t *first, *second;  // numbers in rows of n; the second, or null, of places among the first
  void* sorted;                        // or null, and then
  std::int64_t* order;
  std::uint32_t size;
  fast_divisor n;
};

struct search_params {
  const void* sorted;
  const void* values;
  std::int64_t* out;
  bool* found;
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
  const void* elements;  // in place of numbers, with edges
  const void* edges;
  unsigned long long* counts;
  std::int64_t n, per_block;
  std::uint32_t n_bins;  // if they are few, each block counts for itself first
};
inline constexpr std::int64_t few_bins = 8192;
inline constexpr std::int64_t numbers_per_block = 16 * order_threads;

/// Rows of n sorted numbers whose NaN come last become rows whose NaN all have the bits of ours.
struct nan_tail_params {
  void* items;
  int item_bytes;
  std::uint64_t sign, infinity, nan;
  std::int64_t n;
  bool one_row;  // of nan_tail_blocks; else each row has a block
};
inline constexpr int nan_tail_threads = 256, nan_tail_blocks = 64;

const void* rows_of_numbers_kernel();
const void* ties_kernel();
/// Moves elements of eight bytes.
const void* pick_numbered_kernel();
const void* nan_tail_kernel();
/// `few`: at most few_bins of them.
const void* find_bin_kernel(bool few);
/// Counts between edges, at most most_bins_between bins.
const void* find_between_kernel(dtype type);
/// Of complex64 or complex128.
const void* find_complex_key_kernel(dtype type);
const void* find_complex_pick_kernel(dtype type);
const void* find_search_kernel(dtype type);
const void* find_run_kernel(reduction op, dtype type);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
