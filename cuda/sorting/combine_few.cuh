// Values put onto the places that numbers name where there are so few of both that each block can look at all
// numbers for those of its own places: no sort, and one kernel.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sorting/combine_cores.cuh>
#include <cuda/sorting/combine_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// A block has few_places neighbouring elements of the result, and each of its warps every so many of the
/// numbers, in its own sums. A place's values meet in the order of their numbers within a warp, then in that
/// of the warps.
template<class Core>
__global__ void __launch_bounds__(few_threads) combine_few(const __grid_constant__ few_params p) {
  wait_for_prior_grids();
  using T = typename Core::element;
  using value = typename Core::value;
  constexpr unsigned n_warps = few_threads / 32, all = 0xffffffffu;
  constexpr int unroll = 4;
  __shared__ value of_warps[n_warps][few_places];
  const T* const values = static_cast<const T*>(p.values);
  const unsigned lane = threadIdx.x % 32;
  value* const sums = of_warps[threadIdx.x / 32];
  const std::uint32_t first = blockIdx.x * few_places, last = min(first + few_places, p.n_out) - 1,
                      first_row = first / p.inner, n_rows = last / p.inner - first_row + 1;
  for (unsigned k = lane; k < few_places; k += 32) sums[k] = Core::identity();
  __syncwarp();
  for (std::uint32_t begin = threadIdx.x; begin - lane < p.n; begin += unroll * few_threads) {
    std::uint32_t rows[unroll];  // of this block's; or nobody's
    T terms[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      const std::uint32_t at = begin + u * few_threads;
      rows[u] = at < p.n ? static_cast<std::uint32_t>(counted_from_end(p.numbers[at], p.n_places)) - first_row
                         : all;
    }
#pragma unroll
    for (int u = 0; u < unroll; ++u)
      terms[u] = p.inner == 1 && rows[u] < n_rows ? values[begin + u * few_threads] : T();
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      const bool is_here = rows[u] < n_rows;
      unsigned here = __ballot_sync(all, is_here);
      if (here == 0) continue;
      if (p.inner == 1) {
        include_in_turn<Core>(sums, is_here ? rows[u] : few_places + lane, is_here, terms[u]);
        continue;
      }
      for (; here != 0; here &= here - 1) {  // slices, one after the other: a lane for each element
        const unsigned from = __ffs(static_cast<int>(here)) - 1;
        const std::uint32_t row = __shfl_sync(all, rows[u], from) + first_row,
                            begin_of_row = max(row * p.inner, first),
                            end_of_row = min((row + 1) * p.inner, last + 1);
        const std::int64_t at = std::int64_t{begin - lane + u * few_threads + from} * p.inner - row * p.inner;
        for (std::uint32_t out = begin_of_row + lane; out < end_of_row; out += 32)
          sums[out - first] = Core::include(sums[out - first], values[at + out]);
        __syncwarp();
      }
    }
  }
  __syncthreads();
  const std::uint32_t out = first + threadIdx.x;
  if (threadIdx.x >= few_places || out > last) return;
  value sum = of_warps[0][threadIdx.x];
  for (unsigned w = 1; w < n_warps; ++w) sum = Core::merge(sum, of_warps[w][threadIdx.x]);
  put_onto<Core>(static_cast<T*>(p.out)[out], sum);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
