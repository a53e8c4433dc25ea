// Values to be put in order.
#pragma once
#include "cuda/support/twin.hpp"

namespace twin {

/// Numbers that often repeat, NaN and zeros of both signs among them.
inline std::vector<std::byte> repeating_values(dtype type, std::int64_t n, random_numbers& random) {
  const std::size_t item = itemsize(type);
  std::vector<std::byte> values(static_cast<std::size_t>(n) * item);
  for (std::int64_t i = 0; i < n; ++i) {
    const double u = random();
    double value = std::floor(u * 3000) - (kind(type) == 'u' ? 0 : 1500);
    if (kind(type) == 'f' && u < .02) value = std::nan("");
    else if (kind(type) == 'f' && u < .05) value = -0.0;
    write(type, &values[static_cast<std::size_t>(i) * item], value);
  }
  return values;
}

}  // namespace twin
