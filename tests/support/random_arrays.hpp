// Arrays of random elements of every dtype.
#pragma once
#include <cmath>
#include <random>
#include <type_traits>

#include "support/table.hpp"

namespace random_arrays {

namespace gp = gparray;

template<class V>
V sample(std::mt19937& random) {
  std::normal_distribution<double> normal(1, 3);
  const double x = normal(random);
  if constexpr (gp::is_complex(gp::dtype_of<V>))
    return V(static_cast<typename V::value_type>(x), static_cast<typename V::value_type>(normal(random)));
  else if constexpr (std::is_same_v<V, bool>) return x > 1;
  else if constexpr (std::is_unsigned_v<V>) return static_cast<V>(std::abs(x) * 10);
  else return static_cast<V>(std::is_integral_v<V> ? 10 * x : x);
}

template<class V>
gp::ndarray<V> random_array(const gp::dims& shape, std::uint32_t seed = 11) {
  std::mt19937 random(seed);
  return golden::filled<V>(shape, [&](std::int64_t) { return sample<V>(random); });
}

}  // namespace random_arrays
