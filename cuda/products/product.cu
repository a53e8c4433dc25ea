// Matrix products of integers, which wrap, and of bools (or of ands): cuBLAS has none.
#include <cuda/device/elements.cuh>
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/products/matmul_params.hpp>
#include <kernel/arithmetic.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class T>
using product_part = T[product_depth][product_tile + 1];

/// The tiles of both matrices that a block multiplies, with zeros beyond the ends. Neighbouring threads read
/// neighbours along k of a, along n of b: rows of C-contiguous matrices.
template<class T>
__device__ __forceinline__ void load_tiles(const product_params& p, const char* a, const char* b,
                                           std::int64_t first_m, std::int64_t first_n, std::int64_t first_k,
                                           product_part<T>& a_tile, product_part<T>& b_tile) {
  for (int i = threadIdx.x; i < product_depth * product_tile; i += product_threads) {
    const int a_k = i % product_depth, a_m = i / product_depth, b_n = i % product_tile,
              b_k = i / product_tile;
    const bool a_inside = first_m + a_m < p.m && first_k + a_k < p.k;
    const bool b_inside = first_n + b_n < p.n && first_k + b_k < p.k;
    a_tile[a_k][a_m] =
        a_inside ? *reinterpret_cast<const T*>(a + (first_m + a_m) * p.a_row + (first_k + a_k) * p.a_column)
                 : T(0);
    b_tile[b_k][b_n] =
        b_inside ? *reinterpret_cast<const T*>(b + (first_k + b_k) * p.b_row + (first_n + b_n) * p.b_column)
                 : T(0);
  }
}

template<class T>
__global__ void __launch_bounds__(product_threads) product_kernel(const __grid_constant__ product_params p) {
  wait_for_prior_grids();
  // 16 x 16 threads, each with 4 x 4 results that stand 16 apart, so that a warp's reads of a tile are side
  // by side.
  constexpr int per_thread = product_tile / 16;
  __shared__ product_part<T> a_tile, b_tile;

  std::uint32_t tile_n = blockIdx.x;
  std::uint32_t tile_m = p.tiles_n.split(tile_n);
  std::uint32_t batch = p.tiles_m.split(tile_m);
  const char *a = p.a, *b = p.b;
  char* c = p.c;
  for (int d = p.batch.ndim - 1; d >= 0; --d) {
    std::uint32_t index = batch;
    batch = p.batch.shape[d].split(index);
    a += index * p.a_batch[d];
    b += index * p.b_batch[d];
    c += index * p.batch.strides[d];
  }
  const std::int64_t first_m = static_cast<std::int64_t>(tile_m) * product_tile;
  const std::int64_t first_n = static_cast<std::int64_t>(tile_n) * product_tile;
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;

  T sums[per_thread][per_thread];
#pragma unroll
  for (int i = 0; i < per_thread; ++i)
#pragma unroll
    for (int j = 0; j < per_thread; ++j) sums[i][j] = T(0);

  for (std::int64_t first_k = 0; first_k < p.k; first_k += product_depth) {
    load_tiles<T>(p, a, b, first_m, first_n, first_k, a_tile, b_tile);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < product_depth; ++k) {
#pragma unroll
      for (int i = 0; i < per_thread; ++i)
#pragma unroll
        for (int j = 0; j < per_thread; ++j)
          sums[i][j] =
              kernel::add(sums[i][j], kernel::multiply(a_tile[k][y + 16 * i], b_tile[k][x + 16 * j]));
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < per_thread; ++i)
#pragma unroll
    for (int j = 0; j < per_thread; ++j) {
      const std::int64_t row = first_m + y + 16 * i, column = first_n + x + 16 * j;
      if (row < p.m && column < p.n) reinterpret_cast<T*>(c)[row * p.n + column] = sums[i][j];
    }
}

}  // namespace

const void* find_product_kernel(dtype type) {
  if (kind(type) == 'b') return reinterpret_cast<const void*>(&product_kernel<bool>);
  if (!is_integer(type)) return nullptr;
  // Wrapping products have the same bits whether signed or not.
  switch (itemsize(type)) {
    case 1:
      return reinterpret_cast<const void*>(&product_kernel<unsigned char>);
    case 2:
      return reinterpret_cast<const void*>(&product_kernel<unsigned short>);
    case 4:
      return reinterpret_cast<const void*>(&product_kernel<unsigned>);
    default:
      return reinterpret_cast<const void*>(&product_kernel<unsigned long>);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
