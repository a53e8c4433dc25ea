// What compute-sanitizer does to kernels in the body of a conditional graph node, with nothing of gparray in
// it: a sum by 64 blocks, repeated five times on the device.
//   nvcc -arch=native -O3 -o conditional_body conditional_body.cu
//   ./conditional_body; for tool in memcheck synccheck; do compute-sanitizer --tool $tool ./conditional_body;
//   done
// docs/gpu-testing.md has the results.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

namespace {

constexpr int threads = 256, n_blocks = 64, n = 512 * 512, runs = 5;

void check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(code));
  std::exit(1);
}

__device__ double block_sum(double mine) {
  __shared__ double of_warps[threads / 32];
  for (int d = 16; d; d /= 2) mine += __shfl_down_sync(~0u, mine, d);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x < 32) {
    mine = threadIdx.x < threads / 32 ? of_warps[threadIdx.x] : 0;
    for (int d = 16; d; d /= 2) mine += __shfl_down_sync(~0u, mine, d);
  }
  __syncthreads();
  return mine;
}

__device__ bool is_last_block(unsigned* counter) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicInc(counter, n_blocks - 1) == n_blocks - 1;
    __threadfence();
  }
  __syncthreads();
  return last;
}

__global__ void __launch_bounds__(threads)
    total(const double* in, double* partials, unsigned* counter, double* out) {
  double mine = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += n_blocks * threads) mine += in[i];
  mine = block_sum(mine);
  if (threadIdx.x == 0) partials[blockIdx.x] = mine;
  if (!is_last_block(counter)) return;
  mine = block_sum(threadIdx.x < n_blocks ? partials[threadIdx.x] : 0);
  if (threadIdx.x == 0) *out = mine;
}

__global__ void condition(cudaGraphConditionalHandle handle, int* count) {
  cudaGraphSetConditional(handle, ++*count < runs);
}

template<class T>
T* zeros(int count) {
  T* p = nullptr;
  check(cudaMalloc(&p, count * sizeof(T)), "cudaMalloc");
  check(cudaMemset(p, 0, count * sizeof(T)), "cudaMemset");
  return p;
}

}  // namespace

int main() {
  double *in = zeros<double>(n), *partials = zeros<double>(n_blocks), *out = zeros<double>(1);
  auto* counter = zeros<unsigned>(1);
  auto* count = zeros<int>(1);
  cudaStream_t stream;
  check(cudaStreamCreate(&stream), "cudaStreamCreate");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");

  cudaGraph_t graph, body;
  cudaGraphConditionalHandle handle;
  check(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
  check(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault), "the condition");
  cudaGraphNodeParams loop{};
  loop.type = cudaGraphNodeTypeConditional;
  loop.conditional.handle = handle;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t node;
  check(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop), "cudaGraphAddNode");
  check(cudaStreamBeginCaptureToGraph(stream, loop.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                      cudaStreamCaptureModeRelaxed),
        "cudaStreamBeginCaptureToGraph");
  total<<<n_blocks, threads, 0, stream>>>(in, partials, counter, out);
  condition<<<1, 1, 0, stream>>>(handle, count);
  check(cudaStreamEndCapture(stream, &body), "cudaStreamEndCapture");

  cudaGraphExec_t executable;
  check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  check(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
  check(cudaStreamSynchronize(stream), "the loop");
  int times = 0;
  check(cudaMemcpy(&times, count, sizeof times, cudaMemcpyDeviceToHost), "cudaMemcpy");
  std::printf("%d runs\n", times);
  return times == runs ? 0 : 1;
}
