// The kernels of a scan by its core; for the sources that list the cores.
#pragma once
#include <cuda/reduction/scan_columns.cuh>
#include <cuda/reduction/scan_rows.cuh>
#include <cuda/reduction/scan_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<class Core>
scan_kernels scan_kernels_of() {
  return {reinterpret_cast<const void*>(&scan_tiles<Core>),
          reinterpret_cast<const void*>(&scan_short_rows<Core>),
          reinterpret_cast<const void*>(&scan_middle_rows<Core>),
          reinterpret_cast<const void*>(&scan_columns<Core>),
          reinterpret_cast<const void*>(&scan_column_tiles<Core>),
          published_words<typename scan_state<Core>::state>};
}

/// Without those that the others can stand in for where the order of what is put together makes no
/// difference: there are many cores.
template<class Core>
scan_kernels exact_scan_kernels_of() {
  return {reinterpret_cast<const void*>(&scan_tiles<Core>),
          nullptr,
          reinterpret_cast<const void*>(&scan_middle_rows<Core>),
          nullptr,
          reinterpret_cast<const void*>(&scan_column_tiles<Core>),
          published_words<typename scan_state<Core>::state>};
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
