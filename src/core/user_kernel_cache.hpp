// The compiled variants of one user's kernel.
#pragma once
#include <core/backend.hpp>

#include <functional>
#include <map>
#include <mutex>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// "sm_90" for a device; without a GPU that of a common one, to find errors early.
std::string kernel_architecture(device place);
std::string default_kernel_architecture();

struct loaded_kernel {
  module_handle module = nullptr;
  kernel_handle kernel = nullptr;
};

/// Loads a program that holds `name`, or takes it from what this process has loaded: kernels of equal text
/// are one, and stay until the process ends, so that nothing is unloaded under a launch.
loaded_kernel load_kernel(const compile_request& request, const char* name, device place);

/// From the key of a variant and a device to its kernel. Safe from several threads.
class kernel_variants {
 public:
  loaded_kernel find(const std::string& key, device place, const char* name,
                     const std::function<compile_request()>& request);

 private:
  std::mutex lock_;
  std::map<std::string, loaded_kernel> kernels_;
};

/// Compiles for the default architecture where there is a compiler; a missing NVRTC is no error before a
/// launch.
void compile_early(compile_request request);

}  // namespace core
GPARRAY_END_NAMESPACE
