// The values of a polynomial: what crosses the boundary between the core and a backend.
#pragma once
#include <cstdint>

#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// out[i] by Horner's rule: y = 0, and for each coefficient in order y = y * x[i] + coefficient, each product
/// and sum as the functions multiply and add compute it. x and out are contiguous, and may be the same.
struct polynomial_plan {
  dtype type{};  // of all three
  std::int64_t size = 0, n_coefficients = 0;
  const void *x = nullptr, *coefficients = nullptr;
  std::int64_t coefficient_stride = 0;  // bytes
  void* out = nullptr;
};

}  // namespace core
GPARRAY_END_NAMESPACE
