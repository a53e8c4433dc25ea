// The tables of kernels for LU and Cholesky factorisations of small matrices.
#include <cuda/linalg/small_factor.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class T, int N>
struct lu_kernel {
  static const void* address() { return reinterpret_cast<const void*>(&factor_small_lu<T, N>); }
};
template<class T, int N>
struct cholesky_kernel {
  static const void* address() { return reinterpret_cast<const void*>(&factor_small_cholesky<T, N>); }
};

template<template<class, int> class Kernel, class T>
const void* by_lanes(int lanes) {
  switch (lanes) {
    case 4:
      return Kernel<T, 4>::address();
    case 8:
      return Kernel<T, 8>::address();
    case 16:
      return Kernel<T, 16>::address();
    default:
      return Kernel<T, 32>::address();
  }
}

template<template<class, int> class Kernel>
const void* kernel_for(dtype type, int lanes) {
  switch (type) {
    case dtype::float32:
      return by_lanes<Kernel, float>(lanes);
    case dtype::float64:
      return by_lanes<Kernel, double>(lanes);
    case dtype::complex64:
      return by_lanes<Kernel, kernel::complex<float>>(lanes);
    default:
      return by_lanes<Kernel, kernel::complex<double>>(lanes);
  }
}

}  // namespace

const void* find_small_lu_kernel(dtype type, int lanes) { return kernel_for<lu_kernel>(type, lanes); }
const void* find_small_cholesky_kernel(dtype type, int lanes) {
  return kernel_for<cholesky_kernel>(type, lanes);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
