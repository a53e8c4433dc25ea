// Keyword arguments of sort and argsort.
#pragma once
#include <string_view>

#include <gparray/indexing/index.hpp>

GPARRAY_BEGIN_NAMESPACE

/// NumPy's and the array API's keyword arguments of sort and argsort.
struct sort_options {
  /// none: of the flattened array. A position is as good, sort(a, 0, {.descending = true}); not both.
  detail::slice_end axis = -1;
  /// The reverse of the ascending order, NaN first; but equal elements stay in order.
  bool descending = false;
  /// Every sort here is stable, asked or not.
  bool stable = true;
  /// "quicksort", "mergesort", "heapsort" or "stable": a name NumPy knows, else value_error.
  std::string_view kind = "stable";
};

GPARRAY_END_NAMESPACE
