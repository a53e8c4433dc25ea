// A stable sort of a few things.
#pragma once
#include <algorithm>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The standard library's stable sort asks for memory first, which costs more than sorting a few axes.
template<class T, class Before>
void sort_few(T* begin, T* end, Before before) {
  for (T* next = begin; next < end; ++next)
    std::rotate(std::upper_bound(begin, next, *next, before), next, next + 1);
}

}  // namespace core
GPARRAY_END_NAMESPACE
