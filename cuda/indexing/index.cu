// Elements picked by number or by mask.
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/indexing/gather_kernels.cuh>
#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

__device__ __forceinline__ bool flag_at(const compact_params& p, std::uint32_t i, std::int64_t& input) {
  std::int64_t at[2];
  p.space.offsets(i, at);
  input = at[1];
  return p.mask[at[0]] != 0;
}

/// In every lane.
__device__ __forceinline__ int sum_of_warp(int count) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(0xffffffffu, count);
#else
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) count += __shfl_xor_sync(0xffffffffu, count, distance);
  return count;
#endif
}

__global__ void __launch_bounds__(index_threads) count_flags(const __grid_constant__ compact_params p) {
  wait_for_prior_grids();
  __shared__ int counts[index_threads / 32];
  const std::uint32_t begin = blockIdx.x * p.per_chunk, end = min(begin + p.per_chunk, p.size);
  int count = 0;
  std::int64_t unused;
  for (std::uint32_t i = begin + threadIdx.x; i < end; i += index_threads) count += flag_at(p, i, unused);
  count = sum_of_warp(count);
  if (threadIdx.x % 32 == 0) counts[threadIdx.x / 32] = count;
  __syncthreads();
  if (threadIdx.x == 0) {
    std::int64_t total = 0;
    for (const int n : counts) total += n;
    p.counts[p.first_chunk + blockIdx.x] = total;
  }
}

/// How many elements the chunks before this one select: every block adds up their counts.
__device__ __forceinline__ std::int64_t selected_before(const compact_params& p) {
  __shared__ unsigned long long total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  unsigned long long mine = 0;
  for (std::uint32_t c = threadIdx.x; c < p.first_chunk + blockIdx.x; c += index_threads) mine += p.counts[c];
  if (mine > 0) atomicAdd(&total, mine);
  __syncthreads();
  return static_cast<std::int64_t>(total);
}

template<class T>
__global__ void __launch_bounds__(index_threads) write_selected(const __grid_constant__ compact_params p) {
  wait_for_prior_grids();
  constexpr int warps = index_threads / 32;
  __shared__ int counts[2][warps];
  const std::uint32_t begin = blockIdx.x * p.per_chunk, end = min(begin + p.per_chunk, p.size);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  T* out = reinterpret_cast<T*>(p.out) + selected_before(p);
  int turn = 0;
  // The bounds are the block's, so that all of its threads meet at the barrier. Two buffers spare a second
  // one.
  for (std::uint32_t start = begin; start < end; start += index_threads, turn ^= 1) {
    const std::uint32_t i = start + threadIdx.x;
    std::int64_t input = 0;
    const bool flag = i < end && flag_at(p, i, input);
    const unsigned flags = __ballot_sync(0xffffffffu, flag);
    if (lane == 0) counts[turn][warp] = __popc(flags);
    __syncthreads();
    int before = 0, all = 0;
#pragma unroll
    for (int w = 0; w < warps; ++w) {
      if (w < static_cast<int>(warp)) before += counts[turn][w];
      all += counts[turn][w];
    }
    if (flag) {
      T* const to = out + before + __popc(flags & ((1u << lane) - 1));
      if (p.in) {
        *to = *reinterpret_cast<const T*>(p.in + input);
      } else if constexpr (sizeof(T) == sizeof(std::int64_t)) {
        *to = static_cast<T>(p.first + input);
      }
    }
    out += all;
  }
}

/// find(T{}) for elements T of so many bytes.
template<class Find>
const void* of_size(std::size_t item_bytes, Find find) {
  switch (item_bytes) {
    case 1:
      return find(std::uint8_t{});
    case 2:
      return find(std::uint16_t{});
    case 4:
      return find(std::uint32_t{});
    case 8:
      return find(std::uint64_t{});
    default:
      return find(sixteen_bytes{});
  }
}

template<class T, bool Scatters>
const void* index_kernel() {
  return reinterpret_cast<const void*>(&move_indexed<T, Scatters>);
}

template<class T>
const void* line_kernel() {
  return reinterpret_cast<const void*>(&gather_line<T>);
}

template<class T>
const void* placing_kernel() {
  return reinterpret_cast<const void*>(&place_winners<T>);
}

template<class T>
const void* compact_kernel() {
  return reinterpret_cast<const void*>(&write_selected<T>);
}

}  // namespace

const void* find_index_kernel(std::size_t item_bytes, bool scatters) {
  return of_size(item_bytes,
                 [=]<class T>(T) { return scatters ? index_kernel<T, true>() : index_kernel<T, false>(); });
}

const void* find_line_kernel(std::size_t item_bytes) {
  return of_size(item_bytes, []<class T>(T) { return line_kernel<T>(); });
}

const void* find_placing_kernel(std::size_t item_bytes) {
  return of_size(item_bytes, []<class T>(T) { return placing_kernel<T>(); });
}

const void* find_compact_kernel(std::size_t item_bytes) {
  return of_size(item_bytes, []<class T>(T) { return compact_kernel<T>(); });
}

const void* winner_kernel() { return reinterpret_cast<const void*>(&find_winners); }
const void* line_winner_kernel() { return reinterpret_cast<const void*>(&find_line_winners); }
const void* count_kernel() { return reinterpret_cast<const void*>(&count_flags); }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
