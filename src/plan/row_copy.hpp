// Copies of several blocks of memory.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// `rows` rows of `bytes` bytes each, and the distances from a row to the next. Nothing overlaps.
struct row_copy {
  const void* from;
  void* to;
  std::int64_t rows, bytes, from_step, to_step;
};

}  // namespace core
GPARRAY_END_NAMESPACE
