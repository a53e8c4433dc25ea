// The compiled variants of one user's kernel.
#pragma once
#include <functional>
#include <map>

#include <core/kernels/raw_program.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// One variant on one device.
struct user_kernel {
  module_handle module = nullptr;
  kernel_handle kernel = nullptr;
  std::size_t variable_bytes = 0;  ///< of the variable that was asked for
};

/// From the key of a variant and a device to its kernel. Safe from several threads.
class kernel_variants {
 public:
  /// Compiles what `request` makes, and loads it, when the key is new; then `variable`, if there is one, is
  /// looked up, too. Throws what compilers and drivers throw.
  user_kernel find(const std::string& key, device on_device, const char* name,
                   const std::function<compile_request()>& request, const char* variable = nullptr);

 private:
  struct variant {
    std::unique_ptr<raw_program> program;
    std::map<std::pair<backend*, int>, user_kernel> loaded;
  };
  std::mutex lock_;
  std::map<std::string, variant> variants_;
};

/// Compiles for the default GPU, or without one for a common one, where there is a compiler; a missing NVRTC
/// is no error before a launch.
void compile_early(compile_request request);

}  // namespace core
GPARRAY_END_NAMESPACE
