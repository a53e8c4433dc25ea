#include "launch.hpp"

#include <fmt/format.h>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

void throw_launch_error(std::string_view operation, cudaError_t code) {
  throw_cuda_error("cudaLaunchKernel", code, fmt::format("launching {}", operation).c_str());
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
