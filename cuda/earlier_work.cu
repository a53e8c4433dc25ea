#include "earlier_work.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

bool kernels_wait_for_earlier_work() noexcept {
  bool all_wait = true;
  for (const int architecture : {__CUDA_ARCH_LIST__}) all_wait &= architecture >= 900;
  return all_wait;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
