#include <algorithm>
#include <cstring>

#include <host/map/strided_tiles.hpp>
#include <host/map/transpose.hpp>
#include <host/support/clones.hpp>
#include <host/support/item.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

// Elements may lie at any address (frombuffer, record fields), hence the copies instead of dereferenced
// pointers.
template<class Element>
__attribute__((always_inline)) inline void copy_element(char* to, const char* from) {
  Element value;
  std::memcpy(&value, from, sizeof value);
  std::memcpy(to, &value, sizeof value);
}

/// Every second, third or fourth element, by shuffles of whole vectors.
template<class Element, int Step>
GPARRAY_CLONES void copy_every(char* to, const char* from, std::int64_t n) {
  using unaligned [[gnu::aligned(1), gnu::may_alias]] = Element;
  auto* const target = reinterpret_cast<unaligned*>(to);
  const auto* const source = reinterpret_cast<const unaligned*>(from);
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) target[i] = source[Step * i];
}

/// Whether the elements were copied so.
template<class Element>
bool copy_stepped(char* to, const char* from, std::int64_t step, std::int64_t n) {
  if constexpr (std::is_integral_v<Element>) {
    constexpr std::int64_t size = sizeof(Element), fewest = 32;
    if (n < fewest) return false;
    if (step == 2 * size) return copy_every<Element, 2>(to, from, n), true;
    if (step == 3 * size) return copy_every<Element, 3>(to, from, n), true;
    if (step == 4 * size) return copy_every<Element, 4>(to, from, n), true;
  }
  return false;
}

template<class Element>
void copy_rows(char* to, std::int64_t to_row, std::int64_t to_column, const char* from, const block_2d& b) {
  constexpr std::int64_t size = sizeof(Element);
  // Copied, for stores to bytes might change what is behind a reference, and nothing would be vectorised.
  const std::int64_t column = b.column_stride, columns = b.columns;
  for (std::int64_t r = 0; r < b.rows; ++r, to += to_row, from += b.row_stride) {
    if (to_column == size && column == size) {
      std::memcpy(to, from, static_cast<std::size_t>(columns * size));
    } else if (to_column == size && column == 0) {
      Element value;
      std::memcpy(&value, from, sizeof value);
      for (std::int64_t c = 0; c < columns; ++c) std::memcpy(to + c * size, &value, sizeof value);
    } else if (to_column == size && column == -size) {
      for (std::int64_t c = 0; c < columns; ++c) copy_element<Element>(to + c * size, from - c * size);
    } else if (to_column != size || !copy_stepped<Element>(to, from, column, columns)) {
      for (std::int64_t c = 0; c < columns; ++c) copy_element<Element>(to + c * to_column, from + c * column);
    }
  }
}

/// Rows of one element each, dense: written by vectors, of which the last of a row may reach into those that
/// follow and are written next.
template<class Element>
void repeat_rows(char* to, const char* from, const block_2d& b) {
  constexpr std::int64_t size = sizeof(Element), vector = 16;
  const std::int64_t row = b.columns * size;
  const char* const end = to + b.rows * row;
  for (std::int64_t r = 0; r < b.rows; ++r, to += row, from += b.row_stride) {
    Element value;
    std::memcpy(&value, from, sizeof value);
    Element wide[vector / size];
    for (Element& w : wide) w = value;
    if (end - to < row + vector) {  // nothing lies behind the last rows
      for (std::int64_t c = 0; c < b.columns; ++c) std::memcpy(to + c * size, &value, sizeof value);
      continue;
    }
    for (std::int64_t at = 0; at < row; at += vector) std::memcpy(to + at, wide, vector);
  }
}

// With few columns the loop over rows is the long one.
template<class Element, int Columns>
void copy_narrow(char* to, std::int64_t to_row, std::int64_t to_column, const char* from, const block_2d& b) {
  for (std::int64_t r = 0; r < b.rows; ++r, to += to_row, from += b.row_stride)
    for (int c = 0; c < Columns; ++c) copy_element<Element>(to + c * to_column, from + c * b.column_stride);
}

template<class Element>
void copy_elements(char* to, std::int64_t to_row, std::int64_t to_column, const char* from,
                   const block_2d& b) {
  constexpr std::int64_t size = sizeof(Element);
  if (b.column_stride == 0 && b.rows > 1 && to_column == size && to_row == b.columns * size)
    return repeat_rows<Element>(to, from, b);
  switch (b.rows > 1 ? b.columns : 0) {
    case 1:
      return copy_narrow<Element, 1>(to, to_row, to_column, from, b);
    case 2:
      return copy_narrow<Element, 2>(to, to_row, to_column, from, b);
    case 3:
      return copy_narrow<Element, 3>(to, to_row, to_column, from, b);
    case 4:
      return copy_narrow<Element, 4>(to, to_row, to_column, from, b);
    default:
      return copy_rows<Element>(to, to_row, to_column, from, b);
  }
}

/// Rows whose elements are side by side on either side are copied whole.
void copy_lines(char* to, std::int64_t to_row, const char* from, const block_2d& b, std::int64_t bytes,
                bool streamed) {
  // The ends of a row are parts of cache lines, which shorter rows would have too many of.
  constexpr std::int64_t shortest = 1024;
  const bool past_caches = streamed && bytes >= shortest;
  for (std::int64_t r = 0; r < b.rows; ++r, to += to_row, from += b.row_stride) {
    if (past_caches) stream_copy(to, from, static_cast<std::size_t>(bytes));
    else std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
  if (past_caches) stream_fence();
}

}  // namespace

void gather(void* dense, const void* strided, const block_2d& b, std::size_t itemsize) {
  const auto size = static_cast<std::int64_t>(itemsize);
  with_item(itemsize, [&](auto element) {
    copy_elements<decltype(element)>(static_cast<char*>(dense), size * b.columns, size,
                                     static_cast<const char*>(strided), b);
  });
}

void gather_streamed(void* dense, const void* strided, const block_2d& b, std::size_t itemsize) {
  const auto row = b.columns * static_cast<std::int64_t>(itemsize);
  constexpr std::int64_t room = 16384;
  if (row > room) return gather(dense, strided, b, itemsize);
  alignas(64) char made[room];
  const std::int64_t rows = room / row;
  for (std::int64_t r = 0; r < b.rows; r += rows) {
    const block_2d some{std::min(rows, b.rows - r), b.columns, b.row_stride, b.column_stride};
    gather(made, static_cast<const char*>(strided) + r * b.row_stride, some, itemsize);
    stream_copy(static_cast<char*>(dense) + r * row, made, static_cast<std::size_t>(some.rows * row));
  }
  stream_fence();
}

void scatter(void* strided, const void* dense, const block_2d& b, std::size_t itemsize) {
  const auto size = static_cast<std::int64_t>(itemsize);
  const block_2d source{b.rows, b.columns, size * b.columns, size};
  with_item(itemsize, [&](auto element) {
    copy_elements<decltype(element)>(static_cast<char*>(strided), b.row_stride, b.column_stride,
                                     static_cast<const char*>(dense), source);
  });
}

void copy_2d(void* to, std::int64_t to_row, std::int64_t to_column, const void* from, const block_2d& b,
             std::size_t itemsize, bool streamed) {
  const auto size = static_cast<std::int64_t>(itemsize);
  // A square of 64 x 64 elements touches 64 cache lines on either side, which stay in the first level.
  constexpr std::int64_t edge = 64;
  if (to_column == size && b.column_stride == size && b.columns > edge)
    return copy_lines(static_cast<char*>(to), to_row, static_cast<const char*>(from), b, b.columns * size,
                      streamed);
  if (to_column == size && b.row_stride == size && b.rows > 1 && b.columns > 1 &&
      transpose(static_cast<char*>(to), to_row, static_cast<const char*>(from), b.column_stride, b.rows,
                b.columns, itemsize, streamed))
    return;
  // The same seen from the other side.
  if (to_row == size && b.column_stride == size && b.rows > 1 && b.columns > 1 &&
      transpose(static_cast<char*>(to), to_column, static_cast<const char*>(from), b.row_stride, b.columns,
                b.rows, itemsize, streamed))
    return;
  auto* const target = static_cast<char*>(to);
  const auto* const source = static_cast<const char*>(from);
  with_item(itemsize, [&](auto element) {
    for (std::int64_t r = 0; r < b.rows; r += edge)
      for (std::int64_t c = 0; c < b.columns; c += edge) {
        const block_2d square{std::min(edge, b.rows - r), std::min(edge, b.columns - c), b.row_stride,
                              b.column_stride};
        copy_elements<decltype(element)>(target + r * to_row + c * to_column, to_row, to_column,
                                         source + r * b.row_stride + c * b.column_stride, square);
      }
  });
}

void fill(void* dense, const void* value, std::int64_t count, std::size_t itemsize) {
  gather(dense, value, {1, count, 0, 0}, itemsize);
}

}  // namespace host
GPARRAY_END_NAMESPACE
