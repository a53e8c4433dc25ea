// The ahead-of-time kernels of reductions.
#pragma once
#include <cstddef>

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

const reduce_kernels& find_reduce_kernels(reduction r, dtype element);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
