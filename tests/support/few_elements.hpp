// In which order a GPU's reductions put few elements together: what its kernels and the expressions that
// stand for them are held to.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace few_elements {

enum class operation { sum, mean, prod, norm, max };
enum class layout { rows, columns };

/// Elements of a row go to the lanes of an access of 16 bytes, one after the other, of which the first takes
/// in the others; those of a column to eight threads, the halves of which take in each other.
template<class A, class Combine>
A combined(const std::vector<A>& x, layout where, std::size_t lanes, Combine combine) {
  const std::size_t n_parts = where == layout::columns ? 8 : lanes;
  std::vector<A> parts;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (k < n_parts) parts.push_back(x[k]);
    else parts[k % n_parts] = combine(parts[k % n_parts], x[k]);
  }
  if (where == layout::rows) {
    for (std::size_t k = 1; k < parts.size(); ++k) parts[0] = combine(parts[0], parts[k]);
    return parts[0];
  }
  for (std::size_t half = 4; half > 0; half /= 2)
    for (std::size_t k = 0; k < half && k + half < parts.size(); ++k)
      parts[k] = combine(parts[k], parts[k + half]);
  return parts[0];
}

inline float in_pairs(const float* x, std::size_t n) {
  return n == 1 ? x[0] : in_pairs(x, n / 2) + in_pairs(x + n / 2, n / 2);
}

/// float32 adds up in double; whole accesses of a row, or four of them, as they are.
inline double sum_of(const std::vector<float>& x, layout where) {
  if (where == layout::columns)
    return combined(std::vector<double>(x.begin(), x.end()), where, 4, std::plus<>()) + 0.0;
  double sum = 0;
  std::size_t k = 0;
  for (const std::size_t whole : {std::size_t{16}, std::size_t{4}, std::size_t{1}})
    for (; k + whole <= x.size(); k += whole) sum += in_pairs(x.data() + k, whole);
  return sum;
}
inline double sum_of(const std::vector<double>& x, layout where) {
  return combined(x, where, 2, std::plus<>()) + 0.0;
}

template<class T>
T reduced(operation what, std::vector<T> x, layout where) {
  constexpr std::size_t lanes = 16 / sizeof(T);
  switch (what) {
    case operation::sum:
      return static_cast<T>(sum_of(x, where));
    case operation::mean:
      return static_cast<T>(sum_of(x, where) / static_cast<double>(x.size()));
    case operation::prod:
      return combined(x, where, lanes, std::multiplies<>());
    case operation::norm:
      for (T& of : x) of *= of;
      return std::sqrt(combined(x, where, lanes, std::plus<>()));
    default:
      return combined(x, where, lanes, [](T a, T b) { return b <= a || std::isnan(a) ? a : b; });
  }
}

}  // namespace few_elements
