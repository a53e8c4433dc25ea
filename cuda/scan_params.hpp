// The parameter block of the scan kernels.
#pragma once
#include <core/plan.hpp>

#include "reduce_params.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int scan_threads = 256;
inline constexpr int scan_unroll = 4;
constexpr int scan_lanes(std::size_t size) { return static_cast<int>(16 / size); }
/// Elements that a block takes in at once.
constexpr int scan_tile(std::size_t size) { return scan_threads * scan_unroll * scan_lanes(size); }

struct scan_params {
  const char* in;
  char* out;
  std::int64_t in_stride, out_stride;  // along the scan, in bytes
  std::int64_t n;                      // elements of a row
  std::uint32_t n_rows;
  // One block for each tile of a row; n_groups is 0 if a block scans a whole row.
  std::uint32_t n_tiles, n_groups, tiles_per_group;
  void* totals;           // [row][tile], then [row][group], in the accumulator's type
  unsigned* flags;        // which totals are there, then one counter; zero before and after every launch
  std::uint32_t n_flags;  // of totals
  bool side_by_side;  // both strides are the element size
  index_space rows;   // strides in the input
  std::int64_t out_strides[max_ndim];
};

/// columns: one thread for each row, for rows that lie side by side in memory.
struct scan_kernels {
  const void* tiles;
  const void* columns;
  std::size_t accumulator_bytes;
};

scan_kernels find_scan_kernels(scan op, dtype type);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
