// Polynomials on a GPU.
#pragma once
#include <plan/backend.hpp>
#include <plan/polynomial_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

void run_polynomial(const polynomial_plan& plan, queue q);

inline constexpr int polynomial_threads = 256, polynomial_items = 4;
const void* find_polynomial_kernel(dtype type);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
