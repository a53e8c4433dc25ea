// How the rows of reductions.def are divided among the files reduce_N.cu.
#pragma once
#include <cuda/reduction/reduce_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int n_reduce_groups = 6;
inline constexpr int reduce_table_rows = (reduction_count + n_reduce_groups - 1) / n_reduce_groups;

/// [row / n_reduce_groups][dtype]
struct reduce_table {
  reduce_kernels cells[reduce_table_rows * dtype_count];
};

template<int Group>
const reduce_table& reduce_group();

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
