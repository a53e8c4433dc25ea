// Views of arrays that are not computed yet: as an operand, a slice of cheap steps is these steps at the
// slice's places.
#pragma once
#include <algorithm>

#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Where the elements of a view are in its base: the base's index along dimension d is at[d].offset, plus
/// at[d].step times the view's along at[d].axis if that is not negative. No axis of the view is that of two
/// dimensions.
struct index_map {
  struct place {
    int axis;
    std::int64_t step, offset;
    friend bool operator==(const place&, const place&) = default;
  };
  dims shape;  // of the view
  int ndim;    // of the base
  place at[max_ndim];

  explicit index_map(int of) : ndim(of) {}
  /// Whether the same elements of the base are at the same indices.
  friend bool operator==(const index_map& a, const index_map& b) {
    return a.ndim == b.ndim && std::equal(a.at, a.at + a.ndim, b.at);
  }

  /// Of a view of this view: from the base's index to that of `outer`'s view.
  index_map after(const index_map& outer) const;
  /// That of an operand which is broadcast to the base.
  index_map of_operand(const dims& operand) const;
  /// The same with axes counted as those of an array of max_ndim dimensions that the view is broadcast to.
  index_map counted_from_end() const;
  /// The strides of the view of a base with these strides, in bytes, and where it begins.
  dims strides(const dims& base) const;
  std::int64_t offset(const dims& base) const;
};

/// A view of a pending array that is pending, too; no array if the base has to be computed first. Evaluated,
/// it is a view of the computed base.
any_array view_later(const any_array& base, const index_map& map);
/// The same of steps of this thread's that may be viewed, which are held.
any_array pending_view(array_rep* base, const index_map& map);
/// Makes a pending view one of its base, which is computed.
void become_view(array_rep* view);

}  // namespace core
GPARRAY_END_NAMESPACE
