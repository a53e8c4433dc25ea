// Programs compiled or loaded at run time, and their kernels, through the runtime's library calls.
#pragma once
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

// As plan/backend.hpp says; the device must be current.
module_handle load_module(const std::string& image, int device);
void unload_module(module_handle module) noexcept;
kernel_handle find_kernel(module_handle module, const char* name);
std::pair<void*, std::size_t> find_global(module_handle module, const char* name);
/// Empty if the driver is too old to list them.
std::vector<kernel_parameter> parameters_of(kernel_handle kernel);
kernel_attributes attributes_of(kernel_handle kernel);
void set_max_dynamic_shared_bytes(kernel_handle kernel, int device, std::size_t bytes);
void launch_kernel(const kernel_launch& launch, queue q);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
