// What the kernels of ElementwiseKernel and ReductionKernel are made of, under CuPy's names where the text of
// a user meets them: index spaces, operands, and number types that mix with C++'s.
#pragma once
#include "complex_math.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// A shape of N dimensions and one index in it. Index is the type in which numbers are taken apart: 32 bits
/// divide several times faster.
template<int N, class Index>
struct index_space {
  static constexpr int ndim = N;
  long count;
  long sizes[N], place[N];

  GPARRAY_FN long size() const { return count; }
  GPARRAY_FN const long* shape() const { return sizes; }
  /// The index of the element, outermost dimension first.
  GPARRAY_FN const long (&get() const)[N] { return place; }
  /// Moves to element number i in C order.
  GPARRAY_FN void set(long i) {
    Index rest = static_cast<Index>(i);
    for (int d = N - 1; d > 0; --d) {
      const Index n = static_cast<Index>(sizes[d]), quotient = rest / n;
      place[d] = static_cast<long>(rest - quotient * n);
      rest = quotient;
    }
    place[0] = static_cast<long>(rest);
  }
};

/// The index space of a reduction: R dimensions to reduce, then K to keep, counted separately so that one
/// moves while the other stays.
template<int R, int K, class Index>
struct reduced_space {
  static constexpr int ndim = R + K;
  long count;
  long sizes[R + K], place[R + K];

  GPARRAY_FN long size() const { return count; }
  GPARRAY_FN const long* shape() const { return sizes; }
  GPARRAY_FN const long (&get() const)[R + K] { return place; }
  GPARRAY_FN void set_reduced(long i) { set(i, 0, R); }
  GPARRAY_FN void set_kept(long i) { set(i, R, R + K); }

 private:
  GPARRAY_FN void set(long i, int begin, int end) {
    Index rest = static_cast<Index>(i);
    for (int d = end - 1; d > begin; --d) {
      const Index n = static_cast<Index>(sizes[d]), quotient = rest / n;
      place[d] = static_cast<long>(rest - quotient * n);
      rest = quotient;
    }
    place[begin] = static_cast<long>(rest);
  }
};

/// An operand that is broadcast over the index space.
template<class T, int N>
struct strided_operand {
  char* data;
  long strides[N];  // bytes

  GPARRAY_FN T& at(long, const long (&place)[N]) const {
    long offset = 0;
    for (int d = 0; d < N; ++d) offset += place[d] * strides[d];
    return *reinterpret_cast<T*>(data + offset);
  }
};

/// An operand whose elements lie side by side in the order of the index space.
template<class T>
struct packed_operand {
  T* data;

  template<int N>
  GPARRAY_FN T& at(long i, const long (&)[N]) const {
    return data[i];
  }
};

/// A raw array: x[i] is element i in C order, x[_ind.get()] the one at an index.
template<class T, int N, bool Packed>
struct raw_array {
  static constexpr int ndim = N;
  T* data;
  long count;
  long sizes[N], steps[N];  // steps in bytes

  GPARRAY_FN long size() const { return count; }
  GPARRAY_FN const long* shape() const { return sizes; }
  GPARRAY_FN const long* strides() const { return steps; }
  GPARRAY_FN T& operator[](long i) const {
    if constexpr (Packed) return data[i];
    long offset = 0;
    for (int d = N - 1; d > 0; --d) {
      offset += i % sizes[d] * steps[d];
      i /= sizes[d];
    }
    return at_offset(offset + i * steps[0]);
  }
  GPARRAY_FN T& operator[](const long (&place)[N]) const {
    long offset = 0;
    for (int d = 0; d < N; ++d) offset += place[d] * steps[d];
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

/// A complex number that is made from and mixes with real ones. exp, log, sqrt and their like come from
/// complex_math.hpp.
template<class Real>
struct user_complex : complex<Real> {
  using value_type = Real;
  user_complex() = default;
  GPARRAY_FN user_complex(complex<Real> z) : complex<Real>(z) {}
  template<class Number, class = decltype(static_cast<Real>(*static_cast<Number*>(nullptr)))>
  GPARRAY_FN user_complex(Number re) : complex<Real>{static_cast<Real>(re), Real(0)} {}
  GPARRAY_FN user_complex(Real re, Real im) : complex<Real>{re, im} {}
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
  friend GPARRAY_FN Real norm(user_complex a) { return a.re * a.re + a.im * a.im; }
  friend GPARRAY_FN Real abs(user_complex a) { return hypot(a.re, a.im); }
  friend GPARRAY_FN Real arg(user_complex a) { return atan2(a.im, a.re); }
  friend GPARRAY_FN user_complex conj(user_complex a) { return {a.re, -a.im}; }
};

}  // namespace kernel
GPARRAY_END_NAMESPACE
