// Two runs in order become one (merge path; Green, McColl and Bader 2012): of each tile of the result it is
// found first what it has of either run, then a block merges that in its own memory.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sorting/merge_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Whether y, of the second run, comes before x, of the first. T are the bits of real elements, or complex.
template<class T, bool WithNumbers>
__device__ __forceinline__ bool overtakes(T y, T x, const kernel::sort_rule& rule) {
  if constexpr (kernel::is_complex<T>) return kernel::sorts_before(y, x);
  else if constexpr (WithNumbers) return kernel::tie_key_of_bits(y, rule) < kernel::tie_key_of_bits(x, rule);
  else return kernel::key_of_bits(y, rule) < kernel::key_of_bits(x, rule);
}

/// How many of the first k elements of the merge come from the first run; overtakes(y, x) as above.
template<class T, class N, class Overtakes>
__device__ __forceinline__ N from_first_run(const T* a, N n_a, const T* b, N n_b, N k, Overtakes overtakes) {
  N low = k > n_b ? k - n_b : 0, high = k < n_a ? k : n_a;
  while (low < high) {
    const N middle = low + (high - low) / 2;
    if (overtakes(b[k - middle - 1], a[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

template<class T, bool WithNumbers>
__global__ void __launch_bounds__(merge_threads) find_merge_cuts(const __grid_constant__ merge_params p) {
  wait_for_prior_grids();
  constexpr std::int64_t tile = merge_tile<T>;
  const std::int64_t n = p.a.n + p.b.n, i = std::int64_t{blockIdx.x} * merge_threads + threadIdx.x;
  if ((i - 1) * tile >= n) return;
  p.cuts[i] = from_first_run(static_cast<const T*>(p.a.elements), p.a.n, static_cast<const T*>(p.b.elements),
                             p.b.n, i * tile < n ? i * tile : n,
                             [&](T y, T x) { return overtakes<T, WithNumbers>(y, x, p.rule); });
}

template<class T, bool WithNumbers>
__global__ void __launch_bounds__(merge_threads) merge_tiles(const __grid_constant__ merge_params p) {
  wait_for_prior_grids();
  constexpr int items = merged_by_thread<T>, tile = merge_tile<T>;
  // Each element becomes a key once; not where zeros of either sign are equal, and would become the same.
  constexpr bool by_key = !WithNumbers && !kernel::is_complex<T>;
  const auto before = [&](T y, T x) {
    if constexpr (by_key) return y < x;
    else return overtakes<T, WithNumbers>(y, x, p.rule);
  };
  __shared__ T elements[tile];
  __shared__ std::uint16_t sources[WithNumbers ? tile : 1];  // where in `elements` each one of the result was
  const std::int64_t begin = std::int64_t{blockIdx.x} * tile, left = p.a.n + p.b.n - begin,
                     begin_a = p.cuts[blockIdx.x], begin_b = begin - begin_a;
  const int n = left < tile ? static_cast<int>(left) : tile,
            n_a = static_cast<int>(p.cuts[blockIdx.x + 1] - begin_a), n_b = n - n_a;
  const T *const a = static_cast<const T*>(p.a.elements) + begin_a, *const b =
                                                                        static_cast<const T*>(p.b.elements) +
                                                                        begin_b - n_a;
  T mine[items];
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const int i = k * merge_threads + static_cast<int>(threadIdx.x);
    if (i < n) mine[k] = i < n_a ? a[i] : b[i];
  }
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const int i = k * merge_threads + static_cast<int>(threadIdx.x);
    if (i >= n) break;
    if constexpr (by_key) elements[i] = kernel::key_of_bits(mine[k], p.rule);
    else elements[i] = mine[k];
  }
  __syncthreads();

  const int first = static_cast<int>(threadIdx.x) * items, at = first < n ? first : n;
  int from_a = from_first_run(elements, n_a, elements + n_a, n_b, at, before), from_b = n_a + at - from_a;
  int taken[WithNumbers ? items : 1];
  // What a run has no more of is not looked at.
  T x = elements[from_a < n_a ? from_a : 0], y = elements[from_b < n ? from_b : 0];
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const bool second = from_b < n && (from_a >= n_a || before(y, x));
    mine[k] = second ? y : x;
    if constexpr (WithNumbers) taken[k] = second ? from_b : from_a;
    const int next = second ? ++from_b : ++from_a;
    const T element = elements[next < n ? next : 0];
    if (second) y = element;
    else x = element;
  }
  if constexpr (WithNumbers) {
#pragma unroll
    for (int k = 0; k < items; ++k)
      if (first + k < n) sources[first + k] = static_cast<std::uint16_t>(taken[k]);
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < items; ++k)
    if (first + k < n) elements[first + k] = mine[k];
  __syncthreads();
  T* const out = static_cast<T*>(p.out) + begin;
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const int i = k * merge_threads + static_cast<int>(threadIdx.x);
    if (i >= n) break;
    if constexpr (by_key) out[i] = kernel::bits_of_key(elements[i], p.rule);
    else out[i] = elements[i];
    if constexpr (WithNumbers) {
      const int source = sources[i];
      p.numbers[begin + i] =
          source < n_a ? p.a.numbers[begin_a + source] : p.b.numbers[begin_b + source - n_a];
    }
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
