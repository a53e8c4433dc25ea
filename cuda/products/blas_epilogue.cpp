// Products with a bias and an activation by cuBLASLt.
#include <algorithm>
#include <limits>

#include <cuda/products/blas_lt.hpp>
#include <cuda/products/blas_operands.hpp>
#include <cuda/products/blas_product.hpp>
#include <cuda/runtime/runtime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* what = "computing a matrix product with an epilogue";

void check(const char* call, cublasStatus_t status) { check_blas(call, status, what); }

/// Something that cuBLASLt makes and sets attributes of.
#define GPARRAY_BLAS_LT_DESCRIPTION(name, Handle, stem)                                                    \
  class name {                                                                                             \
   public:                                                                                                 \
    template<class... Arguments>                                                                           \
    explicit name(Arguments... arguments) {                                                                \
      check(#stem "Create", blas_lt().stem##Create(&handle_, arguments...));                               \
    }                                                                                                      \
    ~name() { blas_lt().stem##Destroy(handle_); }                                                          \
    name(const name&) = delete;                                                                            \
    name& operator=(const name&) = delete;                                                                 \
    template<class Attribute, class T>                                                                     \
    void set(Attribute attribute, T value) const {                                                         \
      check(#stem "SetAttribute", blas_lt().stem##SetAttribute(handle_, attribute, &value, sizeof value)); \
    }                                                                                                      \
    Handle get() const { return handle_; }                                                                 \
                                                                                                           \
   private:                                                                                                \
    Handle handle_ = nullptr;                                                                              \
  };
GPARRAY_BLAS_LT_DESCRIPTION(description_of_product, cublasLtMatmulDesc_t, cublasLtMatmulDesc)
GPARRAY_BLAS_LT_DESCRIPTION(description_of_matrix, cublasLtMatrixLayout_t, cublasLtMatrixLayout)
GPARRAY_BLAS_LT_DESCRIPTION(preference, cublasLtMatmulPreference_t, cublasLtMatmulPreference)
#undef GPARRAY_BLAS_LT_DESCRIPTION

/// A matrix of rows x columns as BLAS counts, before its operation; or as many as the batch has.
class layout : public description_of_matrix {
 public:
  layout(cudaDataType_t type, const void* address, std::int64_t rows, std::int64_t columns,
         std::int64_t leading, std::int64_t count, std::int64_t step, std::int64_t size)
      : description_of_matrix(type, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
                              leading),
        bits_(reinterpret_cast<std::uintptr_t>(address) |
              static_cast<std::uintptr_t>(count > 1 ? step * size : 0)) {
    if (count == 1) return;
    set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<std::int32_t>(count));
    set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, step);
  }
  /// Of all matrices; cuBLASLt asks for no more.
  std::uint32_t alignment() const {
    return static_cast<std::uint32_t>(std::min<std::uintptr_t>(bits_ & (~bits_ + 1), 256));
  }

 private:
  std::uintptr_t bits_;
};

cublasLtEpilogue_t epilogue_of(const epilogue& after) {
  switch (after.function) {
    case activation::relu:
      return after.bias ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_RELU;
    case activation::gelu:
      return after.bias ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_GELU;
    default:
      return after.bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
  }
}

bool has_epilogue(const epilogue& after) {
  // The tanh of a GPU's own instruction has 11 bits, as many as float16.
  const bool is_half = itemsize(after.result) == 2;
  return is_half || (after.result == dtype::float32 && after.function != activation::gelu);
}

}  // namespace

bool run_blas_epilogue(const matmul_plan& plan, const epilogue& after, const loop_nest& batches, queue q,
                       memory_pool& pool) {
  if (!has_epilogue(after)) return false;
  const blas_operands x = prepare_operands(plan, after.result, batches, q, pool);
  const loop_nest& nest = x.batches;
  if (nest.ndim > 1 || nest.size > std::numeric_limits<std::int32_t>::max()) return false;
  const scratch workspace(pool, blas_workspace_bytes, q.stream);
  // A handle of cuBLAS is one of cuBLASLt.
  const auto handle =
      reinterpret_cast<cublasLtHandle_t>(blas_handle(q, workspace.data(), blas_workspace_bytes));
  const auto size = static_cast<std::int64_t>(itemsize(plan.type)),
             result_size = static_cast<std::int64_t>(itemsize(after.result));
  const auto step = [&](int i, std::int64_t item) { return nest.ndim == 1 ? nest.strides[i][0] / item : 0; };
  const blas_types types = types_of(plan.type, after.result, q);
  const char *const first = x.b.data + nest.offsets[2], *const second = x.a.data + nest.offsets[1];
  char* const c_data = static_cast<char*>(plan.c.data) + nest.offsets[0];

  const description_of_product product(types.compute, CUDA_R_32F);
  product.set(CUBLASLT_MATMUL_DESC_TRANSA, static_cast<std::int32_t>(x.b.operation));
  product.set(CUBLASLT_MATMUL_DESC_TRANSB, static_cast<std::int32_t>(x.a.operation));
  product.set(CUBLASLT_MATMUL_DESC_EPILOGUE, static_cast<std::uint32_t>(epilogue_of(after)));
  if (after.bias) product.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, after.bias);  // of c's dtype by default
  const auto operand = [&](const blas_matrix& m, const char* address, std::int64_t rows, std::int64_t columns,
                           std::int64_t batch_step) {
    const bool turned = m.operation != CUBLAS_OP_N;
    return layout(types.factors, address, turned ? columns : rows, turned ? rows : columns, m.leading,
                  nest.size, batch_step, size);
  };
  const layout b = operand(x.b, first, plan.n, plan.k, step(2, size)),
               a = operand(x.a, second, plan.k, x.m, step(1, size)),
               c(types.result, c_data, plan.n, x.m, plan.n, nest.size, step(0, result_size), result_size);

  const preference wanted;
  wanted.set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<std::uint64_t>(blas_workspace_bytes));
  // Partial sums of halves are float32, as in other products.
  wanted.set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
             static_cast<std::uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
  wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, b.alignment());
  wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, a.alignment());
  wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, c.alignment());
  wanted.set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, c.alignment());

  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  const cublasStatus_t status = blas_lt().cublasLtMatmulAlgoGetHeuristic(
      handle, product.get(), b.get(), a.get(), c.get(), c.get(), wanted.get(), 1, &best, &found);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED || (status == CUBLAS_STATUS_SUCCESS && found == 0)) return false;
  check("cublasLtMatmulAlgoGetHeuristic", status);
  const float one = 1, zero = 0;
  check("cublasLtMatmul",
        blas_lt().cublasLtMatmul(handle, product.get(), &one, first, b.get(), second, a.get(), &zero, c_data,
                                 c.get(), c_data, c.get(), &best.algo, workspace.data(), blas_workspace_bytes,
                                 stream_of(q.stream)));
  return true;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
