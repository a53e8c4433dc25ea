// The LAPACK routines that eigenvalues and singular values are made of.
#pragma once
#include <host/lapack.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

template<class T>
struct lapack_eigen;

#define GPARRAY_LAPACK_REDUCTIONS(x, T, R, HE)                                      \
  extern "C" {                                                                      \
  void x##HE##trd_(flag, number, T*, number, R*, R*, T*, T*, number, int*, length); \
  void x##gebrd_(number, number, T*, number, R*, R*, T*, T*, T*, number, int*);     \
  }                                                                                 \
  template<>                                                                        \
  struct lapack_eigen<T> {                                                          \
    static constexpr auto hetrd = &x##HE##trd_;                                     \
    static constexpr auto gebrd = &x##gebrd_;                                       \
  };
GPARRAY_LAPACK_REDUCTIONS(s, float, float, sy)
GPARRAY_LAPACK_REDUCTIONS(d, double, double, sy)
GPARRAY_LAPACK_REDUCTIONS(c, std::complex<float>, float, he)
GPARRAY_LAPACK_REDUCTIONS(z, std::complex<double>, double, he)
#undef GPARRAY_LAPACK_REDUCTIONS

/// Of real tridiagonal and bidiagonal matrices, by divide and conquer.
template<class R>
struct lapack_condensed;

#define GPARRAY_LAPACK_CONDENSED(x, R)                                                                 \
  extern "C" {                                                                                         \
  void x##sterf_(number, R*, R*, int*);                                                                \
  void x##stedc_(flag, number, R*, R*, R*, number, R*, number, int*, number, int*, length);            \
  void x##bdsdc_(flag, flag, number, R*, R*, R*, number, R*, number, R*, int*, R*, int*, int*, length, \
                 length);                                                                              \
  }                                                                                                    \
  template<>                                                                                           \
  struct lapack_condensed<R> {                                                                         \
    static constexpr auto sterf = &x##sterf_;                                                          \
    static constexpr auto stedc = &x##stedc_;                                                          \
    static constexpr auto bdsdc = &x##bdsdc_;                                                          \
  };
GPARRAY_LAPACK_CONDENSED(s, float)
GPARRAY_LAPACK_CONDENSED(d, double)
#undef GPARRAY_LAPACK_CONDENSED

// geev gives real matrices two arrays of eigenvalues, and needs a real work array for complex ones.
#define GPARRAY_LAPACK_GEEV(x, R)                                                                            \
  extern "C" void x##geev_(flag, flag, number, R*, number, R*, R*, R*, number, R*, number, R*, number, int*, \
                           length, length);
GPARRAY_LAPACK_GEEV(s, float)
GPARRAY_LAPACK_GEEV(d, double)
#undef GPARRAY_LAPACK_GEEV
#define GPARRAY_LAPACK_GEEV(x, T, R)                                                                         \
  extern "C" void x##geev_(flag, flag, number, T*, number, T*, T*, number, T*, number, T*, number, R*, int*, \
                           length, length);
GPARRAY_LAPACK_GEEV(c, std::complex<float>, float)
GPARRAY_LAPACK_GEEV(z, std::complex<double>, double)
#undef GPARRAY_LAPACK_GEEV

}  // namespace host
GPARRAY_END_NAMESPACE
