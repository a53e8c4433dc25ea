// The check of exponents that integer powers need, as NumPy makes it.
#pragma once
#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Throws value_error for an integer power with a negative exponent, as NumPy does. Exponents in an array are
/// looked at only if they are on the CPU: on a GPU that would wait for the device, and there such powers are
/// 0 (or +-1 for a base of +-1).
void check_exponents(const detail::argument& exponents);

}  // namespace core
GPARRAY_END_NAMESPACE
