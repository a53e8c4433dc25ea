#include "bare_launch.hpp"

namespace {

__global__ void scale(float* x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

}  // namespace

void bare_launch(float* x, float by, int n) {
  void* arguments[] = {&x, &by, &n};
  cudaLaunchKernel(reinterpret_cast<const void*>(&scale), dim3(4), dim3(256), arguments, 0, nullptr);
}
