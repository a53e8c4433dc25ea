// How the rows of ufuncs.def are divided among the files map_N.cu.
#pragma once
#include <cuda/map/map_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int n_map_groups = 8;
inline constexpr int map_rows = (ufunc_count + n_map_groups - 1) / n_map_groups;

/// [row / n_map_groups][dtype]
struct map_table {
  map_kernels cells[map_rows * dtype_count];
};

template<int Group>
const map_table& map_group();

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
