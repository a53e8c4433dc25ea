// The parameter block of the scan kernels.
#pragma once
#include <cuda/device/reduce_params.hpp>
#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int scan_threads = 256;
constexpr int scan_lanes(std::size_t size) { return static_cast<int>(16 / size); }
/// Accesses in flight. Halves are added in float, which takes twice the registers.
constexpr int scan_unroll(std::size_t size) { return size < 4 ? 4 : 8; }
/// Elements that a block takes in at once.
constexpr int scan_tile(std::size_t size) { return scan_threads * scan_unroll(size) * scan_lanes(size); }

struct scan_params {
  const char* in;
  char* out;
  std::int64_t in_stride, out_stride;  // along the scan, in bytes
  std::int64_t n;                      // elements of a row
  std::uint32_t n_rows;
  // One block for each tile of a row; n_groups is 0 if a block scans a whole row.
  std::uint32_t n_tiles, n_groups, tiles_per_group;
  // [row][tile, then group][word]: totals as scan_kernels.cuh publishes them; zero before the launch.
  std::uint64_t* published;
  unsigned* counters;  // of blocks that have started, and of those that wait no more; zero before and after
  bool clears;         // the launch has to leave `published` at zero
  std::uint32_t n_words;  // in `published`
  bool side_by_side;      // both strides are the element size
  index_space rows;       // strides in the input
  std::int64_t out_strides[max_ndim];
};

/// columns: one thread for each row, for rows that lie side by side in memory.
struct scan_kernels {
  const void* tiles;
  const void* columns;
  std::size_t words;  // of a published total
};

scan_kernels find_scan_kernels(scan op, dtype type);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
