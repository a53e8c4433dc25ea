// What is compared of a result, between libraries whose numbers differ in their last bits.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace bench {

/// Sums over the elements of an array, as applications/inputs.py makes them. The weights are a number in [0,
/// 1) for each place, so that elements in another order are found.
struct checksum {
  std::int64_t size = 0;
  double sum = 0, magnitude = 0, squares = 0, weighted = 0;
  double least = std::numeric_limits<double>::infinity(), greatest = -least;

  template<class Elements>
  static checksum of(const Elements& elements) {
    // Sums of 64 bits after the point: what they lose is nothing beside a tolerance.
    long double sum = 0, magnitude = 0, squares = 0, weighted = 0;
    checksum c;
    for (const auto element : elements) {
      const auto x = static_cast<double>(element);
      const auto weight = (static_cast<std::uint32_t>(c.size++) * 2654435761U) >> 8;
      sum += x, magnitude += std::abs(x), squares += x * x, weighted += x * std::ldexp(weight, -24);
      c.least = std::min(c.least, x), c.greatest = std::max(c.greatest, x);
    }
    c.sum = static_cast<double>(sum), c.magnitude = static_cast<double>(magnitude);
    c.squares = static_cast<double>(squares), c.weighted = static_cast<double>(weighted);
    return c;
  }

  /// As a list of JSON.
  [[nodiscard]] std::string json() const {
    return fmt::format("[{}, {:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}]", size, sum, magnitude,
                       squares, weighted, least, greatest);
  }
};

/// Whether two results are the same but for a share of their magnitudes; NaN is never.
inline bool agree(const checksum& a, const checksum& b, double tolerance) {
  const auto near = [](double x, double y, double error) { return std::abs(x - y) <= error; };
  const double error = tolerance * std::max(a.magnitude, b.magnitude),
               extreme = std::max(std::abs(a.least), std::abs(a.greatest));
  return a.size == b.size && near(a.sum, b.sum, error) && near(a.magnitude, b.magnitude, error) &&
         near(a.weighted, b.weighted, error) &&
         near(a.squares, b.squares, 2 * tolerance * std::max(a.squares, b.squares)) &&
         near(a.least, b.least, tolerance * extreme) && near(a.greatest, b.greatest, tolerance * extreme);
}

}  // namespace bench
