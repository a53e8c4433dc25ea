// What the lanes of a vector of elements are.
#pragma once
#include <type_traits>

#include <kernel/traits.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Of integers unsigned ones, whose sums and products wrap.
template<class T>
struct lane_of {
  using type = T;
};
template<class T>
  requires kernel::is_integer<T>
struct lane_of<T> {
  using type = std::make_unsigned_t<T>;
};
template<class T>
using lane_t = typename lane_of<T>::type;

}  // namespace host
GPARRAY_END_NAMESPACE
