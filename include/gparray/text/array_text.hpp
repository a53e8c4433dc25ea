// Arrays as text, NumPy's, and operator<<. format.hpp adds the formatter for fmt.
#pragma once
#include <concepts>
#include <iosfwd>
#include <string>
#include <string_view>

#include <gparray/array/any_array.hpp>
#include <gparray/text/print_options.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {
GPARRAY_API std::ostream& print(std::ostream& out, const dims& sizes);
}

// All of these compute a pending expression, wait for the array, and copy to the host no more than what is
// shown. They throw value_error for options that set_printoptions refuses.

/// The array as text, NumPy's array2string, with a separator between elements. The prefix indents wrapped
/// lines, the suffix shortens them; neither is part of the result.
[[nodiscard]] GPARRAY_API std::string array2string(const any_array& a,
                                                   const print_options& options = get_printoptions(),
                                                   std::string_view separator = " ",
                                                   std::string_view prefix = "",
                                                   std::string_view suffix = "");
/// The array as text, NumPy's array_str: what operator<< and fmt print.
[[nodiscard]] GPARRAY_API std::string array_str(const any_array& a,
                                                const print_options& options = get_printoptions());
/// The array as NumPy's repr() has it: array([1., 2.]), with the dtype where the text does not imply it, the
/// shape where the text hides it, and the device unless it is the CPU.
[[nodiscard]] GPARRAY_API std::string array_repr(const any_array& a,
                                                 const print_options& options = get_printoptions());
/// The array as NumPy's repr() has it: array([1., 2.]).
[[nodiscard]] inline std::string repr(const any_array& a) { return array_repr(a); }

GPARRAY_API std::ostream& operator<<(std::ostream& out, const any_array& a);

// What describes an array. str: float32, (2, 3), cuda:0; repr: dtype('float32'), (2, 3), device('cuda:0').

/// A shape or strides as Python prints a tuple: (), (3,), (2, 3).
[[nodiscard]] GPARRAY_API std::string str(const dims& sizes);
/// A dtype as NumPy's repr() has it: dtype('float32').
[[nodiscard]] GPARRAY_API std::string repr(dtype type);
/// A device as text: device('cuda:0').
[[nodiscard]] GPARRAY_API std::string repr(device on_device);
/// A shape or strides as Python prints a tuple: (2, 3).
template<std::same_as<dims> D>
[[nodiscard]] std::string repr(const D& sizes) {
  return str(sizes);
}

GPARRAY_API std::ostream& operator<<(std::ostream& out, dtype type);
GPARRAY_API std::ostream& operator<<(std::ostream& out, device on_device);
/// Of dims alone: numbers and vectors convert to dims, and have a text of their own or none.
template<std::same_as<dims> D>
std::ostream& operator<<(std::ostream& out, const D& sizes) {
  return detail::print(out, sizes);
}

GPARRAY_END_NAMESPACE
