// A matrix product with 16 x 16 tiles in shared memory, against gp::matmul.
#include <cmath>

#include "on_gpu.hpp"

namespace gp = gparray;

namespace {

// Each block computes one tile of c; each thread one element of it. Every number that is read from global
// memory is used 16 times.
constexpr const char* source = R"(
extern "C" __global__ void tiled_matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < n; first += TILE) {
    const int k_a = first + threadIdx.x, k_b = first + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < n && k_a < n ? a[row * n + k_a] : 0;
    tile_b[threadIdx.y][threadIdx.x] = k_b < n && column < n ? b[k_b * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
)";

constexpr int tile = 16;

int run(int argc, char** argv) {
  command_line options(argc, argv,
                       "Multiplies square matrices with a kernel of its own and with gp::matmul.");
  const int n = options.value("-n/--size", 1000, "rows and columns");
  const gp::device gpu = gpu_of(options);

  const gp::RawKernel kernel(source, "tiled_matmul", {fmt::format("-DTILE={}", tile)});
  // Numbers spread over [0, 1): multiples of the golden ratio without their integer part.
  const auto spread = [&](double first) {
    return gp::ndarray<float>(gp::remainder(0.6180339887498949 * (gp::arange<double>(n * n) + first), 1.0)
                                  .reshape({n, n})
                                  .astype<float>());
  };
  const gp::ndarray<float> a = spread(0), b = spread(0.5), c = gp::empty<float>({n, n});
  const int blocks = (n + tile - 1) / tile;
  const auto run = [&] { kernel({blocks, blocks}, {tile, tile}, a, b, c, n); };
  const double own_ms = milliseconds_on_gpu(run);
  const double library_ms = milliseconds_on_gpu([&] { const gp::ndarray<float> product = gp::matmul(a, b); });

  // A sum of n products that are not negative is off by at most n * eps of itself (Higham, 2002,
  // section 3.1), and so is the other.
  const auto bound = 2.0 * n * gp::finfo<float>::eps;
  const auto exact = gp::matmul(a, b).astype<double>().eval();
  const double share = gp::max(gp::absolute(c.astype<double>() - exact) / (exact * bound)).item();

  const double flops = 2.0 * n * n * n;
  fmt::print("{} x {} on {}\n", n, n, gpu.name());
  fmt::print("tiled kernel  {:9.3f} ms  {:8.0f} GFLOP/s\n", own_ms, flops / own_ms / 1e6);
  fmt::print("gp::matmul    {:9.3f} ms  {:8.0f} GFLOP/s\n", library_ms, flops / library_ms / 1e6);
  fmt::print("largest difference: {:.3f} of what rounding explains, {}\n", share,
             share <= 1 ? "right" : "WRONG");
  return share <= 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
