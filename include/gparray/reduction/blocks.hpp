// Reductions of blocks of an axis, for libraries upon this one whose elements are not all in one place.
#pragma once
#include <span>

#include <gparray/array/any_array.hpp>
#include <gparray/tables/reduction_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// `count` blocks of `block` elements of an axis from `first` on, each reduced together with the axes behind
/// it up to `last`, which is not one of them.
struct axis_blocks {
  int axis, last;
  std::int64_t first, block, count;
  /// Whether results along the axes behind those are computed side by side, rather than each from elements
  /// that follow each other: it has its part in the order of additions.
  bool columns;
  /// Of the dtype of the results, and of the source's shape but for `count` in place of the axis, and 1 in
  /// place of the others that are reduced. Nothing has read it yet.
  any_array out;
};

/// Reduces the source, converted to `element` first. On a GPU the elements of a result are combined in an
/// order that their number and `columns` decide: there may be any number of results, in any memory. So a
/// block has the same bits wherever it is.
GPARRAY_API void reduce_blocks(reduction r, const argument& source, dtype element,
                               std::span<const axis_blocks> parts);

}  // namespace detail
GPARRAY_END_NAMESPACE
