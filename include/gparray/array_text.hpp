// Arrays as text, NumPy's, and operator<<. format.hpp adds the formatter for fmt.
#pragma once
#include <gparray/any_array.hpp>
#include <gparray/print_options.hpp>

#include <iosfwd>
#include <string>
#include <string_view>

GPARRAY_BEGIN_NAMESPACE

// All of these compute a pending expression, wait for the array, and copy to the host no more than what is
// shown. They throw value_error for options that set_printoptions refuses.

/// numpy.array2string(a, separator=separator, prefix=prefix, suffix=suffix). The prefix indents wrapped
/// lines, the suffix shortens them; neither is part of the result.
GPARRAY_API std::string array2string(const any_array& a, const print_options& options = get_printoptions(),
                                     std::string_view separator = " ", std::string_view prefix = "",
                                     std::string_view suffix = "");
/// str(a): what operator<< and fmt print.
GPARRAY_API std::string array_str(const any_array& a, const print_options& options = get_printoptions());
/// repr(a): array([1., 2.]), with the dtype where the text does not imply it, the shape where the text hides
/// it, and the device unless it is the CPU.
GPARRAY_API std::string array_repr(const any_array& a, const print_options& options = get_printoptions());
inline std::string repr(const any_array& a) { return array_repr(a); }

GPARRAY_API std::ostream& operator<<(std::ostream& out, const any_array& a);

GPARRAY_END_NAMESPACE
