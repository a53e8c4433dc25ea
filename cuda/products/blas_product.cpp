#include <algorithm>

#include <cuda/products/blas_operands.hpp>
#include <cuda/products/blas_product.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* what = "computing a matrix product";

/// One and zero in the type that scales: float, double, or their complex pairs, whose first part is the same
/// number.
struct scales {
  alignas(16) unsigned char one[16] = {}, zero[16] = {};
  explicit scales(dtype type) {
    const bool is_double = real_dtype(type) == dtype::float64;
    const double double_one = 1;
    const float float_one = 1;
    if (is_double) std::copy_n(reinterpret_cast<const unsigned char*>(&double_one), sizeof double_one, one);
    else std::copy_n(reinterpret_cast<const unsigned char*>(&float_one), sizeof float_one, one);
  }
};

/// One call for the innermost batch axis, which cuBLAS takes as strides.
struct gemm {
  void operator()(const void* b, const void* a, void* c, std::int64_t count,
                  const std::int64_t (&steps)[3]) const {
    if (count == 1) {
      check_blas(
          "cublasGemmEx",
          blas().cublasGemmEx_64(handle, x.b.operation, x.a.operation, plan.n, x.m, plan.k, scale.one, b,
                                 types.factors, x.b.leading, a, types.factors, x.a.leading, scale.zero, c,
                                 types.result, plan.n, types.compute, CUBLAS_GEMM_DEFAULT),
          what);
    } else {
      check_blas("cublasGemmStridedBatchedEx",
                 blas().cublasGemmStridedBatchedEx_64(
                     handle, x.b.operation, x.a.operation, plan.n, x.m, plan.k, scale.one, b, types.factors,
                     x.b.leading, steps[2], a, types.factors, x.a.leading, steps[1], scale.zero, c,
                     types.result, plan.n, steps[0], count, types.compute, CUBLAS_GEMM_DEFAULT),
                 what);
    }
  }

  const matmul_plan& plan;
  const blas_operands& x;
  const blas_types& types;
  const scales& scale;
  cublasHandle_t handle;
};

/// Whether one operand is a vector, for which gemm takes a quarter longer. Halves have no such routine.
bool is_gemv(const matmul_plan& plan, const blas_operands& x) {
  return (plan.n == 1 || x.m == 1) && x.batches.size == 1 && itemsize(real_dtype(plan.type)) > 2;
}

/// result = op(matrix) vector, where the matrix has rows and columns as BLAS counts.
struct gemv {
  gemv(const matmul_plan& plan, const blas_operands& x) {
    const bool column = plan.n == 1;
    const blas_matrix &m = column ? x.a : x.b, &v = column ? x.b : x.a;
    const std::int64_t size = column ? x.m : plan.n;
    const bool transposes = column == (m.operation == CUBLAS_OP_N);  // row-major is transposed for BLAS
    operation = transposes ? CUBLAS_OP_T : CUBLAS_OP_N;
    rows = transposes ? plan.k : size;
    columns = transposes ? size : plan.k;
    leading = m.leading;
    // Elements of a vector lie side by side, or as far apart as rows or columns of one element each.
    step = column == (v.operation == CUBLAS_OP_N) ? v.leading : 1;
    matrix = m.data + x.batches.offsets[column ? 1 : 2];
    vector = v.data + x.batches.offsets[column ? 2 : 1];
    result = static_cast<char*>(plan.c.data) + x.batches.offsets[0];
  }

  template<class T, class Routine>
  void call(const char* name, Routine routine, const scales& scale, cublasHandle_t handle) const {
    check_blas(name,
               routine(handle, operation, rows, columns, reinterpret_cast<const T*>(scale.one),
                       reinterpret_cast<const T*>(matrix), leading, reinterpret_cast<const T*>(vector), step,
                       reinterpret_cast<const T*>(scale.zero), reinterpret_cast<T*>(result), 1),
               what);
  }

  cublasOperation_t operation;
  std::int64_t rows, columns, leading, step;
  const char *matrix, *vector;
  char* result;
};

void run_gemv(dtype type, const gemv& f, const scales& scale, cublasHandle_t handle) {
  switch (type) {
    case dtype::float32:
      return f.call<float>("cublasSgemv", blas().cublasSgemv_v2_64, scale, handle);
    case dtype::float64:
      return f.call<double>("cublasDgemv", blas().cublasDgemv_v2_64, scale, handle);
    case dtype::complex64:
      return f.call<cuComplex>("cublasCgemv", blas().cublasCgemv_v2_64, scale, handle);
    default:
      return f.call<cuDoubleComplex>("cublasZgemv", blas().cublasZgemv_v2_64, scale, handle);
  }
}

}  // namespace

void run_blas(const matmul_plan& plan, dtype result, const loop_nest& batches, queue q, memory_pool& pool) {
  const blas_operands x = prepare_operands(plan, result, batches, q, pool);
  const scratch workspace(pool, blas_workspace_bytes, q.stream);
  const cublasHandle_t handle = blas_handle(q, workspace.data(), blas_workspace_bytes);
  const scales scale(result);
  if (is_gemv(plan, x)) return run_gemv(plan.type, gemv(plan, x), scale, handle);
  const blas_types types = types_of(plan.type, result, q);
  const gemm multiply{plan, x, types, scale, handle};
  const loop_nest& nest = x.batches;
  const auto size = static_cast<std::int64_t>(itemsize(plan.type)),
             result_size = static_cast<std::int64_t>(itemsize(result));
  // The batch dimensions outside the innermost are a loop.
  const int inner = nest.ndim - 1;
  const std::int64_t n_inner = inner >= 0 ? nest.shape[inner] : 1, n_outer = nest.size / n_inner;
  std::int64_t steps[3] = {};
  for (int i = 0; i < 3 && inner >= 0; ++i) steps[i] = nest.strides[i][inner] / (i == 0 ? result_size : size);
  for (std::int64_t outer = 0; outer < n_outer; ++outer) {
    std::int64_t at[3] = {nest.offsets[0], nest.offsets[1], nest.offsets[2]}, rest = outer;
    for (int d = inner - 1; d >= 0; --d) {
      for (int i = 0; i < 3; ++i) at[i] += rest % nest.shape[d] * nest.strides[i][d];
      rest /= nest.shape[d];
    }
    multiply(x.b.data + at[2], x.a.data + at[1], static_cast<char*>(plan.c.data) + at[0], n_inner, steps);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
