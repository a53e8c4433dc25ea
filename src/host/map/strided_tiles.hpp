// Strided memory to and from dense tiles, by element size.
#pragma once
#include <cstddef>
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Rows x columns elements of one size, strides in bytes.
struct block_2d {
  std::int64_t rows, columns;
  std::int64_t row_stride, column_stride;
};

/// Strided to dense (C order).
void gather(void* dense, const void* strided, const block_2d& layout, std::size_t itemsize);
/// The same past the caches.
void gather_streamed(void* dense, const void* strided, const block_2d& layout, std::size_t itemsize);
/// Dense (C order) to strided.
void scatter(void* strided, const void* dense, const block_2d& layout, std::size_t itemsize);
/// Strided to strided; either side's columns may be far apart, so it goes by cache-sized squares. `streamed`:
/// past the caches if there is a way.
void copy_2d(void* to, std::int64_t to_row_stride, std::int64_t to_column_stride, const void* from,
             const block_2d& layout, std::size_t itemsize, bool streamed = false);

/// Fills count elements with the value.
void fill(void* dense, const void* value, std::int64_t count, std::size_t itemsize);

/// Results from this size on are written past the caches: they are too large to be read again from there.
inline constexpr std::int64_t streamed_bytes = std::int64_t{32} << 20;
/// memcpy past the caches. Before another thread may read the target, the writer calls stream_fence().
void stream_copy(void* to, const void* from, std::size_t bytes);
void stream_fence();

}  // namespace host
GPARRAY_END_NAMESPACE
