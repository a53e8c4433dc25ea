// The LAPACK and BLAS routines of OpenBLAS that factorisations are made of, as one table for each type.
#pragma once
#include <gparray/config.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>

GPARRAY_BEGIN_NAMESPACE
namespace host {

// Fortran passes everything by address, and the lengths of texts after all other arguments.
using flag = const char*;
using number = const int*;
using length = std::size_t;

#define GPARRAY_LAPACK(x, T, R)                                                                             \
  extern "C" {                                                                                              \
  void x##gemm_(flag, flag, number, number, number, const T*, const T*, number, const T*, number, const T*, \
                T*, number, length, length);                                                                \
  void x##trsm_(flag, flag, flag, flag, number, number, const T*, const T*, number, T*, number, length,     \
                length, length, length);                                                                    \
  void x##laswp_(number, T*, number, number, number, number, number);                                       \
  void x##getrf_(number, number, T*, number, int*, int*);                                                   \
  void x##potrf_(flag, number, T*, number, int*, length);                                                   \
  void x##geqrt3_(number, number, T*, number, T*, number, int*);                                            \
  void x##geqr2_(number, number, T*, number, T*, T*, int*);                                                 \
  void x##larft_(flag, flag, number, number, const T*, number, const T*, T*, number, length, length);       \
  void x##larfb_(flag, flag, flag, flag, number, number, number, const T*, number, const T*, number, T*,    \
                 number, T*, number, length, length, length, length);                                       \
  }                                                                                                         \
  template<>                                                                                                \
  struct lapack<T> {                                                                                        \
    using real = R;                                                                                         \
    static constexpr auto gemm = &x##gemm_;                                                                 \
    static constexpr auto trsm = &x##trsm_;                                                                 \
    static constexpr auto laswp = &x##laswp_;                                                               \
    static constexpr auto getrf = &x##getrf_;                                                               \
    static constexpr auto potrf = &x##potrf_;                                                               \
    static constexpr auto geqrt3 = &x##geqrt3_;                                                             \
    static constexpr auto geqr2 = &x##geqr2_;                                                               \
    static constexpr auto larft = &x##larft_;                                                               \
    static constexpr auto larfb = &x##larfb_;                                                               \
  };

/// The routines for elements of T, named without their first letter.
template<class T>
struct lapack;
GPARRAY_LAPACK(s, float, float)
GPARRAY_LAPACK(d, double, double)
GPARRAY_LAPACK(c, std::complex<float>, float)
GPARRAY_LAPACK(z, std::complex<double>, double)
#undef GPARRAY_LAPACK

template<class T>
using real_of = typename lapack<T>::real;
template<class T>
inline constexpr bool is_complex_type = !std::is_same_v<T, real_of<T>>;
/// The flag of the conjugate transpose.
template<class T>
inline constexpr flag adjoint = is_complex_type<T> ? "C" : "T";

/// Memory of one factorisation. LAPACK sets what it reads.
template<class T>
class work_memory {
 public:
  explicit work_memory(std::int64_t count)
      : bytes_(new std::byte[static_cast<std::size_t>(count > 0 ? count : 1) * sizeof(T)]) {}
  T* data() const { return reinterpret_cast<T*>(bytes_.get()); }
  T& operator[](std::int64_t i) const { return data()[i]; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
};

}  // namespace host
GPARRAY_END_NAMESPACE
