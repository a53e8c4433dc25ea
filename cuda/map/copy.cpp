// Recognises copies that are a block of bytes or a transposition.
#include <cuda/map/copy_params.hpp>
#include <cuda/runtime/launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

// Below this, where both arrays stay in a GPU's second-level cache, the kernel for contiguous rows is as fast
// as a copy of the driver's, cheaper to enqueue, and follows the work before it without a change of engines.
constexpr std::int64_t min_block_bytes = 4 << 20;
// Narrower transpositions leave most of a tile idle; the strided kernel and the caches are fast enough for
// them.
constexpr std::int64_t min_side = 8;

/// The dimension along which the input is contiguous; -1 if there is none.
int input_dimension(const loop_nest& nest, std::int64_t element) {
  for (int d = 0; d < nest.ndim - 1; ++d)
    if (nest.strides[1][d] == element) return d;
  return -1;
}

bool aligned(const transpose_params& p) {
  std::uint64_t all = reinterpret_cast<std::uintptr_t>(p.out) | reinterpret_cast<std::uintptr_t>(p.in) |
                      static_cast<std::uint64_t>(p.out_row) | static_cast<std::uint64_t>(p.in_row);
  for (int d = 0; d < p.batch_ndim; ++d)
    all |= static_cast<std::uint64_t>(p.out_batch[d]) | static_cast<std::uint64_t>(p.in_batch[d]);
  return all % 16 == 0;
}

bool transpose(const elementwise& e, const loop_nest& nest, queue q) {
  const auto element = static_cast<std::int64_t>(itemsize(e.loop));
  if (nest.ndim < 2 || nest.ndim - 2 > max_transpose_batch || nest.size > max_launch_size) return false;
  const int last = nest.ndim - 1, along = input_dimension(nest, element);
  if (along < 0 || nest.strides[0][last] != element || nest.strides[1][last] == element) return false;
  if (nest.shape[along] < min_side || nest.shape[last] < min_side) return false;

  transpose_params p;
  p.out = static_cast<char*>(e.out) + nest.offsets[0];
  p.in = static_cast<const char*>(e.in[0]->data) + nest.offsets[1];
  p.out_row = nest.strides[0][along];
  p.in_row = nest.strides[1][last];
  p.n_i = static_cast<std::uint32_t>(nest.shape[along]);
  p.n_j = static_cast<std::uint32_t>(nest.shape[last]);
  p.batch_ndim = 0;
  std::int64_t n_batch = 1;
  for (int d = 0; d < last; ++d) {
    if (d == along) continue;
    p.batch_shape[p.batch_ndim] = fast_divisor(static_cast<std::uint32_t>(nest.shape[d]));
    p.out_batch[p.batch_ndim] = nest.strides[0][d];
    p.in_batch[p.batch_ndim] = nest.strides[1][d];
    n_batch *= nest.shape[d];
    ++p.batch_ndim;
  }
  const auto size = static_cast<std::size_t>(element);
  const std::int64_t tiles_i = ceil_div(p.n_i, transpose_tile_i(size)),
                     tiles_j = ceil_div(p.n_j, transpose_tile_j(size));
  p.tiles_i = fast_divisor(static_cast<std::uint32_t>(tiles_i));
  p.tiles_j = fast_divisor(static_cast<std::uint32_t>(tiles_j));
  launch("transposed copy", find_transpose_kernel(size, aligned(p)), n_batch * tiles_i * tiles_j,
         transpose_threads(size), p, q);
  return true;
}

}  // namespace

bool run_copy(const elementwise& e, const loop_nest& nest, queue q) {
  const auto element = static_cast<std::int64_t>(itemsize(e.loop));
  const bool block = nest.ndim == 1 && nest.inner_stride(0) == element && nest.inner_stride(1) == element;
  if (!block) return transpose(e, nest, q);
  if (nest.size * element < min_block_bytes) return false;
  call<&rt::cudaMemcpyAsync>("copying an array", e.out, e.in[0]->data,
                             static_cast<std::size_t>(nest.size * element), cudaMemcpyDefault,
                             stream_of(q.stream));
  return true;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
