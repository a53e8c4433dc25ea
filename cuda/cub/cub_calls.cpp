#include <cuda/cub/cub_calls.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

bool has_cub() noexcept { return runtime.cudaLaunchKernel == &::cudaLaunchKernel; }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
