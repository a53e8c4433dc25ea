// A radix sort by the lowest digit first. One kernel counts all digits of all keys; then one kernel a digit
// moves the keys: a block ranks its tile, learns from earlier tiles how many keys with each digit are before
// it (Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016; Adinets and
// Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", 2022), and writes the tile in
// order, so that neighbours go to neighbouring positions.
#pragma once
#include <cuda/device/block_order.cuh>
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sorting/radix_items.cuh>
#include <cuda/sorting/radix_rank.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int count_threads = n_digits;

template<class K>
__global__ void __launch_bounds__(count_threads) count_digits(const __grid_constant__ digit_params p) {
  wait_for_prior_grids();
  constexpr int at_once = 8, key_digits = sizeof(K);
  __shared__ unsigned counts[key_digits][n_digits];
  __shared__ bool is_last;
  const unsigned digit = threadIdx.x;
#pragma unroll
  for (int d = 0; d < key_digits; ++d) counts[d][digit] = 0;
  __syncthreads();
  const std::uint32_t begin = blockIdx.x * p.per_block, end = min(begin + p.per_block, p.size);
  for (std::uint32_t i = begin + threadIdx.x; i < end; i += at_once * count_threads) {
    K keys[at_once];
    load_keys(p.source, keys, i, count_threads, end, at_once);
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      if (i + k * count_threads >= end) break;
#pragma unroll
      for (int d = 0; d < key_digits; ++d)
        if (d * digit_bits < p.bits) atomicAdd(&counts[d][digit_of(keys[k], d * digit_bits)], 1u);
    }
  }
  __syncthreads();
#pragma unroll
  for (int d = 0; d < key_digits; ++d)
    if (d * digit_bits < p.bits && counts[d][digit] > 0)
      atomicAdd(&p.begins[d * n_digits + digit], counts[d][digit]);
  __syncthreads();
  if (threadIdx.x == 0) is_last = arrives_last(p.counter);
  __syncthreads();
  if (!is_last) return;
  for (int d = 0; d * digit_bits < p.bits; ++d) {
    std::uint32_t& mine = p.begins[d * n_digits + digit];
    mine = sum_of_digits_before(mine);
    __syncthreads();
  }
}

/// A count of a tile and of all keys up to the end of a tile, as tiles publish them: a tile has fewer than
/// tile_limit keys, and there are at most 2^31 in all.
inline constexpr std::uint32_t tile_limit = 1 << 16;
__device__ __forceinline__ std::uint32_t count_of_tile(std::uint32_t count) { return count + 1; }
__device__ __forceinline__ std::uint32_t count_up_to_tile(std::uint32_t count) { return count + tile_limit; }

/// How many keys with this digit are in earlier tiles; `count` are in this one, which others learn. A block
/// waits only for blocks that have started before it. For one thread of each digit.
__device__ __forceinline__ std::uint32_t keys_before(std::uint32_t* status, std::uint32_t tile,
                                                     std::uint32_t digit, std::uint32_t count) {
  constexpr int at_once = 4;
  std::uint32_t sum = 0;
  for (std::uint32_t next = tile; next > 0;) {  // tiles below `next` are still to be added
    std::uint32_t words[at_once];
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      const std::uint32_t earlier = next > i ? next - 1 - i : 0;
      words[i] = load_shared_word(status + static_cast<std::size_t>(earlier) * n_digits + digit);
    }
    bool ready = true;
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      ready = ready && next > 0 && words[i] != 0;
      if (!ready) continue;
      const bool all = words[i] >= tile_limit;
      sum += words[i] - (all ? count_up_to_tile(0) : count_of_tile(0));
      next = all ? 0 : next - 1;
    }
    if (!ready && next > 0) __nanosleep(20);
  }
  if (tile > 0)
    store_shared_word(status + static_cast<std::size_t>(tile) * n_digits + digit,
                      count_up_to_tile(sum + count));
  return sum;
}

template<class K, bool WithNumbers, class Shape>
__global__ void __launch_bounds__(Shape::threads, 2) sort_pass(const __grid_constant__ pass_params p) {
  wait_for_prior_grids();
  constexpr int items = Shape::items, threads = Shape::threads;
  static_assert(Shape::tile < tile_limit - 1);
  __shared__ union {
    warp_counts<threads> counts;
    K keys[Shape::tile];
    std::uint32_t numbers[Shape::tile];
  } shared;
  __shared__ std::uint32_t
      in_result[n_digits];  // what takes a position in the tile to its place in the result
  const std::uint32_t tile = start_number(p.counter), begin = tile * Shape::tile, digit = threadIdx.x,
                      n = min(p.size - begin, std::uint32_t(Shape::tile));
  const bool has_digit = digit < n_digits;
  std::uint32_t* const status = p.status + static_cast<std::size_t>(tile) * n_digits + digit;

  K keys[items];
  load_keys(p.source, keys, begin + first_item(items), 32, begin + n, items);
  unsigned ranks[items];
  std::uint32_t count = 0, first = 0;
  rank_items<threads>(
      shared.counts, items, ranks, [&](int k) { return digit_of(keys[k], p.shift); },
      [&](unsigned of_tile, unsigned begin_of_digit) {
        count = of_tile;
        first = begin_of_digit;
        store_shared_word(status, tile == 0 ? count_up_to_tile(count) : count_of_tile(count));
        p.next_status[static_cast<std::size_t>(tile) * n_digits + digit] = 0;
      });
  __syncthreads();
#pragma unroll
  for (int k = 0; k < items; ++k) shared.keys[ranks[k]] = keys[k];
  if (has_digit) in_result[digit] = p.begins[digit] + keys_before(p.status, tile, digit, count) - first;
  __syncthreads();

  std::uint32_t positions[items];
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const std::uint32_t i = k * threads + threadIdx.x;
    keys[k] = shared.keys[i];
    positions[k] = in_result[digit_of(keys[k], p.shift)] + i;
  }
  const auto is_there = [&](int k) { return k * threads + threadIdx.x < n; };
  const auto position = [&](int k) { return positions[k]; };
  store_keys(p.result, keys, position, is_there);
  if constexpr (WithNumbers) {
    std::uint32_t numbers[items];
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const std::uint32_t i = first_item(items) + 32 * k;
      numbers[k] = p.numbers && i < n ? p.numbers[begin + i] : begin + i;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < items; ++k) shared.numbers[ranks[k]] = numbers[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < items; ++k) numbers[k] = shared.numbers[k * threads + threadIdx.x];
    store_numbers(p.result, numbers, position, is_there);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
