// What the eigenvalue solvers ask of their matrices first.
#pragma once
#include <cmath>

#include <host/linalg/factor.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Whether no element is an infinity or NaN, on which some of LAPACK's iterations do not end; of the lower
/// triangle only if asked. Tiny and huge ones are for the caller to scale: the divide and conquer routines do
/// so themselves, the reduction of a matrix to bidiagonal form does not.
template<class T>
bool is_finite(const column_matrix<T>& a, bool lower) {
  for (int j = 0; j < a.columns; ++j)
    for (int i = lower ? j : 0; i < a.rows; ++i)
      if (!std::isfinite(std::real(*a.at(i, j))) || !std::isfinite(std::imag(*a.at(i, j)))) return false;
  return true;
}

}  // namespace host
GPARRAY_END_NAMESPACE
