// What a(indices) or a(mask) selects, ready to be read or written.
#pragma once
#include <vector>

#include <core/array/array_rep.hpp>
#include <gparray/indexing/selection.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// One of several index arrays: integers, to which `wrap` is added if they are negative, times `stride`. They
/// are int64 and computed, or it is known without a look at them that none is outside; `wrap` is 0 if none is
/// negative.
struct index_part {
  any_array index;
  std::int64_t wrap, stride;
  std::int64_t shift = 0;  // that went into the offset
};

/// The result has the axes of `shape`, which slices made, and before axis `position` of them those of
/// `index`, or of the `parts` that are broadcast and added up to it, or one for the true elements of `mask`.
/// Exactly one of the three is given. All other arrays are computed.
struct selection {
  any_array base;  // computed, or pending if it may be read through; then its strides are what they will be
  std::int64_t offset = 0;  // bytes from base's first element
  dims shape, strides;      // of the axes that slices made, in base
  std::size_t position = 0;
  any_array index;  // as in index_part: of an axis, or combined from several
  std::vector<index_part> parts;
  std::int64_t wrap = 0, stride = 0;  // as in index_plan
  std::int64_t first = 0, count = 0;
  any_array mask;
  dims mask_strides;  // in base, of the axes that the mask covers
  // Whether what a GPU's threads compute beyond the ends of the index arrays, where those have zeros, picks
  // elements, too.
  bool ends_inside = false;
};

/// Whether the few elements that index arrays pick, one for each axis, may be computed of what a pending
/// array is made of, with nothing else of it.
bool may_read_through(const any_array& base);
/// These elements, pending; an array without a rep if that is more than to compute the base, or has been
/// done.
any_array read_through(const selection& s);

/// Whether the selection has at most one index array, of int64 and computed.
bool is_combined(const selection& s);
/// The same selection with such an array.
selection combined(const selection& s);
/// The elements in a new array, of a combined selection. Takes no locks and computes nothing pending, as it
/// runs while others wait.
any_array read_elements(const selection& s);
/// The same through an index array that is not checked yet, along `axis` of the base. Throws as check_indices
/// does, and waits for the device.
any_array read_checked_elements(const selection& s, int axis);

/// The elements of a vector at int64 numbers plus another one, of which none is negative or outside; pending
/// if they can wait.
any_array elements_at(const any_array& vector, const any_array& numbers, std::int64_t shift);

bool is_mask(const detail::pick_item& item);
/// The array of an item that picks, computed: int64, or bool for a mask. Throws device_error if it is an
/// array that is elsewhere. Integers that are known to be inside of an axis of this length stay as they are.
any_array array_of(const detail::pick_item& item, device on_device, std::int64_t length = 0);

/// The shape that index arrays of these shapes have together. Throws index_error naming all of them.
dims broadcast_index_shapes(std::span<const dims* const> shapes);
/// Throws index_error naming the first number of `index` (int64) that is not in [-length, length), of which
/// there is one. Waits for the device.
[[noreturn]] void throw_outside(const any_array& index, std::int64_t length, int axis);
/// The same if there is one. Waits for the device, unless it is known.
void check_indices(const any_array& index, std::int64_t length, int axis);
/// index * stride, where negative numbers count from the end: of so many, or 0 if there are none; unchecked.
any_array indices_along(const any_array& index, std::int64_t length, std::int64_t stride);
/// The argument in an array of dtype `type`, of its own shape, that shares nothing with `target`.
any_array values_for(const any_array& target, const detail::argument& source);

}  // namespace core
GPARRAY_END_NAMESPACE
