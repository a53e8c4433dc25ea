// Many values added onto the few places that numbers name. In a fixed order: values are sorted into buckets
// of places, each warp of a block adds up every so many of them in shared memory, lanes of one place in turn,
// and what warps and blocks have is put together in order. Or, where the order makes no difference, by atomic
// additions.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sorting/combine_cores.cuh>
#include <cuda/sorting/combine_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

static __global__ void __launch_bounds__(combine_threads) make_keys(const __grid_constant__ key_params p) {
  wait_for_prior_grids();
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * combine_threads + threadIdx.x;
  if (i < p.n) p.keys[i] = static_cast<std::uint32_t>(counted_from_end(p.numbers[i], p.n_bins));
}

/// A warp for each edge. Its lanes look at 32 keys at a time, which leave a thirty-second of those before.
static __global__ void __launch_bounds__(combine_threads) find_edges(const __grid_constant__ edge_params p) {
  wait_for_prior_grids();
  const std::uint32_t edge = (blockIdx.x * combine_threads + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (edge >= p.n_edges) return;
  std::uint32_t low = 0, high = p.n;
  while (low < high) {
    const std::uint32_t step = (high - low + 31) / 32, at = low + lane * step + (step - 1);
    const bool is_before = at < high && p.keys[at] >> bucket_bits < edge;
    const auto n_before = static_cast<std::uint32_t>(__popc(__ballot_sync(0xffffffffu, is_before)));
    // The edge lies behind n_before of the keys looked at, and not behind the next one.
    const std::uint32_t next = low + n_before * step;
    high = min(high, next + (step - 1));
    low = min(next, high);
  }
  if (lane == 0) p.edges[edge] = low;
}

/// A block adds up a chunk of the values, bucket by bucket. What is a whole bucket goes to its places.
template<class Core>
__global__ void __launch_bounds__(combine_threads) add_chunks(const __grid_constant__ chunk_params p) {
  wait_for_prior_grids();
  using T = typename Core::element;
  using value = typename Core::value;
  constexpr unsigned n_warps = combine_warps(sizeof(value)), n_threads = 32 * n_warps;
  constexpr int unroll = 4;
  __shared__ value sums[n_warps][bucket_bins];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const T* const values = static_cast<const T*>(p.values);
  const std::uint32_t begin = blockIdx.x * p.chunk, end = min(begin + p.chunk, p.n);
  std::uint32_t bucket = p.keys ? p.keys[begin] >> bucket_bits : 0;
  for (std::uint32_t first = begin; first < end; ++bucket) {
    const std::uint32_t bucket_begin = p.edges ? p.edges[bucket] : 0,
                        bucket_end = p.edges ? p.edges[bucket + 1] : p.n, stop = min(bucket_end, end);
    if (stop <= first) continue;
    for (unsigned b = lane; b < bucket_bins; b += 32) sums[warp][b] = Core::identity();
    __syncwarp();
    for (std::uint32_t i = first + warp * 32; i < stop; i += unroll * n_threads) {
      unsigned keys[unroll];
      T terms[unroll];
#pragma unroll
      for (int u = 0; u < unroll; ++u) {
        const std::uint32_t at = i + u * n_threads + lane;
        keys[u] = bucket_bins + lane;  // nobody else's
        terms[u] = T();
        if (at >= stop) continue;
        keys[u] = p.keys ? p.keys[at] % bucket_bins
                         : static_cast<unsigned>(counted_from_end(p.numbers[at], p.n_bins));
        terms[u] = values[at];
      }
#pragma unroll
      for (int u = 0; u < unroll; ++u) {
        include_in_turn<Core>(sums[warp], keys[u], keys[u] < bucket_bins, terms[u]);
      }
    }
    __syncthreads();
    const bool begins_here = bucket_begin >= begin, is_whole = begins_here && bucket_end <= end;
    for (unsigned b = threadIdx.x; b < bucket_bins; b += n_threads) {
      const std::uint32_t place = bucket * bucket_bins + b;
      if (place >= p.n_bins) break;
      value sum = sums[0][b];
      for (unsigned w = 1; w < n_warps; ++w) sum = kernel::add(sum, sums[w][b]);
      if (is_whole) {
        put_onto<Core>(static_cast<T*>(p.out)[place], sum);
      } else {
        static_cast<value*>(p.partials)[(blockIdx.x * 2 + begins_here) * bucket_bins + b] = sum;
      }
    }
    __syncthreads();
    first = stop;
  }
}

/// The places of buckets that several chunks share. Threads of one place take neighbouring chunks.
template<class Core>
__global__ void __launch_bounds__(combine_threads) finish_places(const __grid_constant__ chunk_params p) {
  wait_for_prior_grids();
  using T = typename Core::element;
  using value = typename Core::value;
  __shared__ value of_parts[finish_parts][finished_bins];
  const std::uint32_t place = blockIdx.x * finished_bins + threadIdx.x % finished_bins,
                      part = threadIdx.x / finished_bins, bucket = place >> bucket_bits;
  const std::uint32_t begin = p.edges ? p.edges[bucket] : 0, end = p.edges ? p.edges[bucket + 1] : p.n;
  if (begin == end) return;  // as for all of the block: its places are in one bucket
  const std::uint32_t chunk = begin / p.chunk, n_chunks = (end - 1) / p.chunk - chunk + 1;
  if (n_chunks == 1) return;
  const value* const partials = static_cast<const value*>(p.partials) + place % bucket_bins;
  const std::uint32_t per_part = (n_chunks + finish_parts - 1) / finish_parts, from = part * per_part,
                      to = min(from + per_part, n_chunks);
  value sum = Core::identity();
#pragma unroll 8
  for (std::uint32_t i = from; i < to; ++i)
    sum = kernel::add(sum, partials[((chunk + i) * 2 + (i == 0)) * bucket_bins]);
  of_parts[part][threadIdx.x % finished_bins] = sum;
  __syncthreads();
  if (part > 0 || place >= p.n_bins) return;
  for (int i = 1; i < finish_parts; ++i) sum = kernel::add(sum, of_parts[i][threadIdx.x]);
  put_onto<Core>(static_cast<T*>(p.out)[place], sum);
}

/// T: what atomicAdd takes.
template<class T>
__global__ void __launch_bounds__(combine_threads) add_atomically(const __grid_constant__ atomic_params p) {
  wait_for_prior_grids();
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * combine_threads + threadIdx.x;
  if (i >= p.size) return;
  const std::int64_t row = p.inner == 1 ? i : i / p.inner;
  atomicAdd(
      static_cast<T*>(p.out) + counted_from_end(p.numbers[row], p.n_bins) * p.inner + (i - row * p.inner),
      static_cast<const T*>(p.values)[i]);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
