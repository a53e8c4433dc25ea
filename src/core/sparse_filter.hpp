// Some of the entries of a matrix.
#pragma once
#include <core/sparse.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The entries where the mask is true, in their order. Not of dia.
sparse_parts filtered(const sparse_parts& a, const ndarray<bool>& mask);
/// Entries at one place become their sum. Compressed, with sorted indices.
sparse_parts without_duplicates(const sparse_parts& a);
/// Row and column of each entry, of 64 bits. Not of dia.
struct entry_places {
  places row, column;
};
entry_places places_of(const sparse_parts& a);

/// body(I{}) for the type of a matrix's indices.
template<class Body>
auto with_index_of(const sparse_parts& a, Body body) {
  return a.index_dtype() == dtype::int32 ? body(std::int32_t{}) : body(std::int64_t{});
}

}  // namespace core
GPARRAY_END_NAMESPACE
