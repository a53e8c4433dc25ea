// Values to be put in order.
#pragma once
#include "cuda/support/twin.hpp"

namespace twin {

/// Numbers that often repeat, NaN and zeros of both signs among them; so are the parts of complex ones, few
/// enough that whole numbers repeat too.
inline std::vector<std::byte> repeating_values(dtype type, std::int64_t n, random_numbers& random) {
  const dtype part = real_dtype(type);
  const std::size_t item = itemsize(part);
  if (is_complex(type)) n *= 2;
  const double range = is_complex(type) ? 60 : 3000;
  std::vector<std::byte> values(static_cast<std::size_t>(n) * item);
  for (std::int64_t i = 0; i < n; ++i) {
    const double u = random();
    double value = std::floor(u * range) - (kind(type) == 'u' ? 0 : range / 2);
    if (kind(part) == 'f' && u < .02) value = std::nan("");
    else if (kind(part) == 'f' && u < .05) value = -0.0;
    write(part, &values[static_cast<std::size_t>(i) * item], value);
  }
  return values;
}

}  // namespace twin
