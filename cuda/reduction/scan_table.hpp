// The kernels of scans.
#pragma once
#include <cuda/device/scan_params.hpp>
#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// tiles: a block for a row or a tile of one. short_rows, middle_rows: of up to scan_short_row and
/// scan_middle_row elements, with the bits that `tiles` gives. columns: one thread for each row, for rows
/// that lie side by side in memory; column_tiles: blocks share them. Of exact operations there are neither
/// short_rows nor columns.
struct scan_kernels {
  const void* tiles;
  const void* short_rows;
  const void* middle_rows;
  const void* columns;
  const void* column_tiles;
  std::size_t words;  // of a published total

  const void* of(scan_kernel kernel) const {
    const void* const all[] = {tiles, short_rows, middle_rows, columns, column_tiles};
    return all[static_cast<int>(kernel)];
  }
};

/// Of an exact operation the elements may have any dtype that it is defined for, else an accumulator's.
scan_kernels find_scan_kernels(scan op, dtype type);
scan_kernels find_extreme_scan_kernels(scan op, dtype type);
scan_kernels find_bit_scan_kernels(scan op, dtype type);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
