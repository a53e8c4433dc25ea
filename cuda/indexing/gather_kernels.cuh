// Elements picked by number.
#pragma once
#include <cuda/device/block_order.cuh>
#include <cuda/device/index_params.hpp>
#include <cuda/device/programmatic_launch.cuh>
#include <kernel/index_wrap.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct alignas(16) sixteen_bytes {
  unsigned long long words[2];
};

__device__ __forceinline__ std::int64_t number_at(const char* index, std::int64_t offset, std::int64_t wrap) {
  return kernel::wrapped_index(*reinterpret_cast<const std::int64_t*>(index + offset), wrap);
}

/// The number, or the first one if it is outside.
__device__ __forceinline__ std::int64_t checked(const number_check& c, std::int64_t number, bool& outside) {
  if (!c.counters || static_cast<std::uint64_t>(number - c.first) < static_cast<std::uint64_t>(c.count))
    return number;
  outside = true;
  return c.first;
}

/// For all threads of all blocks.
__device__ __forceinline__ void report_outside(const number_check& c, bool outside) {
  if (!c.counters) return;
  const int any = __syncthreads_or(outside);
  if (threadIdx.x != 0) return;
  unsigned* const found = c.counters + 1;
  if (any) store_shared_word(found, 1u);
  if (!arrives_last(c.counters) || !c.any_outside) return;
  *static_cast<volatile std::int32_t*>(c.any_outside) = static_cast<std::int32_t>(load_shared_word(found));
  *found = 0;
}

/// A word that is not read again, so it is not kept in the caches.
__device__ __forceinline__ std::int64_t load_once(const std::int64_t* from) {
#if defined(__CUDA_ARCH__)
  return __ldcs(from);
#else
  return *from;
#endif
}

template<class T, bool Scatters>
__global__ void __launch_bounds__(index_threads) move_indexed(const __grid_constant__ index_params p) {
  wait_for_prior_grids();
  const std::uint32_t i = blockIdx.x * index_threads + threadIdx.x;
  bool outside = false;
  if (i < p.size) {
    std::int64_t at[4];
    p.space.offsets(i, at);
    std::int64_t number = number_at(p.index, at[2], p.wrap);
    if (!Scatters) number = checked(p.check, number, outside);
    const std::int64_t offset = number * p.stride;
    if (!Scatters || !p.winners || p.winners[number - p.check.first] == p.rank + at[3])
      *reinterpret_cast<T*>(p.to + at[0] + (Scatters ? offset : 0)) =
          *reinterpret_cast<const T*>(p.from + at[1] + (Scatters ? 0 : offset));
  }
  if (!Scatters) report_outside(p.check, outside);
}

// The largest rank is the same whatever the order of the threads.
static __global__ void __launch_bounds__(index_threads)
    find_winners(const __grid_constant__ winner_params p) {
  wait_for_prior_grids();
  const std::uint32_t i = blockIdx.x * index_threads + threadIdx.x;
  if (i >= p.size) return;
  std::int64_t at[1];
  p.space.offsets(i, at);
  atomicMax(&p.winners[number_at(p.index, at[0], p.wrap) - p.first], i + 1);
}

/// The same of numbers that lie side by side: a thread first issues all loads.
static __global__ void __launch_bounds__(index_threads)
    find_line_winners(const __grid_constant__ winner_params p) {
  wait_for_prior_grids();
  const auto* const index = reinterpret_cast<const std::int64_t*>(p.index);
  const std::uint32_t first = blockIdx.x * (index_threads * line_items) + threadIdx.x;
  std::int64_t numbers[line_items];
#pragma unroll
  for (int k = 0; k < line_items; ++k) {
    const std::uint32_t i = first + k * index_threads;
    numbers[k] = i < p.size ? load_once(index + i) : 0;
  }
#pragma unroll
  for (int k = 0; k < line_items; ++k) {
    const std::uint32_t i = first + k * index_threads;
    if (i < p.size) atomicMax(&p.winners[kernel::wrapped_index(numbers[k], p.wrap) - p.first], i + 1);
  }
}

/// What move_indexed writes, place by place instead of value by value: nothing is written in no order, which
/// costs memory more than to read so, and the numbers are not read again.
template<class T>
__global__ void __launch_bounds__(index_threads) place_winners(const __grid_constant__ placing_params p) {
  wait_for_prior_grids();
  const std::uint32_t first = blockIdx.x * (index_threads * line_items) + threadIdx.x;
  unsigned winners[line_items];
#pragma unroll
  for (int k = 0; k < line_items; ++k) {
    const std::uint32_t i = first + k * index_threads;
    winners[k] = i < p.size ? p.winners[i] : 0;
  }
  T values[line_items];
#pragma unroll
  for (int k = 0; k < line_items; ++k)
    if (winners[k] != 0)
      values[k] = *reinterpret_cast<const T*>(p.from + (winners[k] - std::int64_t{1}) * p.from_stride);
#pragma unroll
  for (int k = 0; k < line_items; ++k) {
    const std::int64_t i = first + k * index_threads;
    if (winners[k] != 0) *reinterpret_cast<T*>(p.to + i * p.to_stride) = values[k];
  }
}

/// Each thread first issues all loads of its indices, then all loads of its elements.
template<class T>
__global__ void __launch_bounds__(index_threads) gather_line(const __grid_constant__ line_params p) {
  wait_for_prior_grids();
  const std::uint32_t first = blockIdx.x * (index_threads * line_items) + threadIdx.x;
  bool outside = false;
  std::int64_t numbers[line_items];
#pragma unroll
  for (int k = 0; k < line_items; ++k) {
    const std::uint32_t i = first + k * index_threads;
    numbers[k] = i >= p.size ? p.check.first : load_once(p.index + i);
  }
  T values[line_items];
#pragma unroll
  for (int k = 0; k < line_items; ++k) {
    const std::int64_t number = checked(p.check, kernel::wrapped_index(numbers[k], p.wrap), outside);
    values[k] = *reinterpret_cast<const T*>(p.from + number * p.stride);
  }
#pragma unroll
  for (int k = 0; k < line_items; ++k) {
    const std::uint32_t i = first + k * index_threads;
    if (i < p.size) static_cast<T*>(p.to)[i] = values[k];
  }
  report_outside(p.check, outside);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
