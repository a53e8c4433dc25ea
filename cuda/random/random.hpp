// How draws of random numbers are carried out on a GPU.
#pragma once
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// The device must be current.
void run_random(const random_plan& plan, queue q);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
