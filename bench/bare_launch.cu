#include "bare_launch.hpp"

namespace {

template<int Bytes>
struct parameters {
  float* x;
  float by;
  int n;
  char unused[Bytes - 16];
};

__device__ void scale_one(float* x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

__global__ void scale(float* x, float by, int n) { scale_one(x, by, n); }

template<int Bytes>
__global__ void scale_with(const __grid_constant__ parameters<Bytes> p) {
  scale_one(p.x, p.by, p.n);
}

void launch(const void* kernel, void** arguments) {
  cudaLaunchKernel(kernel, dim3(4), dim3(256), arguments, 0, nullptr);
}

}  // namespace

void bare_launch(float* x, float by, int n) {
  void* arguments[] = {&x, &by, &n};
  launch(reinterpret_cast<const void*>(&scale), arguments);
}

template<int Bytes>
void bare_launch_of(float* x, float by, int n) {
  parameters<Bytes> p{x, by, n, {}};
  void* arguments[] = {&p};
  launch(reinterpret_cast<const void*>(&scale_with<Bytes>), arguments);
}
template void bare_launch_of<192>(float*, float, int);
template void bare_launch_of<2048>(float*, float, int);
