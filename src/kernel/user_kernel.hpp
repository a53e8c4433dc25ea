// What the kernels of ElementwiseKernel and ReductionKernel are made of, under CuPy's names where the text of
// a user meets them: index spaces, operands, and number types that mix with C++'s.
#pragma once
#include "complex_inverse.hpp"
#include "complex_math.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// A shape of Ndim dimensions and one index in it. Index is the type in which numbers are taken apart: 32
/// bits divide several times faster.
template<int Ndim, class Index>
struct index_space {
  static constexpr int ndim = Ndim;
  long count;
  long sizes[Ndim], index[Ndim];

  GPARRAY_FN long size() const { return count; }
  GPARRAY_FN const long* shape() const { return sizes; }
  /// The index of the element, outermost dimension first.
  GPARRAY_FN const long (&get() const)[Ndim] { return index; }
  /// Moves to element number i in C order.
  GPARRAY_FN void set(long i) {
    Index rest = static_cast<Index>(i);
    for (int d = Ndim - 1; d > 0; --d) {
      const Index n = static_cast<Index>(sizes[d]), quotient = rest / n;
      index[d] = static_cast<long>(rest - quotient * n);
      rest = quotient;
    }
    index[0] = static_cast<long>(rest);
  }
};

/// The index space of a reduction: Reduced dimensions to reduce, then Kept to keep, counted separately so
/// that one moves while the other stays.
template<int Reduced, int Kept, class Index>
struct reduced_space {
  static constexpr int ndim = Reduced + Kept;
  long count;
  long sizes[Reduced + Kept], index[Reduced + Kept];

  GPARRAY_FN long size() const { return count; }
  GPARRAY_FN const long* shape() const { return sizes; }
  GPARRAY_FN const long (&get() const)[Reduced + Kept] { return index; }
  GPARRAY_FN void set_reduced(long i) { set(i, 0, Reduced); }
  GPARRAY_FN void set_kept(long i) { set(i, Reduced, Reduced + Kept); }

 private:
  GPARRAY_FN void set(long i, int begin, int end) {
    Index rest = static_cast<Index>(i);
    for (int d = end - 1; d > begin; --d) {
      const Index n = static_cast<Index>(sizes[d]), quotient = rest / n;
      index[d] = static_cast<long>(rest - quotient * n);
      rest = quotient;
    }
    index[begin] = static_cast<long>(rest);
  }
};

/// An operand that is broadcast over the index space.
template<class T, int Ndim>
struct strided_operand {
  char* data;
  long strides[Ndim];  // bytes

  GPARRAY_FN T& at(long, const long (&index)[Ndim]) const {
    long offset = 0;
    for (int d = 0; d < Ndim; ++d) offset += index[d] * strides[d];
    return *reinterpret_cast<T*>(data + offset);
  }
};

/// An operand whose elements lie side by side in the order of the index space.
template<class T>
struct packed_operand {
  T* data;

  template<int Ndim>
  GPARRAY_FN T& at(long i, const long (&)[Ndim]) const {
    return data[i];
  }
};

/// A raw array: x[i] is element i in C order, x[_ind.get()] the one at an index.
template<class T, int Ndim, bool Packed>
struct raw_array {
  static constexpr int ndim = Ndim;
  T* data;
  long count;
  long sizes[Ndim], steps[Ndim];  // steps in bytes

  GPARRAY_FN long size() const { return count; }
  GPARRAY_FN const long* shape() const { return sizes; }
  GPARRAY_FN const long* strides() const { return steps; }
  GPARRAY_FN T& operator[](long i) const {
    if constexpr (Packed) return data[i];
    long offset = 0;
    for (int d = Ndim - 1; d > 0; --d) {
      offset += i % sizes[d] * steps[d];
      i /= sizes[d];
    }
    return at_offset(offset + i * steps[0]);
  }
  GPARRAY_FN T& operator[](const long (&index)[Ndim]) const {
    long offset = 0;
    for (int d = 0; d < Ndim; ++d) offset += index[d] * steps[d];
    return at_offset(offset);
  }

 private:
  GPARRAY_FN T& at_offset(long offset) const {
    return *reinterpret_cast<T*>(const_cast<char*>(reinterpret_cast<const char*>(data)) + offset);
  }
};

/// A half that takes any number: gparray::float16 converts from float only when asked to.
template<class Half>
struct user_half : Half {
  user_half() = default;
  GPARRAY_FN user_half(Half value) : Half(value) {}
  template<class Number, class = decltype(static_cast<float>(*static_cast<Number*>(nullptr)))>
  GPARRAY_FN user_half(Number value) : Half(value) {}
  GPARRAY_FN user_half& operator+=(float x) { return *this = static_cast<float>(*this) + x; }
  GPARRAY_FN user_half& operator-=(float x) { return *this = static_cast<float>(*this) - x; }
  GPARRAY_FN user_half& operator*=(float x) { return *this = static_cast<float>(*this) * x; }
  GPARRAY_FN user_half& operator/=(float x) { return *this = static_cast<float>(*this) / x; }
};

template<bool Condition>
struct only_if {};
template<>
struct only_if<true> {
  using type = int;
};

/// A complex number that is made from and mixes with real ones, as the results of its functions do.
template<class Real>
struct user_complex : complex<Real> {
  using value_type = Real;
  user_complex() = default;
  GPARRAY_FN user_complex(complex<Real> z) : complex<Real>(z) {}
  template<class Number, class = decltype(static_cast<Real>(*static_cast<Number*>(nullptr)))>
  GPARRAY_FN user_complex(Number re) : complex<Real>{static_cast<Real>(re), Real(0)} {}
  GPARRAY_FN user_complex(Real re, Real im) : complex<Real>{re, im} {}
  template<class Other, typename only_if<(sizeof(Other) < sizeof(Real))>::type = 0>
  GPARRAY_FN user_complex(user_complex<Other> z) : complex<Real>{z.re, z.im} {}
  GPARRAY_FN Real real() const { return this->re; }
  GPARRAY_FN Real imag() const { return this->im; }

  // Of the class itself, so that both sides convert.
#define GPARRAY_COMPLEX_OPERATOR(op)                                                     \
  friend GPARRAY_FN user_complex operator op(user_complex a, user_complex b) {           \
    return static_cast<const complex<Real>&>(a) op static_cast<const complex<Real>&>(b); \
  }                                                                                      \
  GPARRAY_FN user_complex& operator op##=(user_complex b) { return *this = *this op b; }
  GPARRAY_COMPLEX_OPERATOR(+)
  GPARRAY_COMPLEX_OPERATOR(-)
  GPARRAY_COMPLEX_OPERATOR(*)
  GPARRAY_COMPLEX_OPERATOR(/)
#undef GPARRAY_COMPLEX_OPERATOR
  friend GPARRAY_FN user_complex operator-(user_complex a) { return {-a.re, -a.im}; }
  friend GPARRAY_FN bool operator==(user_complex a, user_complex b) { return a.re == b.re && a.im == b.im; }
  friend GPARRAY_FN bool operator!=(user_complex a, user_complex b) { return !(a == b); }
  friend GPARRAY_FN Real real(user_complex a) { return a.re; }
  friend GPARRAY_FN Real imag(user_complex a) { return a.im; }
#define GPARRAY_COMPLEX_FUNCTION(name)                         \
  friend GPARRAY_FN user_complex name(user_complex a) {        \
    return kernel::name(static_cast<const complex<Real>&>(a)); \
  }
  GPARRAY_COMPLEX_FUNCTION(exp)
  GPARRAY_COMPLEX_FUNCTION(log)
  GPARRAY_COMPLEX_FUNCTION(log10)
  GPARRAY_COMPLEX_FUNCTION(sqrt)
  GPARRAY_COMPLEX_FUNCTION(sin)
  GPARRAY_COMPLEX_FUNCTION(cos)
  GPARRAY_COMPLEX_FUNCTION(tan)
  GPARRAY_COMPLEX_FUNCTION(sinh)
  GPARRAY_COMPLEX_FUNCTION(cosh)
  GPARRAY_COMPLEX_FUNCTION(tanh)
  GPARRAY_COMPLEX_FUNCTION(asin)
  GPARRAY_COMPLEX_FUNCTION(acos)
  GPARRAY_COMPLEX_FUNCTION(atan)
  GPARRAY_COMPLEX_FUNCTION(asinh)
  GPARRAY_COMPLEX_FUNCTION(acosh)
  GPARRAY_COMPLEX_FUNCTION(atanh)
#undef GPARRAY_COMPLEX_FUNCTION
  friend GPARRAY_FN user_complex pow(user_complex a, user_complex b) {
    return complex_power(static_cast<const complex<Real>&>(a), static_cast<const complex<Real>&>(b));
  }
  friend GPARRAY_FN Real norm(user_complex a) { return a.re * a.re + a.im * a.im; }
  friend GPARRAY_FN Real abs(user_complex a) { return hypot(a.re, a.im); }
  friend GPARRAY_FN Real arg(user_complex a) { return atan2(a.im, a.re); }
  friend GPARRAY_FN user_complex conj(user_complex a) { return {a.re, -a.im}; }
  friend GPARRAY_FN bool isfinite(user_complex a) { return finite(a.re) && finite(a.im); }
  friend GPARRAY_FN bool isinf(user_complex a) { return infinite(a.re) || infinite(a.im); }
};

}  // namespace kernel
GPARRAY_END_NAMESPACE
