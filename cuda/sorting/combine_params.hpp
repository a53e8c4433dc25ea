// Parameter blocks of the kernels that add values onto the places that numbers name.
#pragma once
#include <plan/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int combine_threads = 256;
/// Places of a bucket, whose sums each warp of a block keeps for itself.
inline constexpr int bucket_bits = 9, bucket_bins = 1 << bucket_bits;
/// Warps that so many bytes of sums leave room for in shared memory.
constexpr int combine_warps(std::size_t state) { return state > 8 ? 4 : 8; }
/// Places that one block of the last kernel finishes, with so many threads for each.
inline constexpr int finished_bins = 32, finish_parts = combine_threads / finished_bins;

struct key_params {
  const std::int64_t* numbers;
  std::uint32_t* keys;
  std::int64_t n, n_bins;
};

/// Where each bucket begins in sorted keys, n_buckets + 1 of them.
struct edge_params {
  const std::uint32_t* keys;
  std::uint32_t* edges;
  std::uint32_t n, n_edges;
};

struct chunk_params {
  const std::int64_t* numbers;  // of one bucket's places; or
  const std::uint32_t* keys;    // sorted by bucket
  const std::uint32_t* edges;   // of buckets; null if there is one
  const void* values;
  void* out;
  void* partials;  // [chunk][of a bucket that began before it, of one that it begins][place]: states
  std::uint32_t n, n_bins, chunk;
};

/// Elements of the result that one block has, and its threads, where each block looks at all numbers.
inline constexpr int few_places = 128, few_threads = 512;
struct few_params {
  const std::int64_t* numbers;
  const void* values;
  void* out;
  std::int64_t n_places;
  std::uint32_t n, n_out, inner;
};

/// Values sorted by place, and how many of them a warp takes.
inline constexpr std::uint32_t sorted_tile = 1024;
struct sorted_params {
  const std::uint32_t* keys;
  const void* values;
  void* out;
  void* partials;  // [tile][of a run that began before it, of one that goes on behind it]: states
  std::uint32_t n;
};

/// Values added in any order.
struct atomic_params {
  const std::int64_t* numbers;
  const void* values;
  void* out;
  std::int64_t size, n_bins, inner;
};

struct combine_kernels {
  const void* chunks;  // null for all but additions, as `finish`
  const void* finish;
  int threads;  // of `chunks`
  const void* few;
  const void* sorted;
  const void* finish_sorted;
  std::size_t state_bytes;
};
/// Additions of floating and complex numbers and integers of 32 and 64 bits, minima and maxima of
/// float32, float64, int32 and int64; else null.
combine_kernels find_combine_kernels(ufunc op, dtype type);
const void* find_key_kernel();
const void* find_edge_kernel();
/// Of real numbers of 4 and 8 bytes; else null.
const void* find_atomic_kernel(dtype type);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
