// What a(indices) or a(mask) selects, ready to be read or written.
#pragma once
#include <core/array/array_rep.hpp>
#include <gparray/indexing/selection.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The result has the axes of `shape`, which slices made, and before axis `position` of them those of
/// `index`, or one for the true elements of `mask`. Exactly one of the two is given. All arrays are computed.
struct selection {
  any_array base;
  std::int64_t offset = 0;  // bytes from base's first element
  dims shape, strides;      // of the axes that slices made, in base
  std::size_t position = 0;
  any_array index;                    // int64 numbers: of an axis, or combined from several
  std::int64_t wrap = 0, stride = 0;  // as in index_plan
  std::int64_t first = 0, count = 0;
  any_array mask;
  dims mask_strides;  // in base, of the axes that the mask covers
};

/// The elements in a new array. Takes no locks and computes nothing pending, as it runs while others wait.
any_array read_elements(const selection& s);
/// The same through an index array that is not checked yet, along `axis` of the base. Throws as check_indices
/// does, and waits for the device.
any_array read_checked_elements(const selection& s, int axis);

bool is_mask(const detail::pick_item& item);
/// The array of an item that picks, computed: int64, or bool for a mask. Throws device_error if it is an
/// array that is elsewhere.
any_array array_of(const detail::pick_item& item, device on_device);

/// Throws index_error naming the first number of `index` (int64) that is not in [-length, length). Waits for
/// the device.
void check_indices(const any_array& index, std::int64_t length, int axis);
/// index * stride, where negative numbers count from the end; unchecked.
any_array indices_along(const any_array& index, std::int64_t length, std::int64_t stride);
/// The argument in an array of dtype `type`, of its own shape, that shares nothing with `target`.
any_array values_for(const any_array& target, const detail::argument& source);

}  // namespace core
GPARRAY_END_NAMESPACE
