// QR factorisations of small matrices: what the kernels are given, and how large a matrix may be.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>
#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Matrices in column-major order, one after the other, one block for each.
struct small_qr_params {
  void* matrices;
  void* taus;  // `reflectors` for each matrix
  std::int32_t rows, columns, reflectors;
};

/// Columns that a warp has; the block has as many warps as that takes.
inline constexpr int columns_of_warp = 4;
/// Rows and columns: as much as the registers of 1024 threads hold.
inline constexpr std::int64_t largest_small_qr(dtype type) { return type == dtype::complex128 ? 64 : 128; }

inline constexpr int small_qr_threads(std::int64_t columns) {
  return static_cast<int>((columns + columns_of_warp - 1) / columns_of_warp) * 32;
}

/// For matrices of up to 32 * rows_of_lane rows and columns; rows_of_lane is 1, 2 or 4.
const void* find_small_qr_kernel(dtype type, int rows_of_lane);
const void* find_small_q_kernel(dtype type, int rows_of_lane);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
