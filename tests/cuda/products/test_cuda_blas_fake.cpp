// Matrix products of the CUDA backend, on a fake device whose cuBLAS is three loops: operands, leading
// dimensions, batches, and the arithmetic that is asked for.
#include <cmath>
#include <thread>

#include <doctest/doctest.h>

#include <core/array/layout.hpp>
#include <cuda/backend.hpp>
#include <cuda/products/blas.hpp>
#include <gparray/products.hpp>
#include <gparray/products/einsum.hpp>
#include <plan/backend.hpp>
#include <plan/epilogue.hpp>
#include <plan/linalg_engine.hpp>

#include "cuda/support/fake_blas_lt.hpp"
#include "cuda/support/fake_device.hpp"
#include "cuda/support/fake_gemm.hpp"
#include "cuda/support/fake_runtime.hpp"

namespace {

using namespace gparray;
using namespace gparray::core;
using std::int64_t;

using fake_gemm::asked, fake_gemm::calls, fake_gemm::routines;

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
  const fake_blas_lt::session epilogues;
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

/// Operands of one product in the device's memory: `count` matrices of a by one of b, or by as many; a and b
/// transposed in memory or not. Elements are small whole numbers, whose sums are exact.
template<class Factor, class Result>
class product_of {
 public:
  product_of(backend& gpu, int64_t m, int64_t n, int64_t k, int64_t count, bool turn_a, bool turn_b,
             bool share_b)
      : pool_(*gpu.pool(memory_space::device, 0)), gpu_(gpu), size_(count * m * n) {
    constexpr auto f = static_cast<int64_t>(sizeof(Factor)), r = static_cast<int64_t>(sizeof(Result));
    plan.type = dtype_of<Factor>;
    plan.m = m;
    plan.n = n;
    plan.k = k;
    plan.batch_ndim = count > 1;
    plan.batch_shape[0] = count;
    plan.a = {allocate<Factor>(count * m * k, 7), turn_a ? f : f * k, turn_a ? f * m : f, {f * m * k}};
    plan.b = {allocate<Factor>(count * k * n, 3),
              turn_b ? f : f * n,
              turn_b ? f * k : f,
              {share_b ? 0 : f * k * n}};
    plan.c = {allocate<Result>(size_, 1), r * n, r, {r * m * n}};
  }
  ~product_of() {
    for (core::block* used : blocks_) pool_.deallocate(used);
  }
  product_of(const product_of&) = delete;
  product_of& operator=(const product_of&) = delete;

  template<class T>
  T* allocate(int64_t size, int64_t step) {
    blocks_.push_back(pool_.allocate(static_cast<std::size_t>(size) * sizeof(T), nullptr));
    T* const to = static_cast<T*>(blocks_.back()->pointer);
    for (int64_t i = 0; i < size; ++i) to[i] = T(static_cast<float>(i * step % 11 - 5));
    return to;
  }
  /// In float32, rounded once.
  template<class T = Result>
  std::vector<T> expected() const {
    const auto at = [](const matrix& x, int64_t batch, int64_t row, int64_t column) {
      return static_cast<float>(
          *reinterpret_cast<const Factor*>(static_cast<const char*>(x.data) + batch * x.batch_strides[0] +
                                           row * x.row_stride + column * x.column_stride));
    };
    std::vector<T> c;
    for (int64_t i = 0; i < size_; ++i) {
      const int64_t row = i / plan.n % plan.m, batch = i / (plan.n * plan.m);
      float sum = 0;
      for (int64_t l = 0; l < plan.k; ++l)
        sum += at(plan.a, batch, row, l) * at(plan.b, batch, l, i % plan.n);
      c.push_back(T(sum));
    }
    return c;
  }
  void check() {
    if constexpr (std::is_same_v<Factor, Result>) gpu_.matmul(plan, {0, nullptr});
    else REQUIRE(gpu_.linalg()->matmul(plan, epilogue{dtype_of<Result>}, {0, nullptr}));
    const auto c = expected();
    CHECK(std::equal(c.begin(), c.end(), static_cast<const Result*>(plan.c.data)));
  }

  matmul_plan plan{};

 private:
  core::memory_pool& pool_;
  backend& gpu_;
  int64_t size_;
  std::vector<core::block*> blocks_;
};

template<class Factor = float, class Result = Factor>
void check_product(backend& gpu, int64_t m, int64_t n, int64_t k, int64_t count, bool turn_a, bool turn_b,
                   bool share_b) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(count);
  CAPTURE(turn_a);
  CAPTURE(turn_b);
  CAPTURE(share_b);
  product_of<Factor, Result>(gpu, m, n, k, count, turn_a, turn_b, share_b).check();
}

template<class Factor, class Result>
void check_layouts(backend& gpu) {
  for (int bits = 0; bits < 8; ++bits)
    for (const int64_t count : {1, 3})
      check_product<Factor, Result>(gpu, 12, 50, 9, count, bits & 1, (bits & 2) != 0,
                                    count > 1 && (bits & 4) != 0);
}

/// A product with an epilogue, and what it should be: f(sum, column) in float32, rounded once.
template<class Factor, class Result, class F>
void check_epilogue(backend& gpu, product_of<Factor, Result>& p, const epilogue& after, F f) {
  REQUIRE(gpu.linalg()->matmul(p.plan, after, {0, nullptr}));
  const std::vector<float> sums = p.template expected<float>();
  const auto* const c = static_cast<const Result*>(p.plan.c.data);
  long wrong = 0;
  for (std::size_t i = 0; i < sums.size(); ++i)
    wrong += static_cast<float>(c[i]) !=
             static_cast<float>(Result(f(sums[i], static_cast<int64_t>(i) % p.plan.n)));
  CHECK(wrong == 0);
}

struct precision_guard {
  ~precision_guard() { set_float32_matmul_precision(before); }
  matmul_precision before = float32_matmul_precision();
};

}  // namespace

TEST_CASE("products find their operands, whichever way they lie") {
  with_gpu([](backend& gpu) {
    check_layouts<float, float>(gpu);
    CHECK(calls == 16);
    CHECK(routines == std::set<std::string>{"gemm"});
    // Matrices of one row and column, whose strides mean nothing.
    check_product(gpu, 1, 50, 40, 1, false, true, false);
    check_product(gpu, 40, 1, 30, 2, true, false, true);
  });
}

TEST_CASE("halves are multiplied as they are, and rounded once or not at all") {
  with_gpu([](backend& gpu) {
    check_layouts<float16, float16>(gpu);
    check_layouts<float16, float>(gpu);
    check_layouts<bfloat16, bfloat16>(gpu);
    check_layouts<bfloat16, float>(gpu);
    CHECK(calls == 64);
    // Sums that a half does not hold.
    product_of<float16, float> p(gpu, 2, 3, 300, 1, false, false, false);
    std::fill_n(static_cast<float16*>(p.plan.a.data), 2 * 300, float16(63.f));
    std::fill_n(static_cast<float16*>(p.plan.b.data), 300 * 3, float16(63.f));
    p.check();
    CHECK(*static_cast<const float*>(p.plan.c.data) == 300 * 63.f * 63.f);
    // Nothing is converted: there is no kernel between.
    CHECK(fake_cuda::model.launches.empty());
    CHECK(asked == std::set{CUBLAS_COMPUTE_32F});
  });
}

TEST_CASE("a matrix times a vector is gemv, whichever way they lie") {
  with_gpu([](backend& gpu) {
    for (int bits = 0; bits < 4; ++bits) {
      check_product(gpu, 6, 1, 50, 1, bits & 1, (bits & 2) != 0, false);
      check_product(gpu, 1, 6, 50, 1, bits & 1, (bits & 2) != 0, false);
    }
    // Stacked matrices, and vectors with gaps.
    check_product(gpu, 4, 1, 50, 3, false, false, true);
    for (const bool column : {true, false}) {
      product_of<float, float> p(gpu, column ? 6 : 1, column ? 1 : 6, 50, 1, false, false, false);
      (column ? p.plan.b : p.plan.a).data = p.allocate<float>(150, 3);
      (column ? p.plan.b.row_stride : p.plan.a.column_stride) = 3 * sizeof(float);
      p.check();
    }
    CHECK(routines == std::set<std::string>{"gemv"});
    check_product(gpu, 6, 1, 50, 3, false, false, false);
    check_product<float16, float>(gpu, 6, 1, 50, 1, false, false, false);
    CHECK(routines == std::set<std::string>{"gemm", "gemv"});
  });
}

TEST_CASE("float32 is multiplied at the precision that the program allows") {
  with_gpu([](backend& gpu) {
    const precision_guard guard;
    const auto compute = [&](matmul_precision p) {
      set_float32_matmul_precision(p);
      asked.clear();
      check_product(gpu, 2, 3, 40, 1, false, false, false);
      check_product(gpu, 2, 3, 40, 2, false, false, false);
      product_of<float, float> with_epilogue(gpu, 2, 3, 4, 1, false, false, false);
      REQUIRE(gpu.linalg()->matmul(with_epilogue.plan, {dtype::float32, nullptr, activation::relu},
                                   {0, nullptr}));
      REQUIRE(asked.size() == 1);
      const cublasComputeType_t once = *asked.begin();
      check_product<float16, float>(gpu, 2, 3, 40, 1, false, false, false);
      asked.erase(once);
      CHECK((asked.empty() || asked == std::set{CUBLAS_COMPUTE_32F}));
      return once;
    };
    REQUIRE(float32_matmul_precision() == matmul_precision::float32);
    CHECK(compute(matmul_precision::float32) == CUBLAS_COMPUTE_32F);
    CHECK(compute(matmul_precision::tf32) == CUBLAS_COMPUTE_32F_FAST_TF32);
    fake_cuda::model.compute_capability = 9;
    CHECK(compute(matmul_precision::bfloat16x9) == CUBLAS_COMPUTE_32F);
#if CUBLAS_VERSION >= 120900
    fake_cuda::model.compute_capability = 10;
    CHECK(compute(matmul_precision::bfloat16x9) == CUBLAS_COMPUTE_32F_EMULATED_16BFX9);
#endif
  });
}

TEST_CASE("an epilogue works on the sums, before they are rounded") {
  with_gpu([](backend& gpu) {
    const auto check = [&]<class Factor, class Result>(Factor, Result) {
      for (int bits = 0; bits < 8; ++bits)
        for (const int64_t count : {1, 3}) {
          product_of<Factor, Result> p(gpu, 4, 5, 6, count, bits & 1, (bits & 2) != 0,
                                       count > 1 && (bits & 4) != 0);
          const Result* const bias = p.template allocate<Result>(5, 4);
          const auto plus = [&](float sum, int64_t j) { return sum + static_cast<float>(bias[j]); };
          check_epilogue(gpu, p, {dtype_of<Result>, bias, activation::none}, plus);
          check_epilogue(gpu, p, {dtype_of<Result>, bias, activation::relu},
                         [&](float sum, int64_t j) { return std::max(plus(sum, j), 0.f); });
          check_epilogue(gpu, p, {dtype_of<Result>, nullptr, activation::relu},
                         [](float sum, int64_t) { return std::max(sum, 0.f); });
          if (sizeof(Result) == 2)
            check_epilogue(gpu, p, {dtype_of<Result>, bias, activation::gelu},
                           [&](float sum, int64_t j) { return fake_blas_lt::gelu(plus(sum, j)); });
        }
    };
    check(float{}, float{});
    check(float16{}, float16{});
    check(bfloat16{}, float{});
    CHECK(routines == std::set<std::string>{"lt"});
    CHECK(fake_blas_lt::model.counts == std::set<int64_t>{1, 3});
    CHECK(fake_blas_lt::model.epilogues == std::set{CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_BIAS,
                                                    CUBLASLT_EPILOGUE_RELU_BIAS,
                                                    CUBLASLT_EPILOGUE_GELU_BIAS});
    CHECK(fake_blas_lt::model.live == 0);
  });
}

TEST_CASE("operands of an epilogue are no more aligned than they are") {
  with_gpu([](backend& gpu) {
    product_of<float, float> p(gpu, 4, 8, 8, 1, false, false, false);
    p.plan.b.data = p.allocate<float>(65, 3) + 1;
    check_epilogue(gpu, p, {dtype::float32, nullptr, activation::relu},
                   [](float sum, int64_t) { return std::max(sum, 0.f); });
    CHECK(fake_blas_lt::model.alignments == std::set<std::uint32_t>{4});  // b is the first operand
    fake_blas_lt::model.alignments.clear();
    // Batches of 7 x 7 halves begin at every second byte, wherever the first one lies.
    product_of<float16, float16> batch(gpu, 7, 7, 7, 3, false, false, false);
    check_epilogue(gpu, batch, {dtype::float16, nullptr, activation::relu},
                   [](float sum, int64_t) { return std::max(sum, 0.f); });
    CHECK(fake_blas_lt::model.alignments == std::set<std::uint32_t>{2});
  });
}

TEST_CASE("what cuBLASLt has no epilogue for is left to others, and nothing is done") {
  with_gpu([](backend& gpu) {
    const auto refuses = [&]<class T>(T, int64_t k, activation f) {
      const product_of<T, T> p(gpu, 2, 3, k, 1, false, false, false);
      return !gpu.linalg()->matmul(p.plan, {dtype_of<T>, nullptr, f}, {0, nullptr});
    };
    CHECK(refuses(double{}, 4, activation::relu));
    CHECK(refuses(float{}, 4, activation::gelu));  // of 11 bits
    CHECK(refuses(float{}, 0, activation::relu));
    fake_blas_lt::model.knows_none = true;
    CHECK(refuses(float16{}, 4, activation::relu));
    CHECK(routines.empty());
    CHECK(fake_blas_lt::model.live == 0);
  });
}

TEST_CASE("matmul hands halves to the library as they are, with what is done to their sums") {
  const fake_default_device gpu;
  const fake_blas library;
  const fake_blas_lt::session epilogues;
  std::thread([] {
    const device_guard of_thread(device::cuda(0));
    const auto a = array<float16>({{1, 2}, {3, 4}}), b = array<float16>({{1, -1}, {0, 1}});
    const auto row = array<float16>({0.5, -0.5});
    const auto launches = [] { return fake_cuda::model.launches.size(); };
    const auto before = launches();
    const auto c = matmul<float>(a, b), d = einsum<float>("ij,jk->ik", a, b).eval();
    CHECK(routines == std::set<std::string>{"gemm"});
    routines.clear();
    const auto e = matmul<float>(a, b, {.activation = "relu"});
    const auto f = matmul(a, b, {.bias = row, .activation = "relu"});
    CHECK(routines == std::set<std::string>{"lt"});
    CHECK(launches() == before);  // nothing is converted or computed before or after
    for (const ndarray<float>& x : {c, d, e}) CHECK(x.to_vector() == std::vector<float>{1, 1, 3, 1});
    CHECK(static_cast<float>(f.to_vector()[0]) == 1.5f);
    CHECK(static_cast<float>(f.to_vector()[1]) == 0.5f);
    const auto read = launches();
    // A bias of another dtype, and one that is a column, are added by a kernel behind the product.
    matmul(a, b, {.bias = array<float>({0.5f, -0.5f})}).eval();
    matmul(a, b, {.bias = row("0:1")}).eval();
    CHECK(routines == std::set<std::string>{"gemm", "lt"});
    CHECK(launches() > read);
  }).join();
}
