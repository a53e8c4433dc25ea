// Matrix products of the CUDA backend, on a fake device whose cuBLAS is three loops: operands, leading
// dimensions, batches, and the arithmetic that is asked for.
#include <thread>

#include <doctest/doctest.h>

#include <core/array/layout.hpp>
#include <cuda/backend.hpp>
#include <cuda/products/blas.hpp>
#include <gparray/products.hpp>
#include <plan/backend.hpp>

#include "cuda/support/fake_gemm.hpp"
#include "cuda/support/fake_runtime.hpp"

namespace {

using namespace gparray;
using namespace gparray::core;
using std::int64_t;

using fake_gemm::asked, fake_gemm::calls;

/// The library for as long as this lives. Handles belong to threads: use it in a thread of its own.
struct fake_blas {
  fake_blas() {
    table.cublasCreate_v2 = [](cublasHandle_t* h) {
      fake_gemm::mode = CUBLAS_DEFAULT_MATH;
      *h = reinterpret_cast<cublasHandle_t>(&calls);
      return CUBLAS_STATUS_SUCCESS;
    };
    table.cublasDestroy_v2 = [](cublasHandle_t) { return CUBLAS_STATUS_SUCCESS; };
    table.cublasSetStream_v2 = [](cublasHandle_t, cudaStream_t) { return CUBLAS_STATUS_SUCCESS; };
    table.cublasSetWorkspace_v2 = [](cublasHandle_t, void*, std::size_t) { return CUBLAS_STATUS_SUCCESS; };
    table.cublasGetStatusString = [](cublasStatus_t) { return "fake"; };
    fake_gemm::add_products(table);
    cuda::exchange_blas(&table);
  }
  ~fake_blas() { cuda::exchange_blas(nullptr); }
  cuda::blas_table table{};
};

template<class Body>
void with_gpu(Body body) {
  const fake_cuda::session runtime;
  const fake_blas library;
  const auto gpu = std::make_unique<cuda::cuda_backend_type>(1);
  std::exception_ptr error;
  std::thread([&] {
    try {
      body(*gpu);
    } catch (...) {
      error = std::current_exception();
    }
  }).join();
  if (error) std::rethrow_exception(error);
}

/// `count` matrices of a by one of b, or by as many; a and b transposed in memory or not. Compared with the
/// CPU's product: sums of small whole numbers are exact.
void check_product(backend& gpu, int64_t m, int64_t n, int64_t k, int64_t count, bool turn_a, bool turn_b,
                   bool share_b) {
  CAPTURE(m);
  CAPTURE(count);
  CAPTURE(turn_a);
  CAPTURE(turn_b);
  CAPTURE(share_b);
  core::memory_pool& pool = *gpu.pool(memory_space::device, 0);
  const auto fill = [](float* to, int64_t size, int64_t step) {
    for (int64_t i = 0; i < size; ++i) to[i] = static_cast<float>(i * step % 11 - 5);
  };
  const auto bytes = [](int64_t size) { return static_cast<std::size_t>(size) * sizeof(float); };
  core::block *a = pool.allocate(bytes(count * m * k), nullptr),
              *b = pool.allocate(bytes(count * k * n), nullptr),
              *c = pool.allocate(bytes(count * m * n), nullptr);
  fill(static_cast<float*>(a->pointer), count * m * k, 7);
  fill(static_cast<float*>(b->pointer), count * k * n, 3);
  matmul_plan plan{};
  plan.type = dtype::float32;
  plan.m = m;
  plan.n = n;
  plan.k = k;
  plan.batch_ndim = count > 1;
  plan.batch_shape[0] = count;
  plan.a = {a->pointer, turn_a ? 4 : 4 * k, turn_a ? 4 * m : 4, {4 * m * k}};
  plan.b = {b->pointer, turn_b ? 4 : 4 * n, turn_b ? 4 * k : 4, {share_b ? 0 : 4 * k * n}};
  plan.c = {c->pointer, 4 * n, 4, {4 * m * n}};
  gpu.matmul(plan, {0, nullptr});
  std::vector<float> expected(static_cast<std::size_t>(count * m * n));
  plan.c.data = expected.data();
  host_backend().matmul(plan, {});
  CHECK(std::equal(expected.begin(), expected.end(), static_cast<const float*>(c->pointer)));
  for (core::block* used : {a, b, c}) pool.deallocate(used);
}

}  // namespace

TEST_CASE("products find their operands, whichever way they lie") {
  with_gpu([](backend& gpu) {
    for (int bits = 0; bits < 8; ++bits)
      for (const int64_t count : {1, 3})
        check_product(gpu, 4, 5, 6, count, bits & 1, (bits & 2) != 0, count > 1 && (bits & 4) != 0);
    CHECK(calls == 16);
    // Matrices of one row and column, whose strides mean nothing.
    check_product(gpu, 1, 5, 1, 1, false, true, false);
    check_product(gpu, 4, 1, 3, 2, true, false, true);
  });
}

TEST_CASE("float32 is rounded to TF32 only where the program allows it") {
  with_gpu([](backend& gpu) {
    REQUIRE(!tf32_allowed());
    check_product(gpu, 2, 3, 4, 1, false, false, false);
    check_product(gpu, 2, 3, 4, 2, false, false, false);
    CHECK(asked == std::set{CUBLAS_COMPUTE_32F});
    asked.clear();
    allow_tf32(true);
    CHECK(tf32_allowed());
    check_product(gpu, 2, 3, 4, 1, false, false, false);
    check_product(gpu, 2, 3, 4, 2, false, false, false);
    CHECK(asked == std::set{CUBLAS_COMPUTE_32F_FAST_TF32});
    allow_tf32(false);
    asked.clear();
    check_product(gpu, 2, 3, 4, 1, false, false, false);
    CHECK(asked == std::set{CUBLAS_COMPUTE_32F});
  });
}
