// Two CUDA kernels from their source text: scaling and adding vectors, checked against gparray's own.
#include "on_gpu.hpp"

namespace gp = gparray;

namespace {

constexpr const char* source = R"(
extern "C" __global__ void scale(float* x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

template<class T>
__global__ void add(const T* x, const T* y, T* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = x[i] + y[i];
}
)";

int run(int argc, char** argv) {
  command_line options(argc, argv, "Runs two CUDA kernels of its own.");
  const int n = options.value("-n/--size", 1000000, "elements of each vector");
  const gp::device gpu = gpu_of(options);

  constexpr int block = 256;
  const int grid = (n + block - 1) / block;
  const auto numbers = gp::arange<float>(n).eval();

  const gp::RawKernel scale(source, "scale");
  const gp::ndarray<float> x = numbers.copy();
  scale(grid, block, x, 2.5f, n);
  const bool scaled = gp::all(x == 2.5f * numbers).item();
  fmt::print("scale: {} registers a thread, {}\n", scale.num_regs(), scaled ? "right" : "WRONG");

  const gp::RawKernel add(source, "add<double>");
  const gp::ndarray<double> a = gp::linspace<double>(0, 1, n), sum = gp::empty<double>({n});
  // An expression as an argument is computed first.
  add(grid, block, a, a * a, sum, n);
  const bool added = gp::all(sum == a + a * a).item();
  fmt::print("add<double>: {}\n", added ? "right" : "WRONG");

  const double bytes = 3.0 * static_cast<double>(sum.nbytes());
  const double ms = milliseconds_on_gpu([&] { add(grid, block, a, a, sum, n); });
  fmt::print("add<double> on {}: {:.4f} ms, {:.0f} GB/s\n", gpu.name(), ms, bytes / ms / 1e6);
  return scaled && added ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
