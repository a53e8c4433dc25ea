// Triangular systems by cuSPARSE, whose solutions are the same bits every time.
#include <cuda/sparse/sparse.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

using solve_description = cusparse_object<cusparseSpSMDescr_t, &cusparse_table::cusparseSpSM_destroyDescr>;

/// cuSPARSE refuses the conjugate of real matrices.
cusparseOperation_t operation_of(transposition op, dtype type) {
  if (op == transposition::adjoint && !is_complex(type)) op = transposition::transpose;
  switch (op) {
    case transposition::none:
      return CUSPARSE_OPERATION_NON_TRANSPOSE;
    case transposition::transpose:
      return CUSPARSE_OPERATION_TRANSPOSE;
    default:
      return CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  }
}

template<class Value>
void set_attribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, Value value) {
  GPARRAY_CUSPARSE(cusparseSpMatSetAttribute, matrix, attribute, &value, sizeof value);
}

/// The analysis finds out which rows wait for which; it is made once, for right-hand sides and solutions in
/// memory of this object, which therefore copies them.
class library_triangle final : public prepared_triangle {
 public:
  library_triangle(const compressed_rows& a, cudaDataType type, triangle_use use, std::int64_t width,
                   backend& owner, queue q)
      : owner_(owner),
        type_(type),
        op_(operation_of(use.op, a.type)),
        bytes_(static_cast<std::size_t>(a.rows * width) * itemsize(a.type)),
        factors_(type) {
    const call_context context(owner, q);
    const cusparseHandle_t h = cusparse_handle(q);
    right_sides_ = context.memory(bytes_);
    solutions_ = context.memory(bytes_);
    // Attributes can only be set of a matrix whose elements might be written, which they are not.
    GPARRAY_CUSPARSE(cusparseCreateCsr, &matrix_.handle, a.rows, a.columns, a.count,
                     const_cast<void*>(a.indptr), const_cast<void*>(a.indices), const_cast<void*>(a.data),
                     index_of(a), index_of(a), CUSPARSE_INDEX_BASE_ZERO, type);
    set_attribute(matrix_.handle, CUSPARSE_SPMAT_FILL_MODE,
                  use.lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER);
    set_attribute(matrix_.handle, CUSPARSE_SPMAT_DIAG_TYPE,
                  use.unit_diagonal ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT);
    for (auto [description, memory] : {std::pair(&b_, &right_sides_), std::pair(&x_, &solutions_)})
      GPARRAY_CUSPARSE(cusparseCreateDnMat, &description->handle, a.rows, width, width, memory->data(), type,
                       CUSPARSE_ORDER_ROW);
    GPARRAY_CUSPARSE(cusparseSpSM_createDescr, &steps_.handle);
    std::size_t work_bytes = 0;
    GPARRAY_CUSPARSE(cusparseSpSM_bufferSize, h, op_, as_it_is, factors_.one, matrix_.handle, b_.handle,
                     x_.handle, type, CUSPARSE_SPSM_ALG_DEFAULT, steps_.handle, &work_bytes);
    work_ = context.memory(work_bytes);
    GPARRAY_CUSPARSE(cusparseSpSM_analysis, h, op_, as_it_is, factors_.one, matrix_.handle, b_.handle,
                     x_.handle, type, CUSPARSE_SPSM_ALG_DEFAULT, steps_.handle, work_.data());
  }

  void solve(void* x, queue q) override {
    const call_context context(owner_, q);
    owner_.copy(right_sides_.data(), x, bytes_, q);
    GPARRAY_CUSPARSE(cusparseSpSM_solve, cusparse_handle(q), op_, as_it_is, factors_.one, matrix_.handle,
                     b_.handle, x_.handle, type_, CUSPARSE_SPSM_ALG_DEFAULT, steps_.handle);
    owner_.copy(x, solutions_.data(), bytes_, q);
  }

 private:
  backend& owner_;
  cudaDataType type_;
  cusparseOperation_t op_;
  std::size_t bytes_;
  factors factors_;
  // Freed last to first: descriptions before the memory that they describe.
  scratch right_sides_, solutions_, work_;
  matrix_description matrix_;
  dense b_, x_;
  solve_description steps_;
};

}  // namespace

std::unique_ptr<prepared_triangle> cuda_sparse::prepare_triangle(const compressed_rows& a, triangle_use use,
                                                                 std::int64_t width, queue q) {
  const std::optional<cudaDataType> type = cusparse_type(a.type);
  if (!type) return nullptr;
  return std::make_unique<library_triangle>(a, *type, use, width, owner_, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
