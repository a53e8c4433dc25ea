// Products of sparse matrices of few columns: a block sums one row in shared memory, one row of b after the
// other, so that the order of additions is that of a's entries.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sparse/sparse_params.hpp>
#include <kernel/arithmetic.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int product_words = product_shared_bytes / 4;

/// Bits of `columns` columns, then the sums of T, aligned to 16 bytes.
GPARRAY_FN std::int64_t bit_words(std::int64_t columns) { return (columns + 127) / 128 * 4; }

__device__ __forceinline__ void clear_words(unsigned* words, std::int64_t n) {
  for (std::int64_t i = threadIdx.x; i < n; i += sparse_threads) words[i] = 0;
}

template<class I>
__global__ void __launch_bounds__(sparse_threads) count_product(const __grid_constant__ product_params p) {
  wait_for_prior_grids();
  __shared__ unsigned bits[product_words];
  __shared__ int totals[sparse_threads];
  const std::int64_t n_words = bit_words(p.columns);
  const I* const a_indptr = static_cast<const I*>(p.a_indptr);
  const I* const a_indices = static_cast<const I*>(p.a_indices);
  const I* const b_indptr = static_cast<const I*>(p.b_indptr);
  const I* const b_indices = static_cast<const I*>(p.b_indices);
  clear_words(bits, n_words);
  __syncthreads();
  for (std::int64_t k = a_indptr[blockIdx.x]; k < a_indptr[blockIdx.x + 1]; ++k) {
    const I row = a_indices[k];
    for (std::int64_t j = b_indptr[row] + threadIdx.x; j < b_indptr[row + 1]; j += sparse_threads)
      atomicOr(&bits[b_indices[j] / 32], 1u << (b_indices[j] % 32));
  }
  __syncthreads();
  int count = 0;
  for (std::int64_t w = threadIdx.x; w < n_words; w += sparse_threads) count += __popc(bits[w]);
  totals[threadIdx.x] = count;
  __syncthreads();
  if (threadIdx.x != 0) return;
  std::int64_t total = 0;
  for (int i = 0; i < sparse_threads; ++i) total += totals[i];
  p.ends[blockIdx.x] = total;
}

template<class T, class I>
__global__ void __launch_bounds__(sparse_threads) write_product(const __grid_constant__ product_params p) {
  wait_for_prior_grids();
  // Of 16 bytes, so that sums of every type are aligned.
  struct alignas(16) chunk {
    unsigned words[4];
  };
  __shared__ chunk memory[product_words / 4];
  __shared__ int totals[sparse_threads];
  const std::int64_t n_words = bit_words(p.columns);
  unsigned* const bits = memory[0].words;
  T* const sums = reinterpret_cast<T*>(memory + n_words / 4);
  const I* const a_indptr = static_cast<const I*>(p.a_indptr);
  const I* const a_indices = static_cast<const I*>(p.a_indices);
  const I* const b_indptr = static_cast<const I*>(p.b_indptr);
  const I* const b_indices = static_cast<const I*>(p.b_indices);
  const T* const a_data = static_cast<const T*>(p.a_data);
  const T* const b_data = static_cast<const T*>(p.b_data);
  clear_words(bits, n_words);
  for (std::int64_t k = a_indptr[blockIdx.x]; k < a_indptr[blockIdx.x + 1]; ++k) {
    __syncthreads();  // two rows of b may have a column in common
    const I row = a_indices[k];
    const T factor = a_data[k];
    for (std::int64_t j = b_indptr[row] + threadIdx.x; j < b_indptr[row + 1]; j += sparse_threads) {
      const I c = b_indices[j];
      const unsigned bit = 1u << (c % 32);
      const T term = kernel::multiply(factor, b_data[j]);
      sums[c] = atomicOr(&bits[c / 32], bit) & bit ? kernel::add(sums[c], term) : term;
    }
  }
  __syncthreads();
  // Each thread writes the columns of neighbouring words, behind those of the threads before it.
  const std::int64_t per_thread = (n_words + sparse_threads - 1) / sparse_threads;
  const std::int64_t first = threadIdx.x * per_thread;
  const std::int64_t last = first + per_thread < n_words ? first + per_thread : n_words;
  int count = 0;
  for (std::int64_t w = first; w < last; ++w) count += __popc(bits[w]);
  totals[threadIdx.x] = count;
  __syncthreads();
  std::int64_t to = blockIdx.x > 0 ? p.ends[blockIdx.x - 1] : 0;
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) static_cast<I*>(p.indptr)[0] = 0;
    static_cast<I*>(p.indptr)[blockIdx.x + 1] = static_cast<I>(p.ends[blockIdx.x]);
  }
  for (unsigned i = 0; i < threadIdx.x; ++i) to += totals[i];
  for (std::int64_t w = first; w < last; ++w) {
    for (unsigned word = bits[w]; word != 0; word &= word - 1) {
      const std::int64_t c = 32 * w + __ffs(static_cast<int>(word)) - 1;
      static_cast<I*>(p.indices)[to] = static_cast<I>(c);
      static_cast<T*>(p.data)[to++] = sums[c];
    }
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
