// planted_gpu_faults NAME: a kernel that does what no kernel should, so that compute-sanitizer's tools show
// that they look (scripts/test_gpu).
#include <cstdio>
#include <string>

#include <gparray/gparray.hpp>

#include "support/tools.hpp"

namespace gp = gparray;

namespace {

constexpr const char* source = R"(
extern "C" __global__ void write_past_the_end(float* x, int n) { x[n + threadIdx.x] = 1; }
extern "C" __global__ void read_what_was_not_written(float* x, int n) { x[0] = x[n - 1] * 2; }
extern "C" __global__ void race_in_shared_memory(float* x, int n) {
  __shared__ float shared[64];
  shared[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = shared[63 - threadIdx.x];
}
extern "C" __global__ void barrier_that_some_miss(float* x, int n) {
  if (threadIdx.x % 2 != 0) __syncthreads();
  x[threadIdx.x % n] = 1;
}
)";

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const gp::device gpu("cuda:0");
  gp::set_default_device(gpu);
  tools::begin(gpu);
  if (std::string(argv[1]) == "leak") {
    (void)gp::cuda_async_allocator(gpu).allocate(1000, nullptr);
  } else {
    const gp::RawKernel kernel(source, argv[1]);
    const auto x = gp::empty<float>({64});
    kernel(1, 64, x, 64);
    gp::synchronize();
  }
  std::printf("%s: nobody saw it\n", argv[1]);
  tools::end(gpu);
  return 0;
}
