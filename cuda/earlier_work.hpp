// Which kernels begin with wait_for_earlier_work().
#pragma once
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Whether those that were compiled ahead of time do, whichever of their architectures a device of compute
/// capability 9.0 or newer takes. Generated ones are compiled for the device that launches them.
bool kernels_wait_for_earlier_work() noexcept;

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
