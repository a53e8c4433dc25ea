// Keyword arguments of matmul.
#pragma once
#include <string_view>

#include <gparray/array/any_array.hpp>

GPARRAY_BEGIN_NAMESPACE

/// What matmul does with its sums before they are rounded to the dtype of the result. NumPy has no such
/// arguments: they are what a layer of a network computes.
struct matmul_options {
  /// Added to the sums: an array that broadcasts to the shape of the product, mostly one row. Its dtype must
  /// cast to that of the sums by the same_kind rule.
  any_array bias = {};
  /// Applied last: "relu", max(x, 0); "gelu", x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2; or nothing.
  std::string_view activation = {};
};

GPARRAY_END_NAMESPACE
