// Transposing copies through registers.
#pragma once
#include <cstddef>
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// to[r * to_row + c * itemsize] = from[r * itemsize + c * from_column] for r < rows, c < columns; strides in
/// bytes. `streamed`: past the caches. False, and nothing done, where element size or processor has no such
/// loop.
bool transpose(char* to, std::int64_t to_row, const char* from, std::int64_t from_column, std::int64_t rows,
               std::int64_t columns, std::size_t itemsize, bool streamed);

}  // namespace host
GPARRAY_END_NAMESPACE
