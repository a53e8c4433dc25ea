// Polynomials on the CPU.
#pragma once
#include <plan/polynomial_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

void evaluate_polynomial(const core::polynomial_plan& plan);

}  // namespace host
GPARRAY_END_NAMESPACE
