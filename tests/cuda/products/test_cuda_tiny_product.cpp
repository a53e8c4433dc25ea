// Products of small matrices on the CUDA backend: its launches run on the CPU, with the kernel as g++
// compiles it.
#include <complex>
#include <unordered_map>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/products/tiny_params.hpp>
#include <plan/plan.hpp>

#include "cuda/support/emulated_launches.hpp"

namespace {

using namespace gparray;
using namespace gparray::core;
using std::int64_t;

emulation::kernel_map compile_kernels() {
  static emulation::program program;
  program.include("cuda/products/tiny_product.cuh");
  std::vector<std::pair<const void*, std::size_t>> wanted;
  for (const auto& [type, name] : {std::pair{dtype::float16, "gparray::float16"},
                                   std::pair{dtype::float32, "float"}, std::pair{dtype::float64, "double"},
                                   std::pair{dtype::complex128, "gparray::kernel::complex<double>"}})
    wanted.emplace_back(cuda::find_tiny_kernel(type),
                        program.add("gparray::core::cuda::multiply_tiny<" + std::string(name) + ">", true));
  return emulation::built(program, wanted);
}

using fixture = emulation::launching_device<&compile_kernels>;

/// 3 x 2 batches; a's are transposed in memory, b has only the inner ones. Sums of small whole numbers are
/// exact.
template<class T>
void check(fixture& f, int64_t m, int64_t n, int64_t k) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  constexpr auto size = static_cast<int64_t>(sizeof(T));
  const auto numbers = [](int64_t count, int64_t step) {
    std::vector<T> values;
    for (int64_t i = 0; i < count; ++i)
      values.push_back(static_cast<T>(static_cast<float>(i * step % 7 - 3)));
    return values;
  };
  std::vector<T> a = numbers(6 * m * k, 5), b = numbers(2 * k * n, 3);
  std::vector<T> c[2];
  matmul_plan plan{};
  plan.type = dtype_of<T>;
  plan.m = m;
  plan.n = n;
  plan.k = k;
  plan.batch_ndim = 2;
  plan.batch_shape[0] = 3;
  plan.batch_shape[1] = 2;
  plan.a = {a.data(), size, m * size, {2 * m * k * size, m * k * size}};
  plan.b = {b.data(), n * size, size, {0, k * n * size}};
  backend* const backends[] = {&host_backend(), &f.gpu};
  for (int i = 0; i < 2; ++i) {
    c[i].assign(static_cast<std::size_t>(6 * m * n), static_cast<T>(77.f));
    plan.c = {c[i].data(), n * size, size, {2 * m * n * size, m * n * size}};
    backends[i]->matmul(plan, {});
  }
  CHECK((c[0] == c[1]));
  CHECK(fake_cuda::model.launches.size() == 1);
  fake_cuda::model.launches.clear();
}

}  // namespace

TEST_CASE_FIXTURE(fixture, "small products are those of the CPU") {
  for (const auto& [m, n, k] :
       {std::array{4, 4, 4}, std::array{1, 5, 8}, std::array{3, 1, 2}, std::array{7, 8, 1},
        std::array{32, 31, 30}, std::array{150, 3, 3}, std::array{2, 70, 5}}) {
    check<float>(*this, m, n, k);
    check<double>(*this, m, n, k);
    check<std::complex<double>>(*this, m, n, k);
    check<float16>(*this, m, n, k);
  }
}

TEST_CASE_FIXTURE(fixture, "halves are added up in float32") {
  std::vector<float16> a(32, float16(1.f)), c(1);
  a[0] = float16(2048.f);  // to which 1 adds nothing in halves
  std::vector<float16> ones(32, float16(1.f));
  matmul_plan plan{};
  plan.type = dtype::float16;
  plan.m = plan.n = 1;
  plan.k = 31;
  plan.a = {a.data(), 62, 2, {}};
  plan.b = {ones.data(), 2, 2, {}};
  plan.c = {c.data(), 2, 2, {}};
  gpu.matmul(plan, {});
  CHECK(c[0] == float16(2078.f));
}
