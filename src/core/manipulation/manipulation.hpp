// What the manipulation functions share: axis lists in the order given, and slices along one axis.
#pragma once
#include <core/array/array_rep.hpp>
#include <gparray/manipulation/detail.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Axes in [0, ndim), in the order given. Throws axis_error, and value_error for one that occurs twice;
/// `argument` is the parameter's name for the text, or empty.
dims normalize_axis_list(const dims& axes, int ndim, std::string_view argument = {});

/// The view a[start : start + count * step : step] along an axis; bounds are not checked.
any_array slice_along(const any_array& a, int axis, std::int64_t start, std::int64_t count,
                      std::int64_t step = 1);

/// The same with a step of 1; of a pending array it may be pending, too, as steps at the slice's places.
any_array slice_later(const any_array& a, int axis, std::int64_t start, std::int64_t count);

/// Copies what lies before and behind a run of elements along an axis, `at` being where it begins in both: it
/// has so many elements in `to`, and so many in `from`.
void copy_around(const any_array& to, const any_array& from, int axis, std::int64_t at, std::int64_t n_to,
                 std::int64_t n_from);

/// A new array for elements of `source` in another shape: same space and device, C order.
any_array allocate_beside(const array_rep* source, const dims& shape);

}  // namespace core
GPARRAY_END_NAMESPACE
