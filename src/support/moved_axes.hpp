// The order of axes that moveaxis makes.
#pragma once
#include <algorithm>

#include <gparray/array/dims.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The axes `from` at the positions `to`, and the others of ndim in their order around them. Both lists count
/// from the front and have each axis once. Throws value_error unless they are as many.
inline dims moved_axes(const dims& from, const dims& to, int ndim) {
  if (from.size() != to.size())
    throw value_error("`source` and `destination` arguments must have the same number of elements");
  dims order;
  for (std::int64_t i = 0; i < ndim; ++i)
    if (std::ranges::find(from, i) == from.end()) order.push_back(i);
  for (std::int64_t position = 0; position < ndim; ++position)  // by destination, lowest first
    for (std::size_t i = 0; i < to.size(); ++i)
      if (to[i] == position) order.insert(static_cast<std::size_t>(position), from[i]);
  return order;
}

}  // namespace core
GPARRAY_END_NAMESPACE
