// Equality in every bit: NaN equals itself, and 0 is not -0.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include <gparray/files.hpp>

/// Of elements in memory. None have no address, which std::memcmp must not be given even for no bytes.
template<class V>
bool same_bits(std::span<const V> a, std::span<const V> b) {
  static_assert(std::is_trivially_copyable_v<V>);
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

template<class V>
bool same_bits(const std::vector<V>& a, const std::vector<V>& b) {
  if constexpr (std::is_same_v<V, bool>) return a == b;
  else return same_bits(std::span<const V>(a), std::span<const V>(b));
}

/// The same bits, but for those of NaN: a sum of two keeps one of them, and compilers choose which, for they
/// may exchange its operands.
inline bool same_bits_or_nan(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::isnan(x) ? std::isnan(y) : std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

/// Of arrays, which have the same dtype and shape then; waits for both.
inline bool same_bits(const gparray::any_array& a, const gparray::any_array& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() && gparray::tobytes(a) == gparray::tobytes(b);
}
