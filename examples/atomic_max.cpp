// The largest of many integers in three ways: an atomic for every element, a reduction in shared memory with
// an atomic for every block, and gp::max.
#include <limits>

#include "on_gpu.hpp"

namespace gp = gparray;

namespace {

constexpr const char* source = R"(
extern "C" __global__ void global_atomics(const int* x, int* largest, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicMax(largest, x[i]);
}

extern "C" __global__ void shared_reduction(const int* x, int* largest, int n) {
  extern __shared__ int found[];
  int own = x[0];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own = max(own, x[i]);
  found[threadIdx.x] = own;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) found[threadIdx.x] = max(found[threadIdx.x], found[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) atomicMax(largest, found[0]);
}
)";

constexpr int block = 256;
constexpr int smallest = std::numeric_limits<int>::min();

int run(int argc, char** argv) {
  command_line options(argc, argv, "Finds the largest of many integers with atomics and without.");
  const int n = options.value("-n/--size", 1 << 24, "how many integers");
  const gp::device gpu = gpu_of(options);

  // A multiple of every index modulo a prime: all over the range, and the largest is somewhere inside.
  const gp::ndarray<int> x =
      gp::remainder(gp::arange<std::int64_t>(n) * std::int64_t{48271}, std::int64_t{2147483647})
          .astype<int>() -
      (1 << 30);
  const int expected = gp::max(x).item();
  const gp::ndarray<int> largest = gp::empty<int>({1});
  const double bytes = static_cast<double>(x.nbytes());
  bool right = true;
  const auto report = [&](const char* name, double ms, int result) {
    right = right && result == expected;
    fmt::print("{:<18} {:9.4f} ms  {:7.0f} GB/s  {}\n", name, ms, bytes / ms / 1e6,
               result == expected ? "right" : "WRONG");
  };

  fmt::print("{} integers on {}\n", n, gpu.name());
  const gp::RawModule module({.code = source});
  const int grid = std::min((n + block - 1) / block, 2048);
  for (const char* name : {"global_atomics", "shared_reduction"}) {
    const gp::RawKernel kernel = module.get_function(name);
    const std::size_t shared = name[0] == 's' ? block * sizeof(int) : 0;
    const double ms = milliseconds_on_gpu([&] {
      largest(gp::all) = smallest;
      kernel(grid, block, {.shared_mem = shared}, x, largest, n);
    });
    report(name, ms, largest.item());
  }
  gp::ndarray<int> result;
  const double ms = milliseconds_on_gpu([&] { result = gp::max(x); });
  report("gp::max", ms, result.item());
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
