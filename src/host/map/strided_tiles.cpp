#include <algorithm>
#include <cstring>

#include <host/map/strided_tiles.hpp>
#include <host/map/transpose.hpp>
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

template<class Element>
void copy_rows(char* to, std::int64_t to_row, std::int64_t to_column, const char* from, const block_2d& b) {
  constexpr std::int64_t size = sizeof(Element);
  const std::int64_t column = b.column_stride;
  for (std::int64_t r = 0; r < b.rows; ++r, to += to_row, from += b.row_stride) {
    if (to_column == size && column == size) {
      std::memcpy(to, from, static_cast<std::size_t>(b.columns * size));
    } else if (to_column == size && column == 0) {
      Element value;
      std::memcpy(&value, from, sizeof value);
      for (std::int64_t c = 0; c < b.columns; ++c) std::memcpy(to + c * size, &value, sizeof value);
    } else if (to_column == size && column == -size) {
      for (std::int64_t c = 0; c < b.columns; ++c) copy_element<Element>(to + c * size, from - c * size);
    } else {
      for (std::int64_t c = 0; c < b.columns; ++c)
        copy_element<Element>(to + c * to_column, from + c * column);
    }
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

}  // namespace

void gather(void* dense, const void* strided, const block_2d& b, std::size_t itemsize) {
  const auto size = static_cast<std::int64_t>(itemsize);
  with_item(itemsize, [&](auto element) {
    copy_elements<decltype(element)>(static_cast<char*>(dense), size * b.columns, size,
                                     static_cast<const char*>(strided), b);
  });
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
  if (to_column == size && b.row_stride == size && b.rows > 1 && b.columns > 1 &&
      transpose(static_cast<char*>(to), to_row, static_cast<const char*>(from), b.column_stride, b.rows,
                b.columns, itemsize, streamed))
    return;
  // The same seen from the other side.
  if (to_row == size && b.column_stride == size && b.rows > 1 && b.columns > 1 &&
      transpose(static_cast<char*>(to), to_column, static_cast<const char*>(from), b.row_stride, b.columns,
                b.rows, itemsize, streamed))
    return;
  // A square of 64 x 64 elements touches 64 cache lines on either side, which stay in the first level.
  constexpr std::int64_t edge = 64;
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
