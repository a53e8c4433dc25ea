// Copies that need no arithmetic: whole blocks of bytes, and transpositions.
#pragma once
#include <cuda/device/division.hpp>
#include <cuda/device/loop_nest.hpp>
#include <cuda/map/elementwise.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

constexpr int transpose_threads(std::size_t size) { return size == 4 ? 512 : 256; }
/// Elements of a tile along the fastest index of the input (i) and of the output (j). Long rows of the input
/// are worth more than long rows of the output, whose pieces are joined in the cache.
constexpr int transpose_tile_i(std::size_t size) { return size < 4 ? 64 : size == 4 ? 128 : 32; }
constexpr int transpose_tile_j(std::size_t size) { return size < 4 ? 64 : 32; }
inline constexpr int max_transpose_batch = 6;

/// out[batch][i][j] = in[batch][j][i] where j is the fastest index of out, i that of in. Strides in bytes.
struct transpose_params {
  char* out;
  const char* in;
  std::int64_t out_row, in_row;  // from i to i + 1 in out, from j to j + 1 in in
  std::uint32_t n_i, n_j;
  fast_divisor tiles_i, tiles_j;
  int batch_ndim;
  fast_divisor batch_shape[max_transpose_batch];
  std::int64_t out_batch[max_transpose_batch], in_batch[max_transpose_batch];
};

/// The kernel for elements of `size` bytes (1, 2, 4, 8, 16); `vectors`: all rows are aligned to 16 bytes.
const void* find_transpose_kernel(std::size_t size, bool vectors);

/// Carries out a copy without conversion if it is a block of bytes or a transposition; false if it is
/// neither.
bool run_copy(const elementwise& e, const loop_nest& nest, queue q);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
