// RawKernel as a user's program has it, on every kind of machine: with a GPU, without one, without CUDA.
#include <string>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

constexpr const char* source = R"(
extern "C" __global__ void axpy(const double* x, double a, double* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
})";

}  // namespace

TEST_CASE("a kernel runs, or says what is missing") {
#if !GPARRAY_HAS_CUDA
  try {
    gp::RawKernel axpy(source, "axpy");
    FAIL("no compiler, and no error");
  } catch (const gp::library_error& e) {
    CHECK(std::string(e.what()).find("-DGPARRAY_WITH_CUDA=ON") != std::string::npos);
  }
#else
  gp::RawKernel axpy(source, "axpy");
  const gp::ndarray<double> x = gp::arange<double>(1000);
  gp::ndarray<double> y = gp::ones<double>({1000});
  if (x.device().is_cpu()) {
    CHECK_THROWS_AS(axpy(4, 256, x, 2., y, 1000), gp::device_error);
  } else {
    axpy(4, 256, x, 2., y, 1000);
    CHECK(gp::all(y == 2. * x + 1.).item());
  }
  CHECK_THROWS_AS(axpy(4, 256, x, 2., y), gp::type_error);
#endif
}

#if GPARRAY_HAS_CUDA
TEST_CASE("a kernel that may write takes no read-only array") {
  gp::RawKernel axpy(source, "axpy");
  const auto x = gp::arange<double>(8).copy(), y = gp::ones<double>({8});
  x.setflags({.write = false});
  if (x.device().is_cuda()) {
    axpy(1, 8, x, 2., y, 8);  // const double*
    CHECK(gp::all(y == 2. * x + 1.).item());
  }
  try {
    axpy(1, 8, y, 2., x, 8);
    FAIL("no error");
  } catch (const gp::value_error& e) {
    const std::string text = e.what();
    CHECK(text.find("assignment destination is read-only: axpy: argument 2") == 0);
  }
  CHECK(x.item(7) == 7);
}
#endif

TEST_CASE("the caches can be read and emptied") {
#if GPARRAY_HAS_CUDA
  const gp::jit_counters before = gp::jit_statistics();
  gp::RawKernel first(source, "axpy", {"-DSTATISTICS"}), second(source, "axpy", {"-DSTATISTICS"});
  const gp::jit_counters after = gp::jit_statistics();
  CHECK(after.memory_hits - before.memory_hits == 1);
  CHECK(after.compilations + after.disk_hits - before.compilations - before.disk_hits == 1);
  CHECK(after.memory_bytes > before.memory_bytes);
  CHECK(after.compile_seconds >= before.compile_seconds);
#else
  CHECK(gp::jit_statistics().compilations == 0);
#endif
}
