// Selection by radix, the highest digit first: each pass counts the next digit of the keys that agree with
// what is known of one that is looked for. Several are looked for in the same passes.
#pragma once
#include <cuda/device/block_order.cuh>
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sorting/radix_items.cuh>
#include <cuda/sorting/radix_rank.cuh>
#include <cuda/sorting/select_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Keys that a thread holds at once.
inline constexpr int select_items = 8;

/// The part of its row that a block of select_params or mark_params reads: calls f(keys, first) with keys of
/// the items first + k * select_threads. All threads of the block call f equally often.
template<class K, class Params, class F>
__device__ __forceinline__ void for_each_key(const Params& p, std::uint32_t row, F f) {
  key_source source = p.source;
  source.items = static_cast<const char*>(source.items) +
                 static_cast<std::size_t>(row) * p.n * static_cast<unsigned>(source.item_bytes);
  const std::uint32_t begin = blockIdx.x % p.blocks_per_row * p.per_block,
                      end = min(begin + p.per_block, p.n);
  for (std::uint32_t i = begin; i < end; i += select_items * select_threads) {
    K keys[select_items];
    load_keys(source, keys, i + threadIdx.x, select_threads, end, select_items);
    f(keys, i + threadIdx.x, end);
  }
}

/// The same of the keys that the block has kept; their numbers are not known any more.
template<class K, class F>
__device__ __forceinline__ void for_each_kept_key(const select_params& p, F f) {
  const K* const kept = static_cast<const K*>(p.kept) + static_cast<std::size_t>(blockIdx.x) * p.per_block;
  const std::uint32_t n = p.n_kept[blockIdx.x];
  for (std::uint32_t i = 0; i < n; i += select_items * select_threads) {
    K keys[select_items];
#pragma unroll
    for (int k = 0; k < select_items; ++k) {
      const std::uint32_t at = i + threadIdx.x + k * select_threads;
      keys[k] = at < n ? kept[at] : K(0);
    }
    f(keys, i + threadIdx.x, n);
  }
}

/// Adds one to the count of each lane's digit, which many lanes may have in common.
__device__ __forceinline__ void count_common_digit(unsigned (&counts)[n_digits], unsigned digit,
                                                   bool is_there) {
  const unsigned peers = matching_lanes(digit) & __ballot_sync(0xffffffffu, is_there);
  const unsigned lane = threadIdx.x % 32;
  if (is_there && lane == 31u - static_cast<unsigned>(__clz(static_cast<int>(peers))))
    atomicAdd(&counts[digit], static_cast<unsigned>(__popc(peers)));
}

/// What a block knows of the keys that it looks for.
template<class K>
struct selection_groups {
  K prefixes[most_selected];
  std::uint32_t number;
  int n;
};

/// The group that a key belongs to, or none: -1.
template<class K>
__device__ __forceinline__ int group_of(const select_params& p, const selection_groups<K>& groups, K key,
                                        std::uint32_t number) {
  if (p.by_number) {
    const bool agrees = key == groups.prefixes[0] &&
                        (static_cast<std::uint64_t>(number ^ groups.number) >> (p.shift + digit_bits)) == 0;
    return agrees ? 0 : -1;
  }
  // The first digit has none before it; and a shift by all bits would be undefined.
  if (p.is_first) return 0;
  const int shift = p.shift + digit_bits;
  for (int g = 0; g < groups.n; ++g)
    if ((key ^ groups.prefixes[g]) >> shift == 0) return g;
  return -1;
}

/// Keys are worth keeping once they are so few that writing and reading them takes less than reading all.
inline constexpr std::uint32_t worth_keeping = 4;

/// The last block of a row: chosen digits become the states of the next pass. For one thread.
__device__ __forceinline__ void extend_prefixes(const select_params& p, selection_state& s,
                                                const std::uint32_t (&digits)[most_selected],
                                                const std::uint32_t (&ranks)[most_selected],
                                                const std::uint32_t (&n_with_digit)[most_selected]) {
  if (p.by_number) {
    s.number |= digits[0] << p.shift;
    s.ranks[0] = ranks[0];
    s.is_done = p.shift == 0 || ranks[0] + 1 == n_with_digit[0];
    if (s.is_done) s.number |= (std::uint32_t{1} << p.shift) - 1;
    return;
  }
  std::uint64_t extended[most_selected];
  for (int i = 0; i < p.n_positions; ++i)
    extended[i] = (p.is_first ? 0 : s.prefixes[s.groups[i]]) | static_cast<std::uint64_t>(digits[i])
                                                                   << p.shift;
  std::uint32_t n = 0, n_keys = 0;
  for (int i = 0; i < p.n_positions; ++i) {
    if (i == 0 || extended[i] != extended[i - 1]) {
      s.prefixes[n++] = extended[i];
      n_keys += n_with_digit[i];
    }
    s.groups[i] = n - 1;
    s.ranks[i] = ranks[i];
  }
  s.n_groups = n;
  s.stored = !p.is_first && (s.stored || s.stores);
  s.stores = !s.stored && n_keys <= p.n / worth_keeping;
  s.number = 0;
  s.is_done = p.is_top && ranks[0] + 1 == n_with_digit[0];
  if (!s.is_done) return;
  s.prefixes[0] |= (std::uint64_t{1} << p.shift) - 1;
  s.number = ~std::uint32_t{0};
}

template<class K>
__global__ void __launch_bounds__(select_threads) select_digit(const __grid_constant__ select_params p) {
  wait_for_prior_grids();
  __shared__ unsigned counts[most_selected][n_digits];
  __shared__ selection_groups<K> groups;
  __shared__ std::uint32_t group_of_position[most_selected], rank_of_position[most_selected],
      digits[most_selected], ranks[most_selected], n_with_digit[most_selected], n_kept;
  __shared__ bool is_last;
  const std::uint32_t row = blockIdx.x / p.blocks_per_row, digit = threadIdx.x;
  selection_state& state = p.states[row];
  if (p.is_top && !p.is_first && state.is_done) return;
  const int n_groups = p.is_first ? 1 : static_cast<int>(state.n_groups);
  if (digit == 0) {
    groups.n = n_groups;
    groups.number = p.is_first ? 0 : state.number;
    n_kept = 0;
  }
  if (static_cast<int>(digit) < n_groups)
    groups.prefixes[digit] = p.is_first ? K(0) : static_cast<K>(state.prefixes[digit]);
  for (int g = 0; g < n_groups; ++g) counts[g][digit] = 0;
  __syncthreads();

  const bool keeps = !p.is_first && !p.by_number && state.stores;
  K* const kept = static_cast<K*>(p.kept) + static_cast<std::size_t>(blockIdx.x) * p.per_block;
  const auto count = [&](const K(&keys)[select_items], std::uint32_t first, std::uint32_t end) {
#pragma unroll
    for (int k = 0; k < select_items; ++k) {
      const std::uint32_t number = first + k * select_threads;
      if (p.is_first) {
        count_common_digit(counts[0], digit_of(keys[k], p.shift), number < end);
      } else if (number < end) {
        const int group = group_of(p, groups, keys[k], number);
        if (group < 0) continue;
        atomicAdd(&counts[group][p.by_number ? digit_of(number, p.shift) : digit_of(keys[k], p.shift)], 1u);
        if (keeps) kept[atomicAdd(&n_kept, 1u)] = keys[k];
      }
    }
  };
  if (!p.is_first && !p.by_number && state.stored) for_each_kept_key<K>(p, count);
  else for_each_key<K>(p, row, count);
  __syncthreads();
  if (keeps && digit == 0) p.n_kept[blockIdx.x] = n_kept;

  std::uint32_t* const of_row =
      p.counts + static_cast<std::size_t>(row) * static_cast<unsigned>(p.n_positions) * n_digits;
  for (int g = 0; g < n_groups; ++g)
    if (counts[g][digit] > 0) atomicAdd(&of_row[g * n_digits + digit], counts[g][digit]);
  __syncthreads();
  if (digit == 0) is_last = arrives_last(&p.counters[row], p.blocks_per_row);
  __syncthreads();
  if (!is_last) return;
  if (static_cast<int>(digit) < p.n_positions) {
    group_of_position[digit] = p.is_first ? 0 : state.groups[digit];
    rank_of_position[digit] = p.is_first ? p.positions[digit] : state.ranks[digit];
  }
  __syncthreads();

  for (int g = 0; g < n_groups; ++g) {
    const std::uint32_t count = of_row[g * n_digits + digit];
    of_row[g * n_digits + digit] = 0;
    const std::uint32_t before = sum_of_digits_before(count);
    for (int i = 0; i < p.n_positions; ++i) {
      if (static_cast<int>(group_of_position[i]) != g) continue;
      const std::uint32_t rank = rank_of_position[i];
      if (rank < before || rank - before >= count) continue;
      // One thread of the block comes here for each position.
      digits[i] = digit;
      ranks[i] = rank - before;
      n_with_digit[i] = count;
    }
    __syncthreads();
  }
  if (digit == 0) extend_prefixes(p, state, digits, ranks, n_with_digit);
  if (!p.out) return;
  __syncthreads();
  if (static_cast<int>(digit) >= p.n_positions) return;
  const std::uint64_t bits =
      kernel::bits_of_key(static_cast<std::uint64_t>(state.prefixes[state.groups[digit]]), p.source.rule);
  const std::size_t at = static_cast<std::size_t>(row) * static_cast<unsigned>(p.n_positions) + digit;
  if (p.source.item_bytes == 1) static_cast<std::uint8_t*>(p.out)[at] = static_cast<std::uint8_t>(bits);
  else if (p.source.item_bytes == 2)
    static_cast<std::uint16_t*>(p.out)[at] = static_cast<std::uint16_t>(bits);
  else if (p.source.item_bytes == 4)
    static_cast<std::uint32_t*>(p.out)[at] = static_cast<std::uint32_t>(bits);
  else static_cast<std::uint64_t*>(p.out)[at] = bits;
}

template<class K>
__global__ void __launch_bounds__(select_threads) mark_top(const __grid_constant__ mark_params p) {
  wait_for_prior_grids();
  const std::uint32_t row = blockIdx.x / p.blocks_per_row;
  const K bound = static_cast<K>(p.states[row].prefixes[0]);
  const std::uint32_t last = p.states[row].number;
  bool* const marks = p.marks + static_cast<std::size_t>(row) * p.n;
  for_each_key<K>(p, row, [&](const K(&keys)[select_items], std::uint32_t first, std::uint32_t end) {
#pragma unroll
    for (int k = 0; k < select_items; ++k) {
      const std::uint32_t number = first + k * select_threads;
      if (number < end) marks[number] = keys[k] < bound || (keys[k] == bound && number <= last);
    }
  });
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
