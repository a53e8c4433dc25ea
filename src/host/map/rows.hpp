// A plan's index space as rows: the last dimension is the column, all others together are the row number.
#pragma once
#include <algorithm>

#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Whether loops may read elements there: they want their natural alignment, and an array over a user's bytes
/// may have none.
inline bool aligned(const void* p, std::size_t item) {
  // Items are powers of two; a division would cost as much as adding a hundred elements.
  return (reinterpret_cast<std::uintptr_t>(p) & (std::min(item, alignof(double)) - 1)) == 0;
}

struct row_space {
  int outer;  // dimensions that make up the row number
  std::int64_t columns, rows;
  const std::int64_t* shape;

  row_space(const std::int64_t* dims, int ndim)
      : outer(ndim > 0 ? ndim - 1 : 0), columns(1), rows(1), shape(dims) {
    if (ndim > 0) columns = dims[ndim - 1];
    for (int d = 0; d < outer; ++d) rows *= dims[d];
  }

  std::int64_t column_stride(const std::int64_t* strides) const { return columns == 1 ? 0 : strides[outer]; }
  /// Between rows of one run (below).
  std::int64_t row_stride(const std::int64_t* strides) const { return outer > 0 ? strides[outer - 1] : 0; }

  /// Calls body(offset, rows of the run, rows before it) on runs of rows that lie one row_stride apart.
  template<class Body>
  void for_runs(std::int64_t first, std::int64_t count, const std::int64_t* strides, Body&& body) const {
    std::int64_t index[core::max_ndim], offset = 0;
    for (int d = outer - 1; d > 0; --d) {
      index[d] = first % shape[d];
      first /= shape[d];
      offset += index[d] * strides[d];
    }
    if (outer > 0) {  // what is left needs no division, which would cost more than a short row
      index[0] = first;
      offset += first * strides[0];
    }
    const int last = outer - 1;
    for (std::int64_t done = 0; done < count;) {
      const std::int64_t run = last < 0 ? 1 : std::min(count - done, shape[last] - index[last]);
      body(offset, run, done);
      done += run;
      if (done == count) return;
      offset -= index[last] * strides[last];
      index[last] = 0;
      for (int d = last - 1; d >= 0; --d) {
        offset += strides[d];
        if (++index[d] < shape[d]) break;
        offset -= shape[d] * strides[d];
        index[d] = 0;
      }
    }
  }

  /// Whether elements of this size follow each other in C order without gaps.
  bool dense(const std::int64_t* strides, std::int64_t itemsize) const {
    std::int64_t expected = itemsize;
    if (columns != 1) {
      if (strides[outer] != expected) return false;
      expected *= columns;
    }
    for (int d = outer - 1; d >= 0; --d) {
      if (shape[d] == 1) continue;
      if (strides[d] != expected) return false;
      expected *= shape[d];
    }
    return true;
  }
};

}  // namespace host
GPARRAY_END_NAMESPACE
