// Arrays in host memory as NumPy's text. Only the elements that are shown are read.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include <gparray/config.hpp>
#include <gparray/text/format_spec.hpp>
#include <gparray/text/print_options.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// An array whose elements the host can read. Strides may be zero or negative, elements unaligned.
struct host_view {
  char dtype_code;  // as in dtypes.def
  const void* data;
  int ndim;
  const std::int64_t* shape;
  const std::int64_t* strides_bytes;
  /// Null, or for each axis how many elements in the middle, which a summary does not show, are not in
  /// memory.
  const std::int64_t* omitted = nullptr;
};

/// numpy.array2string(a, separator=separator, prefix=prefix, suffix=suffix).
/// The prefix indents wrapped lines, the suffix shortens them; neither is part of the result.
/// Throws value_error for options that set_printoptions refuses, type_error for an unknown dtype code.
std::string array2string(const host_view& view, const print_options& options,
                         std::string_view separator = " ", std::string_view prefix = "",
                         std::string_view suffix = "");

/// str(a) with the elements formatted by a specification; of a 0-d array the number alone. Throws value_error
/// if it does not suit the dtype.
std::string array_format(const host_view& view, const print_options& options,
                         const detail::element_format& format);

/// str(a). Unlike array2string it shows a 0-d array as a scalar, to its full precision.
std::string array_str(const host_view& view, const print_options& options);

/// repr(a), with the dtype where the text does not imply it and the shape where the text hides it.
std::string array_repr(const host_view& view, const print_options& options);

/// str() of the NumPy scalar that has the same dtype and value. Print options do not matter, as in NumPy.
std::string scalar_str(char dtype_code, const void* element);

}  // namespace core
GPARRAY_END_NAMESPACE
