// Values put onto the places that numbers name, once both are sorted by place: runs of one place.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/reduction/reduce_state.cuh>
#include <cuda/sorting/combine_cores.cuh>
#include <cuda/sorting/combine_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// A warp walks through a tile of sorted values, 32 at a time, and puts the runs that lie in it onto their
/// places. What a tile has of a run that began before it, or goes on behind it, is left in `partials`.
template<class Core>
__global__ void __launch_bounds__(combine_threads) combine_sorted(const __grid_constant__ sorted_params p) {
  wait_for_prior_grids();
  using T = typename Core::element;
  using value = typename Core::value;
  constexpr int unroll = 4;
  constexpr unsigned all = 0xffffffffu;
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t tile = (blockIdx.x * combine_threads + threadIdx.x) / 32;
  const std::uint64_t begin = std::uint64_t{tile} * sorted_tile;
  if (begin >= p.n) return;
  const std::uint64_t end = min(begin + sorted_tile, std::uint64_t{p.n});
  const T* const values = static_cast<const T*>(p.values);
  value* const partials = static_cast<value*>(p.partials) + std::uint64_t{tile} * 2;
  std::uint32_t before = begin > 0 ? p.keys[begin - 1] : ~p.keys[0];  // the key in front of these 32
  bool began_before = begin > 0 && before == p.keys[begin];           // the run that is open
  value open = Core::identity();
  for (std::uint64_t first = begin; first < end; first += unroll * 32) {
    std::uint32_t keys[unroll], next[unroll];
    T terms[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      const std::uint64_t at = first + u * 32 + lane;
      keys[u] = at < end ? p.keys[at] : 0;
      next[u] = at + 1 < p.n ? p.keys[at + 1] : ~keys[u];
      terms[u] = at < end ? values[at] : T();
    }
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      const std::uint64_t at = first + u * 32 + lane;
      if (first + u * 32 >= end) break;
      const std::uint32_t left = __shfl_up_sync(all, keys[u], 1);
      const bool is_there = at < end, starts = is_there && keys[u] != (lane == 0 ? before : left);
      const unsigned starts_here = __ballot_sync(all, starts), up_to_me = starts_here & (all >> (31 - lane));
      const unsigned from = up_to_me ? 31 - __clz(up_to_me) : 0;  // where the lane's run begins among these
      value sum = is_there ? Core::include(Core::identity(), terms[u]) : Core::identity();
#pragma unroll
      for (unsigned step = 1; step < 32; step *= 2) {
        const value other = shuffle_up(sum, step);
        if (lane >= from + step) sum = Core::merge(other, sum);
      }
      if (!up_to_me) sum = Core::merge(open, sum);
      const bool of_earlier_tile = began_before && !up_to_me;
      const bool ends = is_there && next[u] != keys[u];
      if (ends && !of_earlier_tile) put_onto<Core>(static_cast<T*>(p.out)[keys[u]], sum);
      // The tile's part of a run that another tile has, too.
      if (of_earlier_tile && (ends || at + 1 == end)) partials[0] = sum;
      if (is_there && !of_earlier_tile && !ends && at + 1 == end) partials[1] = sum;
      open = shuffle_from(sum, 31);
      before = __shfl_sync(all, keys[u], 31);
      began_before = began_before && starts_here == 0;
    }
  }
}

/// A warp for each tile in which a run began that goes on behind it.
template<class Core>
__global__ void __launch_bounds__(combine_threads) finish_sorted(const __grid_constant__ sorted_params p) {
  wait_for_prior_grids();
  using T = typename Core::element;
  using value = typename Core::value;
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t tile = (std::uint64_t{blockIdx.x} * combine_threads + threadIdx.x) / 32;
  const std::uint64_t begin = tile * sorted_tile, end = begin + sorted_tile;
  if (end >= p.n) return;
  const std::uint32_t key = p.keys[end - 1];
  if (p.keys[end] != key || (begin > 0 && p.keys[begin - 1] == key)) return;
  std::uint64_t low = end, high = p.n;  // the run ends between them
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    if (p.keys[middle] == key) low = middle + 1;
    else high = middle;
  }
  const std::uint64_t last_tile = (low - 1) / sorted_tile;
  const value* const partials = static_cast<const value*>(p.partials);
  value sum = Core::identity();
#pragma unroll 8
  for (std::uint64_t t = tile + 1 + lane; t <= last_tile; t += 32) sum = Core::merge(sum, partials[t * 2]);
#pragma unroll
  for (unsigned step = 16; step > 0; step /= 2) sum = Core::merge(sum, shuffle_down(sum, step));
  if (lane == 0) put_onto<Core>(static_cast<T*>(p.out)[key], Core::merge(partials[tile * 2 + 1], sum));
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
