// Pade's approximant of degree 13 of exp (Higham, "The scaling and squaring method for the matrix exponential
// revisited", 2005).
#pragma once
#include <cmath>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The numerator's coefficients; the denominator's have the signs of (-1)^k.
inline constexpr double pade_13[] = {64764752532480000,
                                     32382376266240000,
                                     7771770303897600,
                                     1187353796428800,
                                     129060195264000,
                                     10559470521600,
                                     670442572800,
                                     33522128640,
                                     1323241920,
                                     40840800,
                                     960960,
                                     16380,
                                     182,
                                     1};

/// How often a matrix of this norm is halved before, so that the approximant has double precision (table
/// 2.3).
inline int halvings_for(double norm) {
  constexpr double bound = 5.371920351148152;
  return std::isfinite(norm) && norm > bound ? static_cast<int>(std::ceil(std::log2(norm / bound))) : 0;
}

}  // namespace core
GPARRAY_END_NAMESPACE
