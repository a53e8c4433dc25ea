// What the eigenvalue solvers do to their matrices first.
#pragma once
#include <host/factor.hpp>

#include <cmath>
#include <limits>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// The largest magnitude among the elements, NaN if there is one; of the lower triangle only if asked.
template<class T>
real_of<T> largest_magnitude(const column_matrix<T>& a, bool lower) {
  real_of<T> largest = 0;
  for (int j = 0; j < a.columns; ++j)
    for (int i = lower ? j : 0; i < a.rows; ++i) {
      const real_of<T> x = std::abs(*a.at(i, j));
      if (!(x <= largest)) largest = x;
      if (std::isnan(largest)) return largest;
    }
  return largest;
}

/// Multiplies a matrix whose elements are so large or so small that their squares are not numbers, as
/// LAPACK's drivers do, and returns the factor; 1 for others, 0 for a matrix with infinities or NaNs.
template<class T>
real_of<T> scale_to_safe_range(const column_matrix<T>& a, bool lower) {
  using R = real_of<T>;
  using limits = std::numeric_limits<R>;
  const R norm = largest_magnitude(a, lower);
  if (!std::isfinite(norm)) return 0;
  const R smallest = std::sqrt(limits::min()) / limits::epsilon(), biggest = 1 / smallest;
  if (norm == 0 || (norm >= smallest && norm <= biggest)) return 1;
  // A power of two rounds nothing.
  const R factor = std::ldexp(R(1), -std::ilogb(norm));
  for (int j = 0; j < a.columns; ++j)
    for (int i = lower ? j : 0; i < a.rows; ++i) *a.at(i, j) *= factor;
  return factor;
}

}  // namespace host
GPARRAY_END_NAMESPACE
