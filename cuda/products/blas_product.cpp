#include <algorithm>
#include <optional>

#include <cuda/device/loop_nest.hpp>
#include <cuda/map/elementwise.hpp>
#include <cuda/map/executor.hpp>
#include <cuda/products/blas.hpp>
#include <cuda/products/blas_product.hpp>
#include <cuda/runtime/scratch.hpp>
#include <gparray/runtime/tf32.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* operation = "computing a matrix product";

/// A matrix as BLAS sees it. BLAS counts by columns: a row-major matrix is its own transpose, so we compute
/// c^T = b^T a^T, and `transposed` is set for a matrix whose columns are contiguous.
struct blas_matrix {
  const char* data;
  cublasOperation_t operation;
  std::int64_t leading;  // elements
};

std::optional<blas_matrix> as_blas(const char* data, std::int64_t rows, std::int64_t columns,
                                   std::int64_t row_stride, std::int64_t column_stride, std::int64_t size) {
  // The stride of a dimension of one element means nothing.
  const auto fits = [&](std::int64_t outer, std::int64_t outer_stride, std::int64_t inner,
                        std::int64_t inner_stride) -> std::optional<std::int64_t> {
    if (inner > 1 && inner_stride != size) return std::nullopt;
    if (outer == 1) return inner;
    if (outer_stride % size != 0 || outer_stride / size < inner) return std::nullopt;
    return outer_stride / size;
  };
  if (const auto leading = fits(rows, row_stride, columns, column_stride))
    return blas_matrix{data, CUBLAS_OP_N, *leading};
  if (const auto leading = fits(columns, column_stride, rows, row_stride))
    return blas_matrix{data, CUBLAS_OP_T, *leading};
  return std::nullopt;
}

struct operand {
  blas_matrix view;
  scratch packed;
};

/// The matrices of operand `which` of the nest; copied, all batches of them, if BLAS cannot read them as they
/// are. The nest's strides and offset of the operand are then those of the copy.
operand prepare(const matrix& x, std::int64_t rows, std::int64_t columns, dtype type, loop_nest& nest,
                int which, queue q, memory_pool& pool) {
  const auto size = static_cast<std::int64_t>(itemsize(type));
  const char* data = static_cast<const char*>(x.data);
  bool readable = true;
  for (int d = 0; d < nest.ndim; ++d) readable = readable && nest.strides[which][d] % size == 0;
  if (readable)
    if (const auto view = as_blas(data, rows, columns, x.row_stride, x.column_stride, size))
      return {*view, {}};

  input from;
  from.kind = input_kind::array;
  from.type = type;
  from.data = data + nest.offsets[which];
  std::int64_t shape[max_ndim], strides[max_ndim], batch_of[max_ndim], total = rows * columns;
  int ndim = 0;
  for (int d = 0; d < nest.ndim; ++d) {
    if (nest.strides[which][d] == 0) continue;  // broadcast: one copy serves all
    shape[ndim] = nest.shape[d];
    from.strides[ndim] = nest.strides[which][d];
    batch_of[ndim] = d;
    total *= nest.shape[d];
    ++ndim;
  }
  const int n_batch = ndim;
  shape[ndim] = rows;
  from.strides[ndim++] = x.row_stride;
  shape[ndim] = columns;
  from.strides[ndim++] = x.column_stride;
  contiguous_strides(ndim, shape, itemsize(type), strides);
  scratch packed(pool, static_cast<std::size_t>(total * size), q.stream);
  run_elementwise({ufunc::cast, type, {&from}, packed.data(), type, strides, ndim, shape, total}, q);
  for (int d = 0; d < n_batch; ++d) nest.strides[which][batch_of[d]] = strides[d];
  nest.offsets[which] = 0;
  return {{static_cast<const char*>(packed.data()), CUBLAS_OP_N, columns}, std::move(packed)};
}

struct gemm_types {
  cudaDataType_t data;
  cublasComputeType_t compute;
};

gemm_types types_of(dtype type) {
  const cublasComputeType_t single = tf32_allowed() ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
  switch (type) {
    case dtype::float16:
      return {CUDA_R_16F, CUBLAS_COMPUTE_32F};
    case dtype::bfloat16:
      return {CUDA_R_16BF, CUBLAS_COMPUTE_32F};
    case dtype::float32:
      return {CUDA_R_32F, single};
    case dtype::float64:
      return {CUDA_R_64F, CUBLAS_COMPUTE_64F};
    case dtype::complex64:
      return {CUDA_C_32F, single};
    default:
      return {CUDA_C_64F, CUBLAS_COMPUTE_64F};
  }
}

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

}  // namespace

void run_blas(const matmul_plan& plan, const loop_nest& batches, queue q, memory_pool& pool) {
  loop_nest nest = batches;
  const auto size = static_cast<std::int64_t>(itemsize(plan.type));
  const operand a = prepare(plan.a, plan.m, plan.k, plan.type, nest, 1, q, pool);
  const operand b = prepare(plan.b, plan.k, plan.n, plan.type, nest, 2, q, pool);
  std::int64_t m = plan.m;
  // Stacked matrices times one matrix are one tall matrix times it.
  if (nest.ndim == 1 && nest.strides[2][0] == 0 && a.view.operation == CUBLAS_OP_N &&
      nest.strides[1][0] == m * a.view.leading * size && nest.strides[0][0] == m * plan.n * size) {
    m *= nest.shape[0];
    nest.ndim = 0;
    nest.size = 1;
  }

  const scratch workspace(pool, blas_workspace_bytes, q.stream);
  const cublasHandle_t handle = blas_handle(q, workspace.data(), blas_workspace_bytes);
  const gemm_types types = types_of(plan.type);
  const scales scale(plan.type);
  // cuBLAS takes the innermost batch dimension as strides; the others are a loop.
  const int inner = nest.ndim - 1;
  const std::int64_t n_inner = inner >= 0 ? nest.shape[inner] : 1, n_outer = nest.size / n_inner;
  std::int64_t steps[3] = {};
  for (int i = 0; i < 3 && inner >= 0; ++i) steps[i] = nest.strides[i][inner] / size;
  for (std::int64_t outer = 0; outer < n_outer; ++outer) {
    std::int64_t at[3] = {nest.offsets[0], nest.offsets[1], nest.offsets[2]}, rest = outer;
    for (int d = inner - 1; d >= 0; --d) {
      for (int i = 0; i < 3; ++i) at[i] += rest % nest.shape[d] * nest.strides[i][d];
      rest /= nest.shape[d];
    }
    const void *first = b.view.data + at[2], *second = a.view.data + at[1];
    void* result = static_cast<char*>(plan.c.data) + at[0];
    if (n_inner == 1) {
      check_blas(
          "cublasGemmEx",
          blas().cublasGemmEx_64(handle, b.view.operation, a.view.operation, plan.n, m, plan.k, scale.one,
                                 first, types.data, b.view.leading, second, types.data, a.view.leading,
                                 scale.zero, result, types.data, plan.n, types.compute, CUBLAS_GEMM_DEFAULT),
          operation);
    } else {
      check_blas("cublasGemmStridedBatchedEx",
                 blas().cublasGemmStridedBatchedEx_64(handle, b.view.operation, a.view.operation, plan.n, m,
                                                      plan.k, scale.one, first, types.data, b.view.leading,
                                                      steps[2], second, types.data, a.view.leading, steps[1],
                                                      scale.zero, result, types.data, plan.n, steps[0],
                                                      n_inner, types.compute, CUBLAS_GEMM_DEFAULT),
                 operation);
    }
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
