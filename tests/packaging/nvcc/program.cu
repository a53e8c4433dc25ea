// A user's CUDA file: the umbrella header, a kernel, Thrust on an array's memory, and a function of their
// own.
#include <cstdio>

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

GPARRAY_UFUNC(limited, (x, bound), min(x, bound));

__global__ void add_index(float* values, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] += static_cast<float>(i);
}

int main() {
  if (gp::device_count() == 0) return std::puts("no GPU: compiled and linked only"), 0;
  constexpr int n = 1000;
  gp::ndarray<float> a = gp::ones<float>({n});
  float* const values = a.data();
  gp::current_stream().synchronize();
  add_index<<<(n + 255) / 256, 256>>>(values, n);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("the kernel failed"), 1;
  // 1 + 2 + ... + 1000, and with all after 10 counted as 10.
  const float total = thrust::reduce(thrust::device, values, values + n);
  const float bounded = gp::sum(limited(a, 10.f)).item();
  if (total != 500500.f || bounded != 9955.f) return std::printf("%g and %g\n", total, bounded), 1;
  std::puts("gparray works");
}
