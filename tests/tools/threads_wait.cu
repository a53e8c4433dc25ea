// What racecheck does to a program whose threads share a stream, with nothing of gparray in it: each launches
// a sum by one block, waits for the stream, and looks at the sum; 30 times.
//   nvcc -arch=native -O3 -o threads_wait threads_wait.cu
//   ./threads_wait 4; for threads in 1 2 4; do timeout 60 compute-sanitizer --tool racecheck ./threads_wait
//   $threads; done
// docs/gpu-testing.md has the results.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

namespace {

constexpr int n_threads_of_block = 256, n = 1000, rounds = 30;

void check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(code));
  std::exit(1);
}

__global__ void sum(int add, int* result) {
  __shared__ int part[n_threads_of_block];
  int mine = 0;
  for (int i = threadIdx.x; i < n; i += n_threads_of_block) mine += i + add;
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int k = n_threads_of_block / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = part[0];
}

}  // namespace

int main(int argc, char** argv) {
  const int n_threads = argc > 1 ? std::atoi(argv[1]) : 4;
  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
  int* results = nullptr;
  check(cudaHostAlloc(&results, static_cast<std::size_t>(n_threads) * sizeof(int), cudaHostAllocMapped),
        "memory");
  std::atomic<int> wrong{0}, done{0};
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (int t = 0; t < n_threads; ++t)
    threads.emplace_back([&, t] {
      check(cudaSetDevice(0), "a device");
      for (int i = 0; i < rounds; ++i) {
        results[t] = -1;
        sum<<<1, n_threads_of_block, 0, stream>>>(t, results + t);
        check(cudaGetLastError(), "a launch");
        check(cudaStreamSynchronize(stream), "waiting");
        wrong += results[t] != n * (n - 1) / 2 + n * t;
        if (++done % (rounds * n_threads / 3) == 0) {
          const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
          std::printf("%d of %d sums after %.2f s\n", done.load(), rounds * n_threads, took.count());
          std::fflush(stdout);
        }
      }
    });
  for (std::thread& t : threads) t.join();
  std::printf("%d threads: %d wrong\n", n_threads, wrong.load());
  return wrong != 0;
}
