// Boxes of elements, and views of them in arrays that begin elsewhere.
#pragma once
#include <algorithm>

#include <distributed/arrays/placement.hpp>

#include <gparray/array/any_array.hpp>
#include <gparray/gparray.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

inline box intersection(const box& a, const box& b) {
  box both;
  for (std::size_t i = 0; i < a.size(); ++i) both.push_back(a[i].cut(b[i]));
  return both;
}

inline bool empty(const box& b) {
  return std::any_of(b.begin(), b.end(), [](const range& r) { return r.size() == 0; });
}

inline bool contains(const box& outer, const box& inner) { return intersection(outer, inner) == inner; }

/// The box as seen from the beginning of another.
inline any_array view_in(const any_array& a, const box& of, const box& part) {
  std::vector<gparray::detail::index_item> items;
  for (std::size_t i = 0; i < of.size(); ++i)
    items.emplace_back(slice(part[i].begin - of[i].begin, part[i].end - of[i].begin));
  return items.empty() ? a : gparray::detail::basic_index(a, items);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
