// Some of the entries of a matrix.
#pragma once
#include <core/sparse/sparse.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The entries where the mask is true, in their order. Not of dia.
sparse_parts filtered(const sparse_parts& a, const ndarray<bool>& mask);
/// Whether an axis has far more numbers than the matrix has entries, so that sorting the entries costs less
/// than counting how many have each number, and takes memory for the entries alone.
bool mostly_empty(std::int64_t axis, std::int64_t entries);
/// The entries by row, and by column in each (of csc the other way round), by sorting. Not of dia.
sparse_parts entries_in_order(const sparse_parts& a);
/// Entries at one position become their sum. Compressed with sorted indices, or coordinates in order.
sparse_parts without_duplicates(const sparse_parts& a);
/// Row and column of each entry, of 64 bits. Not of dia.
struct entry_indices {
  index_array row, column;
};
entry_indices indices_of(const sparse_parts& a);

/// body(I{}) for the type of a matrix's indices.
template<class Body>
auto with_index_of(const sparse_parts& a, Body body) {
  return a.index_dtype() == dtype::int32 ? body(std::int32_t{}) : body(std::int64_t{});
}

}  // namespace core
GPARRAY_END_NAMESPACE
