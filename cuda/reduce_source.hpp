// The array that a reduction kernel reads, its dimensions ordered by stride and collapsed.
#pragma once
#include <core/backend.hpp>
#include <gparray/error.hpp>
#include <vector>

#include "scratch.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct reduce_dimension {
  std::int64_t size, in_stride, out_stride;  // bytes; out_stride of a kept dimension
};

struct reduce_source {
  const char* in;
  char* out;
  dtype type;  // of the elements at `in`; the kernels along the reduced dimensions convert
  std::vector<reduce_dimension> kept, reduced;
};

/// Computes the map's values into `values` if they are not an array that a kernel can read as it is.
reduce_source make_source(const reduce_plan& plan, queue q, memory_pool& pool, scratch& values);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
