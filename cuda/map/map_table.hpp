// The ahead-of-time kernels of element-wise functions.
#pragma once
#include <cuda/device/compiled_kernels.hpp>
#include <gparray/tables/ufunc_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// The kernels of one loop, null where the ufunc has none for this dtype.
struct map_kernels {
  const void* vector = nullptr;
  const void* strided = nullptr;
};

inline constexpr int n_map_groups = 8;
using map_table = compiled_kernels<map_kernels, ufunc_count, n_map_groups>;

/// The kernels that copy elements of a dtype; the strided one converts from any dtype, as all strided kernels
/// do.
const map_kernels& find_copy_kernels(dtype type);
/// The vector kernel that converts; null for equal dtypes.
const void* find_cast_kernel(dtype from, dtype to);

/// The kernels that load elements of a dtype from int64 addresses.
const map_kernels& find_load_kernels(dtype type);

/// The kernels of a ufunc for a loop dtype; for ufunc::cast those of find_copy_kernels.
inline const map_kernels& find_map_kernels(ufunc f, dtype loop) {
  if (f == ufunc::cast) return find_copy_kernels(loop);
  if (f == ufunc::load) return find_load_kernels(loop);
  return map_table::find(static_cast<int>(f), loop);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
