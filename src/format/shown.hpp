// Which elements of an array are shown when it is summarised.
#pragma once
#include <cstddef>
#include <cstdint>

#include <gparray/config.hpp>

#include "array.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Of one axis: the first `leading` indices, "..." if summarised, the last `trailing` indices.
struct shown_indices {
  std::int64_t leading, trailing;
  bool summarised;
};

/// NumPy shows the last element of a summarised axis even for edgeitems = 0.
inline shown_indices shown_of_axis(std::int64_t length, bool summarise, std::int64_t edgeitems) {
  if (!summarise || length / 2 < edgeitems || length <= 2 * edgeitems) return {0, length, false};
  return {edgeitems, edgeitems > 0 ? edgeitems : 1, true};
}

/// Saturates, so that a broadcast view of absurd size still compares as "more than the threshold".
inline std::int64_t element_count(const host_view& view) {
  std::int64_t count = 1;
  bool overflow = false;
  for (int axis = 0; axis < view.ndim; ++axis) {
    if (view.shape[axis] == 0) return 0;
    overflow |= __builtin_mul_overflow(count, view.shape[axis], &count);
  }
  return overflow ? INT64_MAX : count;
}

inline const std::byte* element_at(const host_view& view, const std::byte* origin, int axis,
                                   std::int64_t index) {
  if (view.omitted && index > (view.shape[axis] - 1) / 2) index -= view.omitted[axis];
  return origin + index * view.strides_bytes[axis];
}

/// Calls visit(pointer to element) for each shown element.
template<class Visit>
void for_each_shown(const host_view& view, bool summarise, std::int64_t edgeitems, const Visit& visit,
                    const std::byte* origin, int axis = 0) {
  if (axis == view.ndim) return visit(origin);
  const std::int64_t length = view.shape[axis];
  const auto [leading, trailing, summarised] = shown_of_axis(length, summarise, edgeitems);
  const auto descend = [&](std::int64_t index) {
    for_each_shown(view, summarise, edgeitems, visit, element_at(view, origin, axis, index), axis + 1);
  };
  for (std::int64_t index = 0; index < leading; ++index) descend(index);
  for (std::int64_t index = length - trailing; index < length; ++index) descend(index);
}

}  // namespace core
GPARRAY_END_NAMESPACE
