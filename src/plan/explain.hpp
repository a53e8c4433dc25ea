// The texts that gparray::explain is put together from.
#pragma once
#include <string>

#include <gparray/device.hpp>
#include <plan/jumping_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Operands and steps, a line each; `value` names what the plan computes.
std::string plan_text(const map_plan& plan);
std::string plan_text(const jumping_plan& plan);

/// How the CPU's loops carry a plan out.
std::string cpu_text(const map_plan& plan);
std::string cpu_text(const reduce_plan& plan);

/// Which kernels a GPU would launch, or has ready, and their source; `on_device` says where the operands are.
/// In builds without CUDA: that there are none.
std::string gpu_text(const map_plan& plan, device on_device);
std::string gpu_text(const jumping_plan& plan, device on_device);
std::string gpu_text(const reduce_plan& plan, device on_device);

}  // namespace core
GPARRAY_END_NAMESPACE
