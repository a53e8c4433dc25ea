// Keyword arguments of sort and argsort.
#pragma once
#include <string_view>

#include <gparray/indexing/index.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The keyword arguments of sort and argsort: NumPy's and those of the array API.
struct sort_options {
  /// The axis to sort along; gp::none flattens first. It can be passed by position instead, as in sort(a, 0,
  /// {.descending = true}); giving both is a type_error.
  detail::slice_end axis = -1;
  /// Sort in descending order, NaN first. Equal elements still keep their order.
  bool descending = false;
  /// Has no effect: every sort is stable.
  bool stable = true;
  /// One of NumPy's names, "quicksort", "mergesort", "heapsort" or "stable", else value_error. It has no
  /// other effect.
  std::string_view kind = "stable";
};

/// The keyword arguments of topk and argtopk.
struct topk_options {
  /// The axis to look along; gp::none flattens first. It can be passed by position instead, as in topk(a, 3,
  /// 0); giving both is a type_error.
  detail::slice_end axis = -1;
  /// The greatest elements; else the smallest.
  bool largest = true;
  /// Put them in order, the most extreme first; else they come in the order that they have in the array.
  bool sorted = true;
};

GPARRAY_END_NAMESPACE
