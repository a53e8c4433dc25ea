// RawKernel and RawModule on a real GPU.
#include <chrono>

#include <doctest/doctest.h>

#include <cuda/runtime/runtime.hpp>
#include <gparray/gparray.hpp>

#include "support/error_text.hpp"

namespace {

namespace gp = gparray;

bool has_gpu() {
  if (gp::device_count() > 0) return true;
  MESSAGE("skipped: no GPU");
  return false;
}

constexpr const char* source = R"(
struct pair { float a; int b; };
extern "C" __global__ void scale(float* x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
extern "C" __global__ void with_struct(int* out, pair p, unsigned char small, double d) {
  out[0] = p.a; out[1] = p.b; out[2] = small; out[3] = d;
}
extern "C" __global__ void where(int* out) {
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}
extern "C" __global__ void reversed(float* x, int n) {
  extern __shared__ float tile[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = x[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = tile[n - 1 - i];
}
template<class T> __global__ void fill(T* x, T value) { x[threadIdx.x] = value; }
__constant__ float table[4];
extern "C" __global__ void look_up(float* out) { out[threadIdx.x] = table[threadIdx.x]; }
extern "C" __global__ void spin(float* x, long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {}
  x[0] += 1;
}
)";

constexpr const char* cooperative_source = R"(
#include <cooperative_groups.h>
extern "C" __global__ void sum_of_blocks(int* blocks, int* out) {
  if (threadIdx.x == 0) blocks[blockIdx.x] = blockIdx.x + 1;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += blocks[i];
    *out = sum;
  }
})";

struct pair {
  float a;
  int b;
};

}  // namespace

TEST_CASE("numbers, structs, views, grids and blocks arrive") {
  if (!has_gpu()) return;
  const gp::device_guard on_gpu(gp::device::cuda(0));
  const gp::RawModule module({.code = source, .name_expressions = {"fill<double>"}});
  gp::ndarray<float> x = gp::arange<float>(1000);
  const gp::RawKernel scale = module.get_function("scale");
  scale(4, 256, x, 2.f, 1000);
  CHECK(gp::all(x == 2.f * gp::arange<float>(1000)).item());
  scale(2, 256, x("500:"), 0.f, 500);
  CHECK(gp::sum(x("500:")).item() == 0);
  CHECK(x.item(499) == 998);

  gp::ndarray<int> out = gp::zeros<int>({4});
  module.get_function("with_struct")(1, 1, out, pair{1.f, 2}, static_cast<unsigned char>(3), 4.);
  CHECK(out.to_vector() == std::vector<int>{1, 2, 3, 4});
  gp::ndarray<int> indices = gp::full<int>({24 * 24}, -1);
  module.get_function("where")({2, 3, 4}, {4, 3, 2}, indices);
  const std::vector<int> numbers = indices.to_vector();
  int wrong = 0;
  for (int i = 0; i < 24 * 24; ++i) wrong += numbers[static_cast<std::size_t>(i)] != i / 24 * 1000 + i % 24;
  CHECK(wrong == 0);

  gp::ndarray<double> d = gp::zeros<double>({3});
  module.get_function("fill<double>")(1, 3, d, 1.5);
  CHECK(d.to_vector() == std::vector<double>{1.5, 1.5, 1.5});

  module.get_global<float>("table")("1:3") = 7.f;
  gp::ndarray<float> looked = gp::ones<float>({4});
  module.get_function("look_up")(1, 4, looked);
  CHECK(looked.to_vector() == std::vector<float>{0, 7, 7, 0});
  CHECK(module.get_global("table").bytes == 16);
}

TEST_CASE("the driver's own parameter sizes are checked") {
  if (!has_gpu()) return;
  const gp::device_guard on_gpu(gp::device::cuda(0));
  const gp::RawModule module({.code = source});
  const gp::RawKernel k = module.get_function("with_struct");
  gp::ndarray<int> out = gp::zeros<int>({4});
  check_contains(error_of<gp::type_error>([&] { k(1, 1, out, 1.f, static_cast<unsigned char>(3), 4.); }),
                 "parameter 1 has 8 bytes, and argument 1 has 4");
  CHECK(gp::sum(out).item() == 0);
  // Compiled code has no declaration, only sizes.
  const gp::RawModule ptx({.code = R"(.version 8.0
.target sm_70
.address_size 64
.visible .entry nothing(.param .u64 a, .param .u32 b) { ret; }
)"});
  const gp::RawKernel nothing = ptx.get_function("nothing");
  nothing(1, 1, out, 1);
  gp::synchronize();
  check_contains(error_of<gp::type_error>([&] { nothing(1, 1, out); }), "has 2 parameters, and 1 arguments");
  check_contains(error_of<gp::type_error>([&] { nothing(1, 1, out, 2.); }), "parameter 1 has 4 bytes");
}

TEST_CASE("shared memory up to the GPU's own limit") {
  if (!has_gpu()) return;
  const gp::device_guard on_gpu(gp::device::cuda(0));
  gp::RawKernel reversed(source, "reversed");
  constexpr int n = 20000;  // 80 kB
  gp::ndarray<float> x = gp::arange<float>(n);
  check_contains(error_of<gp::value_error>([&] { reversed(1, 256, {.shared_mem = 4 * n}, x, n); }),
                 "80000 bytes of dynamic shared memory are asked for, and 49152 are allowed");
  reversed.max_dynamic_shared_size_bytes(4 * n);
  CHECK(reversed.max_dynamic_shared_size_bytes() == 4 * n);
  reversed(1, 256, {.shared_mem = 4 * n}, x, n);
  CHECK(gp::all(x == static_cast<float>(n - 1) - gp::arange<float>(n)).item());
  check_contains(error_of<gp::value_error>([&] { reversed.max_dynamic_shared_size_bytes(1 << 20); }),
                 "does not give a block 1048576 bytes");
  reversed(1, 256, {.shared_mem = 4 * n}, x, n);  // and the GPU is well
  CHECK(x.item(5) == 5);
  CHECK(reversed.num_regs() > 0);
  CHECK(reversed.max_threads_per_block() == 1024);
  CHECK(reversed.binary_version() >= 70);
  CHECK(reversed.shared_size_bytes() == 0);
  check_contains(error_of<gp::value_error>([&] { reversed(1, {1024, 2}, x, n); }), "a block of 2048 threads");
}

TEST_CASE("cooperative launches") {
  if (!has_gpu()) return;
  const gp::device_guard on_gpu(gp::device::cuda(0));
  const gp::RawKernel sum(cooperative_source, "sum_of_blocks");
  gp::ndarray<int> blocks = gp::zeros<int>({64}), out = gp::zeros<int>({1});
  sum(64, 32, {.cooperative = true}, blocks, out);
  CHECK(out.item() == 64 * 65 / 2);
  check_contains(error_of<gp::cuda_error>([&] { sum(1000000, 1024, {.cooperative = true}, blocks, out); }),
                 "use fewer or smaller ones");
}

TEST_CASE("streams: order of pending arguments, and memory freed while it is in use") {
  if (!has_gpu()) return;
  const gp::device_guard on_gpu(gp::device::cuda(0));
  const gp::RawModule module({.code = source});
  const gp::RawKernel spin = module.get_function("spin"), scale = module.get_function("scale");
  const gp::stream s;
  for (int round = 0; round < 20; ++round) {
    gp::ndarray<float> slow = gp::zeros<float>({1000});
    spin(1, 1, slow, 2000000LL);
    auto pending = slow + 1.f;  // computed on the default stream, behind the slow kernel
    scale(4, 256, {.stream = s}, pending, 3.f, 1000);
    s.synchronize();
    REQUIRE(pending.item(0) == 6);
    REQUIRE(pending.item(999) == 3);
  }
  // What is pending and reads an array is ahead of a kernel that writes it.
  for (int round = 0; round < 20; ++round) {
    gp::ndarray<float> slow = gp::zeros<float>({1000}), a = gp::ones<float>({1000});
    gp::synchronize();
    spin(1, 1, slow, 2000000LL);
    const auto before = slow + a;
    scale(4, 256, {.stream = s}, a, 3.f, 1000);
    s.synchronize();
    REQUIRE(before.item(999) == 1);
    REQUIRE(a.item(999) == 3);
  }
  const gp::ndarray<float> big = gp::ones<float>({1 << 20});
  gp::synchronize();
  for (int round = 0; round < 20; ++round) {
    gp::ndarray<float> result = gp::zeros<float>({1});
    gp::synchronize();
    {
      gp::ndarray<float> x = gp::ones<float>({1});
      gp::synchronize();
      spin(1, 1, {.stream = s}, x, 2000000LL);
    }
    const gp::ndarray<float> y = gp::full<float>({1}, 5.f);  // must not be where x was
    s.synchronize();
    REQUIRE(y.item() == 5);
  }
}

TEST_CASE("a graph launches kernels whose program is gone otherwise") {
  if (!has_gpu()) return;
  const gp::device_guard on_gpu(gp::device::cuda(0));
  gp::ndarray<float> x = gp::ones<float>({1000});
  gp::graph g = [&] {
    const gp::RawKernel scale(source, "scale");
    return gp::capture([&] { scale(4, 256, x, 2.f, 1000); });
  }();
  for (int i = 0; i < 3; ++i) g.launch();
  CHECK(gp::all(x == 8.f).item());
}

// At most 1.5 times a bare launch: nothing is allocated, hashed or formatted.
TEST_CASE("launch overhead") {
  if (!has_gpu()) return;
  const gp::device_guard on_gpu(gp::device::cuda(0));
  const gp::RawKernel scale("extern \"C\" __global__ void nothing(float* x, float by, int n) {}", "nothing");
  gp::ndarray<float> x = gp::zeros<float>({4});
  namespace cuda = gp::core::cuda;
  cudaLibrary_t library;
  cudaKernel_t kernel;
  const std::string ptx =
      ".version 8.0\n.target sm_70\n.address_size 64\n"
      ".visible .entry nothing(.param .u64 a, .param .f32 b, .param .u32 c) { ret; }\n";
  REQUIRE(cuda::runtime.cudaLibraryLoadData(&library, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr,
                                            0) == cudaSuccess);
  REQUIRE(cuda::runtime.cudaLibraryGetKernel(&kernel, library, "nothing") == cudaSuccess);
  const auto microseconds = [](auto&& launch) {
    double best = 1e9;
    for (int round = 0; round < 20; ++round) {
      gp::synchronize();
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < 500; ++i) launch();
      const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
      best = std::min(best, time.count() / 500);
    }
    return best;
  };
  float* data = x.data();
  float by = 2;
  int n = 4;
  void* arguments[] = {&data, &by, &n};
  const double bare =
      microseconds([&] { cuda::runtime.cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, nullptr); });
  const double ours = microseconds([&] { scale(1, 32, x, 2.f, 4); });
  MESSAGE("bare launch " << bare << " us, RawKernel " << ours << " us, ratio " << ours / bare);
  CHECK(ours < 1.5 * bare);
  cuda::runtime.cudaLibraryUnload(library);
}

TEST_CASE("a warm disk cache: time from source to first launch") {
  if (!has_gpu()) return;
  const gp::device_guard on_gpu(gp::device::cuda(0));
  const gp::jit_counters before = gp::jit_statistics();
  const auto start = std::chrono::steady_clock::now();
  const gp::RawKernel scale(source, "scale", {"-DWARM"});
  gp::ndarray<float> x = gp::zeros<float>({4});
  scale(1, 32, x, 2.f, 4);
  gp::synchronize();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  const gp::jit_counters after = gp::jit_statistics();
  MESSAGE(std::string(after.disk_hits > before.disk_hits ? "from disk: " : "compiled: ")
          << time.count() << " ms, of that loading " << 1000 * (after.load_seconds - before.load_seconds)
          << " ms");
  CHECK(after.load_seconds > before.load_seconds);
}
