// Views of arrays that are not computed yet: as an operand, a slice of cheap steps is these steps at the
// slice's places.
#pragma once
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
  };
  dims shape;  // of the view
  int ndim;    // of the base
  place at[max_ndim];

  explicit index_map(int of) : ndim(of) {}

  /// Of a view of this view: from the base's index to that of `outer`'s view.
  index_map after(const index_map& outer) const;
  /// The strides of the view of a base with these strides, in bytes, and where it begins.
  dims strides(const dims& base) const;
  std::int64_t offset(const dims& base) const;
};

/// A view of a pending array that is pending, too; no array if the base has to be computed first. Evaluated,
/// it is a view of the computed base.
any_array view_later(const any_array& base, const index_map& map);
/// Makes a pending view one of its base, which is computed.
void become_view(array_rep* view);

}  // namespace core
GPARRAY_END_NAMESPACE
