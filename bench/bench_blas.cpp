// What cuBLAS takes for a product on a GPU, whichever way it is asked: gp::matmul beside cublasGemmEx with
// the memory that we give it and with less, and beside the algorithms that cuBLASLt names first. Decides what
// cuda/products calls.
#include <array>

#include <fmt/format.h>

#include <cuda/products/blas_lt.hpp>
#include <cuda/runtime/runtime.hpp>
#include <gparray/gparray.hpp>

#include "bench.hpp"

namespace gp = gparray;
using namespace gp::core::cuda;

namespace {

constexpr int most_algorithms = 8;

/// n x n matrices of float32, in our order: a b is b^T a^T for BLAS.
struct operands {
  explicit operands(std::int64_t size)
      : n(size),
        a(gp::full<float>({n, n}, 0.5f)),
        b(gp::full<float>({n, n}, 0.25f)),
        c(gp::empty<float>({n, n})) {}
  std::int64_t n;
  gp::ndarray<float> a, b, c;
  float one = 1, zero = 0;
};

void report(const std::string& name, bench::timing t) { bench::emit("cublas", name, t); }

void gemm(operands& x, std::size_t memory, const char* tag) {
  auto workspace = gp::empty<std::uint8_t>({static_cast<std::int64_t>(memory)});
  const cublasHandle_t handle = blas_handle({0, nullptr}, workspace.data(), memory);
  report(fmt::format("gemm_ex_{}_{}", tag, x.n),
         bench::clock(
             [&, a = x.a.data(), b = x.b.data(), c = x.c.data()] {
               check_blas("cublasGemmEx",
                          blas().cublasGemmEx_64(handle, CUBLAS_OP_N, CUBLAS_OP_N, x.n, x.n, x.n, &x.one, b,
                                                 CUDA_R_32F, x.n, a, CUDA_R_32F, x.n, &x.zero, c, CUDA_R_32F,
                                                 x.n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                          "timing");
             },
             [] { gp::device::cuda(0).synchronize(); }));
}

/// The algorithms that cuBLASLt's heuristics name, in their order.
void algorithms(operands& x) {
  auto workspace = gp::empty<std::uint8_t>({static_cast<std::int64_t>(blas_workspace_bytes)});
  const auto handle =
      reinterpret_cast<cublasLtHandle_t>(blas_handle({0, nullptr}, workspace.data(), blas_workspace_bytes));
  const blas_lt_table& lt = blas_lt();
  const auto check = [](cublasStatus_t status) { check_blas("cublasLt", status, "timing"); };
  cublasLtMatmulDesc_t product = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;
  check(lt.cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  check(lt.cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, static_cast<std::uint64_t>(x.n),
                                      static_cast<std::uint64_t>(x.n), x.n));
  check(lt.cublasLtMatmulPreferenceCreate(&preference));
  const std::uint64_t bytes = blas_workspace_bytes;
  check(lt.cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
                                                sizeof bytes));
  std::array<cublasLtMatmulHeuristicResult_t, most_algorithms> results{};
  int found = 0;
  check(lt.cublasLtMatmulAlgoGetHeuristic(handle, product, layout, layout, layout, layout, preference,
                                          most_algorithms, results.data(), &found));
  const void *a = x.a.data(), *b = x.b.data();
  void *c = x.c.data(), *memory = workspace.data();
  const auto run = [&](const cublasLtMatmulAlgo_t& algorithm) {
    check(lt.cublasLtMatmul(handle, product, &x.one, b, layout, a, layout, &x.zero, c, layout, c, layout,
                            &algorithm, memory, blas_workspace_bytes, nullptr));
  };
  for (int i = 0; i < found; ++i)
    report(fmt::format("lt_{}_{}", i, x.n),
           bench::clock([&] { run(results[static_cast<std::size_t>(i)].algo); },
                        [] { gp::device::cuda(0).synchronize(); }));
  lt.cublasLtMatmulPreferenceDestroy(preference);
  lt.cublasLtMatrixLayoutDestroy(layout);
  lt.cublasLtMatmulDescDestroy(product);
}

}  // namespace

int main() {
  if (gp::device_count() == 0) return fmt::print(stderr, "bench_blas needs a GPU\n"), 1;
  gp::set_default_device(gp::device::cuda(0));
  for (const std::int64_t n : {256, 512, 1024, 2048}) {
    operands x(n);
    report(fmt::format("matmul_{}", n),
           bench::clock([&] { gp::matmul(x.a, x.b); }, [] { gp::device::cuda(0).synchronize(); }));
    gemm(x, blas_workspace_bytes, "32MiB");
    gemm(x, std::size_t{4} << 20, "4MiB");
    algorithms(x);
  }
  return 0;
}
