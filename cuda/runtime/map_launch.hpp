// What the dimensions of a map decide in the parameters of its kernels, ahead-of-time and generated ones
// alike.
#pragma once
#include <algorithm>
#include <bit>

#include <cuda/device/loop_nest.hpp>
#include <cuda/device/map_params.hpp>
#include <cuda/runtime/direction.hpp>
#include <cuda/runtime/launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

// Shorter rows fill vector lanes badly; the strided kernel reads them just as coalesced.
inline constexpr std::int64_t min_row = 32;

/// Whether the output is rows of side-by-side elements that the vector kernel can walk along.
inline bool has_rows(const loop_nest& nest, dtype out) {
  if (nest.ndim - 1 > max_outer || (nest.ndim > 1 && nest.inner_size() < min_row)) return false;
  return nest.ndim == 0 || nest.inner_stride(0) == static_cast<std::int64_t>(itemsize(out));
}

/// Locating a row takes a thread as long as the row's own work: where there would be so many blocks of
/// threads with fewer, each thread has several rows. More where rows have operands in common.
struct several_rows {
  std::uint32_t most;
  std::int64_t plenty;
};
inline constexpr several_rows two_rows{2, 8192}, common_rows{4, 4096};

/// Fills everything but in, modes and constants; `out` is where the whole nest begins. Returns the number of
/// blocks.
template<int Slots, int Numbers>
std::int64_t set_rows(vector_params<Slots, Numbers>& p, const loop_nest& nest, void* out, int lanes,
                      several_rows several = two_rows) {
  const auto columns = static_cast<std::uint32_t>(nest.inner_size());
  p.out = static_cast<char*>(out) + nest.offsets[0];
  p.n_columns = columns;
  p.n_rows = static_cast<std::uint32_t>(nest.size / columns);
  p.backwards = nest.ndim > 0 && goes_backwards(nest.size * nest.inner_stride(0));
  p.n_outer = static_cast<std::uint8_t>(nest.ndim > 1 ? nest.ndim - 1 : 0);
  for (int d = 0; d < p.n_outer; ++d) {
    p.outer[d] = fast_divisor(static_cast<std::uint32_t>(nest.shape[d]));
    p.out_strides[d] = nest.strides[0][d];
    for (int i = 1; i < nest.n_operands; ++i) p.in_strides[i - 1][d] = nest.strides[i][d];
  }
  // A row may begin up to lanes - 1 elements after an aligned address, if not all begin at one.
  const auto per_thread = static_cast<std::uint32_t>(lanes);
  const std::int64_t pack = nest.ndim > 0 ? lanes * nest.inner_stride(0) : lanes;
  const bool are_aligned = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(p.out)) % pack == 0 &&
                           std::all_of(p.out_strides, p.out_strides + p.n_outer,
                                       [pack](std::int64_t stride) { return stride % pack == 0; });
  const std::uint32_t packs = (columns + (are_aligned ? 1 : 2) * (per_thread - 1)) / per_thread;
  const int log_threads = packs >= map_threads ? log_map_threads : std::bit_width(packs - 1);
  p.log_threads = static_cast<std::uint8_t>(log_threads);
  const std::uint32_t tiles = (packs + (1u << log_threads) - 1) >> log_threads;
  p.tiles = fast_divisor(tiles);
  const auto blocks = [&] {
    return ceil_div(p.n_rows, p.rows_per_thread * (map_threads >> log_threads)) * tiles;
  };
  p.rows_per_thread = 1;
  while (p.rows_per_thread < std::min(several.most, p.n_rows) && blocks() >= several.plenty)
    p.rows_per_thread *= 2;
  return blocks();
}

/// How the threads of interleaved_map share the rows that set_rows has laid out; returns the number of
/// blocks.
template<class Params>
std::int64_t set_interleaved(Params& p, int lanes) {
  const std::uint32_t warp_columns = 32 * static_cast<std::uint32_t>(lanes);
  const std::uint32_t warps = (p.n_columns + warp_columns - 1) / warp_columns;
  int log_warps = warps >= 8 ? 3 : std::bit_width(warps - 1);
  p.turns = 1;
  const auto blocks = [&] {
    p.log_threads = static_cast<std::uint8_t>(5 + log_warps);
    const std::uint32_t columns = (warp_columns << log_warps) * p.turns;
    p.tiles = fast_divisor((p.n_columns + columns - 1) / columns);
    return ceil_div(p.n_rows, map_threads >> p.log_threads) * p.tiles.divisor;
  };
  // Locating a row takes a thread as long as several elements: where there are enough threads, each goes on.
  const std::int64_t plenty = lanes > 4 ? 2048 : 4096;
  const std::uint32_t most_turns = std::max(8u, 32 / static_cast<std::uint32_t>(lanes));
  while (p.turns < most_turns && blocks() >= plenty) {
    if (p.tiles.divisor == 1) {
      if (log_warps == 0) break;
      --log_warps;
    }
    p.turns *= 2;
  }
  return blocks();
}

/// How the threads of stencil_map, of so many rows at a time each, share the rows that set_rows has laid out;
/// returns the number of blocks.
template<class Params>
std::int64_t set_stencil(Params& p, int rows) {
  const std::uint32_t n_along = p.outer[p.n_outer - 1].divisor;
  const int log_threads = p.n_columns >= map_threads ? log_map_threads : std::bit_width(p.n_columns - 1);
  p.log_threads = static_cast<std::uint8_t>(log_threads);
  p.tiles = fast_divisor(static_cast<std::uint32_t>(ceil_div(p.n_columns, 1 << p.log_threads)));
  // The rows at both ends of a band are loaded for the bands beside it, too: a thread goes on while there are
  // enough of them.
  constexpr std::int64_t plenty = 1024;
  const auto blocks = [&] {
    p.bands = fast_divisor(static_cast<std::uint32_t>(ceil_div(n_along, rows * static_cast<int>(p.turns))));
    p.n_bands = p.n_rows / n_along * p.bands.divisor;
    return ceil_div(p.n_bands, map_threads >> p.log_threads) * p.tiles.divisor;
  };
  for (p.turns = 4; p.turns > 1 && blocks() < plenty;) p.turns /= 2;
  return blocks();
}

/// Fills out, size, ndim, shape and strides; returns the number of blocks.
template<int Slots, int Dims, int Numbers>
std::int64_t set_strided(strided_params<Slots, Dims, Numbers>& p, const loop_nest& nest, void* out) {
  p.out = static_cast<char*>(out) + nest.offsets[0];
  p.size = static_cast<std::uint32_t>(nest.size);
  p.ndim = static_cast<std::uint8_t>(nest.ndim);
  for (int d = 0; d < nest.ndim; ++d) {
    p.shape[d] = fast_divisor(static_cast<std::uint32_t>(nest.shape[d]));
    p.out_strides[d] = nest.strides[0][d];
    for (int i = 1; i < nest.n_operands; ++i) p.in_strides[i - 1][d] = nest.strides[i][d];
  }
  return ceil_div(nest.size, map_threads);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
