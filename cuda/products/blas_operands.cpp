#include <optional>

#include <cuda/map/elementwise.hpp>
#include <cuda/map/executor.hpp>
#include <cuda/products/blas_operands.hpp>
#include <cuda/runtime/runtime.hpp>
#include <gparray/runtime/matmul_precision.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

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

/// The matrices of operand `which` of the nest; copied, all batches of them, if BLAS cannot read them as they
/// are. The nest's strides and offset of the operand are then those of the copy.
blas_matrix prepare(const matrix& x, std::int64_t rows, std::int64_t columns, dtype type, loop_nest& nest,
                    int which, queue q, memory_pool& pool, scratch& packed) {
  const auto size = static_cast<std::int64_t>(itemsize(type));
  const char* data = static_cast<const char*>(x.data);
  bool readable = true;
  for (int d = 0; d < nest.ndim; ++d) readable = readable && nest.strides[which][d] % size == 0;
  if (readable)
    if (const auto view = as_blas(data, rows, columns, x.row_stride, x.column_stride, size)) return *view;

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
  packed = scratch(pool, static_cast<std::size_t>(total * size), q.stream);
  run_elementwise({ufunc::cast, type, {&from}, packed.data(), type, strides, ndim, shape, total}, q);
  for (int d = 0; d < n_batch; ++d) nest.strides[which][batch_of[d]] = strides[d];
  nest.offsets[which] = 0;
  return {static_cast<const char*>(packed.data()), CUBLAS_OP_N, columns};
}

/// How products of float32 are computed on a device.
cublasComputeType_t single_precision(int device) {
  switch (float32_matmul_precision()) {
    case matmul_precision::tf32:
      return CUBLAS_COMPUTE_32F_FAST_TF32;
#if CUBLAS_VERSION >= 120900
    case matmul_precision::bfloat16x9: {
      int major = 0;
      call<&rt::cudaDeviceGetAttribute>("reading a device's compute capability", &major,
                                        cudaDevAttrComputeCapabilityMajor, device);
      if (major >= 10)
        return CUBLAS_COMPUTE_32F_EMULATED_16BFX9;  // the tensor cores before are too slow for it
      break;
    }
#endif
    default:
      break;
  }
  return CUBLAS_COMPUTE_32F;
}

cudaDataType_t data_type_of(dtype type) {
  switch (type) {
    case dtype::float16:
      return CUDA_R_16F;
    case dtype::bfloat16:
      return CUDA_R_16BF;
    case dtype::float32:
      return CUDA_R_32F;
    case dtype::float64:
      return CUDA_R_64F;
    case dtype::complex64:
      return CUDA_C_32F;
    default:
      return CUDA_C_64F;
  }
}

}  // namespace

blas_operands prepare_operands(const matmul_plan& plan, dtype result, const loop_nest& batches, queue q,
                               memory_pool& pool) {
  blas_operands x;
  loop_nest& nest = x.batches = batches;
  x.m = plan.m;
  x.a = prepare(plan.a, plan.m, plan.k, plan.type, nest, 1, q, pool, x.packed_a);
  x.b = prepare(plan.b, plan.k, plan.n, plan.type, nest, 2, q, pool, x.packed_b);
  const auto size = static_cast<std::int64_t>(itemsize(plan.type)),
             result_size = static_cast<std::int64_t>(itemsize(result));
  // Stacked matrices times one matrix are one tall matrix times it.
  if (nest.ndim == 1 && nest.strides[2][0] == 0 && x.a.operation == CUBLAS_OP_N &&
      nest.strides[1][0] == x.m * x.a.leading * size && nest.strides[0][0] == x.m * plan.n * result_size) {
    x.m *= nest.shape[0];
    nest.ndim = 0;
    nest.size = 1;
  }
  return x;
}

blas_types types_of(dtype factors, dtype result, queue q) {
  const bool is_double = real_dtype(factors) == dtype::float64, is_half = itemsize(factors) == 2;
  return {data_type_of(factors), data_type_of(result),
          is_double ? CUBLAS_COMPUTE_64F
          : is_half ? CUBLAS_COMPUTE_32F
                    : single_precision(q.device)};
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
