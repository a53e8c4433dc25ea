// The tables of kernels for QR factorisations of small matrices.
#include <cuda/linalg/small_qr.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<template<class, int> class Kernel>
const void* kernel_for(dtype type, int rows_of_lane) {
  const auto by_rows = [&]<class T>(T) {
    return rows_of_lane == 1   ? Kernel<T, 1>::address()
           : rows_of_lane == 2 ? Kernel<T, 2>::address()
                               : Kernel<T, 4>::address();
  };
  switch (type) {
    case dtype::float32:
      return by_rows(float{});
    case dtype::float64:
      return by_rows(double{});
    case dtype::complex64:
      return by_rows(kernel::complex<float>{});
    default:
      return rows_of_lane == 1 ? Kernel<kernel::complex<double>, 1>::address()
                               : Kernel<kernel::complex<double>, 2>::address();
  }
}

template<class T, int Rows>
struct factor_kernel {
  static const void* address() { return reinterpret_cast<const void*>(&factor_small<T, Rows>); }
};
template<class T, int Rows>
struct q_kernel {
  static const void* address() { return reinterpret_cast<const void*>(&form_small_q<T, Rows>); }
};

}  // namespace

const void* find_small_qr_kernel(dtype type, int rows_of_lane) {
  return kernel_for<factor_kernel>(type, rows_of_lane);
}
const void* find_small_q_kernel(dtype type, int rows_of_lane) {
  return kernel_for<q_kernel>(type, rows_of_lane);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
