// A complex number with the layout of std::complex, which device code and NVRTC do not have, and NumPy's
// arithmetic.
#pragma once
#include "libm.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

// Device memory holds whole complex elements at multiples of their size, so one load may fetch both parts;
// host memory may come from a std::complex of a user, which is only aligned as its parts are.
#if defined(__CUDACC__)
#define GPARRAY_COMPLEX_ALIGNMENT alignas(2 * sizeof(Real))
#else
#define GPARRAY_COMPLEX_ALIGNMENT
#endif

template<class Real>
struct GPARRAY_COMPLEX_ALIGNMENT complex {
  Real re, im;
};

#undef GPARRAY_COMPLEX_ALIGNMENT

/// A product that is rounded before it is added to. GCC 12 joins the products of two complex numbers to
/// vfmaddsub wherever the processor has it, in spite of -ffp-contract=off; then the bits would depend on the
/// processor.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define GPARRAY_ROUNDED(product) __builtin_assoc_barrier(product)
#else
#define GPARRAY_ROUNDED(product) (product)
#endif

template<class R>
GPARRAY_KERNEL_FN complex<R> operator+(complex<R> a, complex<R> b) {
  return {a.re + b.re, a.im + b.im};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> operator-(complex<R> a, complex<R> b) {
  return {a.re - b.re, a.im - b.im};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> operator-(complex<R> a) {
  return {-a.re, -a.im};
}

/// The four products, as NumPy does: no recovery of infinities from NaN (C99 Annex G would).
template<class R>
GPARRAY_KERNEL_FN complex<R> operator*(complex<R> a, complex<R> b) {
  return {GPARRAY_ROUNDED(a.re * b.re) - GPARRAY_ROUNDED(a.im * b.im),
          GPARRAY_ROUNDED(a.re * b.im) + GPARRAY_ROUNDED(a.im * b.re)};
}

/// The product of C99 Annex G.5.1: where both parts came out NaN although a factor is infinite, the result is
/// infinite.
template<class R>
GPARRAY_KERNEL_FN complex<R> infinite_product(complex<R> a, complex<R> b) {
  complex<R> product = a * b;
  if (product.re == product.re || product.im == product.im) return product;
  const auto unit = [](R x) { return copysign(fabs(x) > traits<R>::max ? R(1) : R(0), x); };
  const auto zero_if_nan = [](R x) { return x == x ? x : copysign(R(0), x); };
  const bool a_infinite = fabs(a.re) > traits<R>::max || fabs(a.im) > traits<R>::max;
  const bool b_infinite = fabs(b.re) > traits<R>::max || fabs(b.im) > traits<R>::max;
  if (!a_infinite && !b_infinite) return product;
  const complex<R> x =
      a_infinite ? complex<R>{unit(a.re), unit(a.im)} : complex<R>{zero_if_nan(a.re), zero_if_nan(a.im)};
  const complex<R> y =
      b_infinite ? complex<R>{unit(b.re), unit(b.im)} : complex<R>{zero_if_nan(b.re), zero_if_nan(b.im)};
  product = x * y;
  return {infinity<R>() * product.re, infinity<R>() * product.im};
}

/// Smith's algorithm (Communications of the ACM 5, 1962, 435), in NumPy's order of operations.
template<class R>
GPARRAY_KERNEL_FN complex<R> operator/(complex<R> a, complex<R> b) {
  const R re = fabs(b.re), im = fabs(b.im);
  if (re >= im) {
    if (re == R(0) && im == R(0)) return {a.re / re, a.im / re};
    const R ratio = b.im / b.re, scale = R(1) / (b.re + b.im * ratio);
    return {(a.re + GPARRAY_ROUNDED(a.im * ratio)) * scale, (a.im - GPARRAY_ROUNDED(a.re * ratio)) * scale};
  }
  const R ratio = b.re / b.im, scale = R(1) / (b.im + b.re * ratio);
  return {(GPARRAY_ROUNDED(a.re * ratio) + a.im) * scale, (GPARRAY_ROUNDED(a.im * ratio) - a.re) * scale};
}

template<class R>
GPARRAY_KERNEL_FN bool operator==(complex<R> a, complex<R> b) {
  return a.re == b.re && a.im == b.im;
}

template<class R>
GPARRAY_KERNEL_FN bool operator!=(complex<R> a, complex<R> b) {
  return a.re != b.re || a.im != b.im;
}

/// 1 / a, which NumPy computes in another order than a division.
template<class R>
GPARRAY_KERNEL_FN complex<R> complex_reciprocal(complex<R> a) {
  if (fabs(a.im) <= fabs(a.re)) {
    const R ratio = a.im / a.re, denominator = a.re + a.im * ratio;
    return {R(1) / denominator, -ratio / denominator};
  }
  const R ratio = a.re / a.im, denominator = a.re * ratio + a.im;
  return {ratio / denominator, R(-1) / denominator};
}

template<class R>
GPARRAY_KERNEL_FN bool isnan(complex<R> a) {
  return a.re != a.re || a.im != a.im;
}

/// Lexicographic order in which NaN compares false, as NumPy's loops define it.
template<class R>
GPARRAY_KERNEL_FN bool complex_less(complex<R> a, complex<R> b) {
  return (a.re < b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im < b.im);
}

template<class R>
GPARRAY_KERNEL_FN bool complex_less_equal(complex<R> a, complex<R> b) {
  return (a.re < b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im <= b.im);
}

/// z / |z| (NumPy 2); an infinite component wins over a finite one, two infinite ones give NaN.
template<class R>
GPARRAY_KERNEL_FN complex<R> complex_sign(complex<R> a) {
  const R modulus = hypot(a.re, a.im);
  if (modulus != modulus) return {modulus, modulus};
  if (modulus > traits<R>::max) {
    const bool infinite_re = fabs(a.re) > traits<R>::max, infinite_im = fabs(a.im) > traits<R>::max;
    if (infinite_re && infinite_im) return {quiet_nan<R>(), quiet_nan<R>()};
    if (infinite_re) return {copysign(R(1), a.re), R(0)};
    if (infinite_im) return {R(0), copysign(R(1), a.im)};
  }
  if (modulus == R(0)) return {R(0), R(0)};
  if (modulus <= traits<R>::max && modulus >= traits<R>::min_normal) return {a.re / modulus, a.im / modulus};
  // The modulus overflowed or lost digits; both parts are scaled first.
  const R factor = modulus > R(1) ? R(0.25) : R(0x1p54), re = a.re * factor, im = a.im * factor,
          scaled = hypot(re, im);
  return {re / scaled, im / scaled};
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
