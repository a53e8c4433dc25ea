// Factorisations of matrices of up to 32 rows: the lanes of a warp, or some of them, have a row each.
#pragma once
#include <plan/small_task.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int small_factor_rows = 32, small_factor_threads = 128;

/// Right sides are solved a few at once; where there are few matrices, several groups of lanes factorise the
/// same one and share its right sides.
struct small_factor_params {
  small_task task;
  std::int32_t sharers;
};

/// By lanes for each matrix: 4, 8, 16 or 32, at least its rows.
const void* find_small_lu_kernel(dtype type, int lanes);
const void* find_small_cholesky_kernel(dtype type, int lanes);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
