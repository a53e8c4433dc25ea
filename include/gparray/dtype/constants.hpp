// NumPy's constants, as doubles; newaxis is in index.hpp.
#pragma once
#include <limits>
#include <numbers>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The ratio of a circle's circumference to its diameter, 3.14159...
inline constexpr double pi = std::numbers::pi;
/// The base of the natural logarithm, 2.71828...
inline constexpr double e = std::numbers::e;
/// The Euler-Mascheroni constant, 0.57721...
inline constexpr double euler_gamma = std::numbers::egamma;
/// Positive infinity.
inline constexpr double inf = std::numeric_limits<double>::infinity();
/// A quiet NaN (not a number).
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

GPARRAY_END_NAMESPACE
