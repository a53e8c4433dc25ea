// Equality in every bit: NaN equals itself, and 0 is not -0.
#pragma once
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

/// Of arrays, which have the same dtype and shape then; waits for both.
inline bool same_bits(const gparray::any_array& a, const gparray::any_array& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() && gparray::tobytes(a) == gparray::tobytes(b);
}
