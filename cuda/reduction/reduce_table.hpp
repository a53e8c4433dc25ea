// The ahead-of-time kernels of reductions.
#pragma once
#include <cstddef>

#include <cuda/device/compiled_kernels.hpp>
#include <gparray/tables/reduction_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// The kernels of one reduction of one element dtype, and the bytes of a partial state; null where the table
/// has none.
struct reduce_kernels {
  const void* inner = nullptr;
  const void* dense = nullptr;
  const void* columns = nullptr;
  std::size_t state_bytes = 0;
};

inline constexpr int n_reduce_groups = 6;
using reduce_table = compiled_kernels<reduce_kernels, reduction_count, n_reduce_groups>;

inline const reduce_kernels& find_reduce_kernels(reduction r, dtype element) {
  return reduce_table::find(static_cast<int>(r), element);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
