// NumPy's constants, as doubles; newaxis is in index.hpp.
#pragma once
#include <limits>
#include <numbers>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

inline constexpr double pi = std::numbers::pi, e = std::numbers::e, euler_gamma = std::numbers::egamma;
inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

GPARRAY_END_NAMESPACE
