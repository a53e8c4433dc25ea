// The parameter block of the scan kernels.
#pragma once
#include <cuda/device/reduce_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int scan_threads = 256;
constexpr int scan_lanes(std::size_t size) { return size < 2 ? 8 : static_cast<int>(16 / size); }
/// Accesses in flight. Halves are added in float, which takes twice the registers.
constexpr int scan_unroll(std::size_t size) { return size < 4 ? 4 : 8; }
/// Elements that a block takes in at once.
constexpr int scan_tile(std::size_t size) { return scan_threads * scan_unroll(size) * scan_lanes(size); }
/// The totals of warps that each lane of one merges first.
constexpr int scan_totals_per_lane(std::size_t size) { return scan_unroll(size) * (scan_threads / 32) / 32; }
/// Elements of rows that a warp scans in one access, and that one scans as the warps of a block would.
constexpr int scan_short_row(std::size_t size) { return 32 * scan_lanes(size); }
constexpr int scan_middle_row(std::size_t size) { return scan_threads * scan_lanes(size); }
inline constexpr int short_rows_in_turn = 4;
/// Elements of one line that a thread has at once where neighbouring threads have neighbouring lines.
constexpr int scan_depth(std::size_t size) { return size <= 4 ? 16 : 8; }

/// What scan_kernels has.
enum class scan_kernel : std::uint8_t { tiles, short_rows, middle_rows, columns, column_tiles };

/// Of elements that are in no memory `in` is nothing, as are the strides of `rows`.
struct scan_params {
  const char* in;
  char* out;
  std::int64_t in_stride, out_stride;  // along the scan, in bytes
  std::int64_t n;                      // elements of a row
  std::uint32_t n_rows;
  // One block for each tile of a row; n_groups is 0 if a block scans a whole row.
  std::uint32_t n_tiles, n_groups, tiles_per_group;
  // [row][tile, then group][word]: totals as scan_kernels.cuh publishes them; zero before the launch. Of
  // columns [tile of lines][tile, then group][word][line].
  std::uint64_t* published;
  unsigned* counters;  // of blocks that have started, and of those that wait no more; zero before and after
  bool clears;         // the launch has to leave `published` at zero
  std::uint32_t n_words;  // in `published`
  bool side_by_side;      // both strides are the element size
  // Of short rows the threads that share one, of tiles of columns how many lines are in a tile: 2^log_group.
  std::uint8_t log_group;
  std::uint32_t column_tiles;  // tiles of lines
  index_space rows;            // strides in the input
  std::int64_t out_strides[max_ndim];
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
