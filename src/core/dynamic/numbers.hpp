// Numbers as elements of a dtype that is known at run time.
#pragma once
#include <core/array/temporary.hpp>
#include <gparray/dynamic.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace dynamic {

/// Of a whole number: whether an integer dtype holds it, whether it is below zero.
bool fits(const detail::argument& number, dtype type);
bool is_negative(const detail::argument& number);
/// The number as an element of the dtype. An integer that the dtype does not hold becomes the nearest that it
/// holds, or is an overflow_error. Throws type_error for a complex number in a real dtype.
detail::argument number_as(const detail::argument& number, dtype type, bool saturate = false);
/// The same of a number; an array as it is.
detail::argument value_as(const operand& value, dtype type);

}  // namespace dynamic
GPARRAY_END_NAMESPACE
