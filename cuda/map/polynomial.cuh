// Horner's rule for several elements of each thread, whose chains of products and sums hide each other's
// latency.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/map/polynomial.hpp>
#include <kernel/functors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<class T>
__global__ void __launch_bounds__(polynomial_threads)
    evaluate_polynomial(const __grid_constant__ polynomial_plan p) {
  wait_for_prior_grids();
  constexpr int items = polynomial_items;
  const std::int64_t first =
      static_cast<std::int64_t>(blockIdx.x) * (polynomial_threads * items) + threadIdx.x;
  T x[items], y[items];
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const std::int64_t i = first + k * polynomial_threads;
    x[k] = i < p.size ? static_cast<const T*>(p.x)[i] : T(0);
    y[k] = T(0);
  }
  const char* at = static_cast<const char*>(p.coefficients);
  for (std::int64_t j = 0; j < p.n_coefficients; ++j, at += p.coefficient_stride) {
    const T coefficient = *reinterpret_cast<const T*>(at);
#pragma unroll
    for (int k = 0; k < items; ++k)
      y[k] =
          kernel::invoke<kernel::add_op, T>(kernel::invoke<kernel::multiply_op, T>(y[k], x[k]), coefficient);
  }
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const std::int64_t i = first + k * polynomial_threads;
    if (i < p.size) static_cast<T*>(p.out)[i] = y[k];
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
