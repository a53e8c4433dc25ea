// What a reduction kernel reads, its dimensions ordered by stride and collapsed.
#pragma once
#include <core/backend.hpp>
#include <gparray/error.hpp>
#include <memory>
#include <vector>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct reduce_dimension {
  std::int64_t size, in_stride, out_stride;  // bytes; out_stride of a kept dimension
};

/// The elements to reduce: those of an array in memory, or the values of a map as they would lie in one.
struct reduce_source {
  const map_plan* computed;  // what computes them; null if they are in memory
  std::uintptr_t in;         // their address, or the offset in an array of the computed values
  char* out;
  dtype type;  // of the elements in memory; the kernels along the reduced dimensions convert
  std::vector<reduce_dimension> kept, reduced;
};

/// Enqueues nothing. `ordered` holds the map, its dimensions in the order of memory, if it is to be computed.
/// Whether it then is computed into memory or by the reduction itself makes no difference to the dimensions,
/// and so none to the order in which elements are combined.
reduce_source make_source(const reduce_plan& plan, std::unique_ptr<map_plan>& ordered);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
