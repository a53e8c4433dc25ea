// Products by cuSPARSE, and of short rows by kernels of our own. All give the same bits every time.
#include <algorithm>
#include <bit>

#include <cuda/runtime/launch.hpp>
#include <cuda/sparse/sparse.hpp>
#include <cuda/sparse/sparse_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

namespace {

using const_vector = cusparse_object<cusparseConstDnVecDescr_t, &cusparse_table::cusparseDestroyDnVec>;
using vector = cusparse_object<cusparseDnVecDescr_t, &cusparse_table::cusparseDestroyDnVec>;
using const_dense = cusparse_object<cusparseConstDnMatDescr_t, &cusparse_table::cusparseDestroyDnMat>;
using product_description =
    cusparse_object<cusparseSpGEMMDescr_t, &cusparse_table::cusparseSpGEMM_destroyDescr>;

const_matrix_description describe(const compressed_rows& a, cudaDataType type) {
  const_matrix_description d;
  GPARRAY_CUSPARSE(cusparseCreateConstCsr, &d.handle, a.rows, a.columns, a.count, a.indptr, a.indices, a.data,
                   index_of(a), index_of(a), CUSPARSE_INDEX_BASE_ZERO, type);
  return d;
}

/// What both products need: the handle, the sparse matrix, the factors.
struct left_operand {
  left_operand(const compressed_rows& a, cudaDataType type, const call_context& context)
      : h(cusparse_handle(context.where())), matrix(describe(a, type)), f(type) {}
  cusparseHandle_t h;
  const_matrix_description matrix;
  factors f;
};

void times_vector(const compressed_rows& a, cudaDataType type, const void* x, void* y,
                  const call_context& context) {
  constexpr cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_CSR_ALG2;
  const left_operand l(a, type, context);
  const_vector from;
  vector to;
  GPARRAY_CUSPARSE(cusparseCreateConstDnVec, &from.handle, a.columns, x, type);
  GPARRAY_CUSPARSE(cusparseCreateDnVec, &to.handle, a.rows, y, type);
  std::size_t bytes = 0;
  GPARRAY_CUSPARSE(cusparseSpMV_bufferSize, l.h, as_it_is, l.f.one, l.matrix.handle, from.handle, l.f.zero,
                   to.handle, type, algorithm, &bytes);
  const scratch work = context.memory(bytes);
  GPARRAY_CUSPARSE(cusparseSpMV, l.h, as_it_is, l.f.one, l.matrix.handle, from.handle, l.f.zero, to.handle,
                   type, algorithm, work.data());
}

void times_matrix(const compressed_rows& a, cudaDataType type, std::int64_t width, const void* x, void* y,
                  const call_context& context) {
  constexpr cusparseSpMMAlg_t algorithm = CUSPARSE_SPMM_CSR_ALG3;
  const left_operand l(a, type, context);
  const_dense from;
  dense to;
  GPARRAY_CUSPARSE(cusparseCreateConstDnMat, &from.handle, a.columns, width, width, x, type,
                   CUSPARSE_ORDER_ROW);
  GPARRAY_CUSPARSE(cusparseCreateDnMat, &to.handle, a.rows, width, width, y, type, CUSPARSE_ORDER_ROW);
  std::size_t bytes = 0;
  GPARRAY_CUSPARSE(cusparseSpMM_bufferSize, l.h, as_it_is, as_it_is, l.f.one, l.matrix.handle, from.handle,
                   l.f.zero, to.handle, type, algorithm, &bytes);
  const scratch work = context.memory(bytes);
  GPARRAY_CUSPARSE(cusparseSpMM, l.h, as_it_is, as_it_is, l.f.one, l.matrix.handle, from.handle, l.f.zero,
                   to.handle, type, algorithm, work.data());
}

class library_product final : public counted_matrix {
 public:
  library_product(const compressed_rows& a, const compressed_rows& b, void* indptr, backend& owner, queue q)
      : context_(owner, q), indptr_(indptr), type_(cusparse_type(a.type).value()) {
    handle_ = cusparse_handle(q);
    a_.emplace(describe(a, type_));
    b_.emplace(describe(b, type_));
    GPARRAY_CUSPARSE(cusparseCreateCsr, &c_.handle, a.rows, b.columns, 0, indptr, nullptr, nullptr,
                     index_of(a), index_of(a), CUSPARSE_INDEX_BASE_ZERO, type_);
    GPARRAY_CUSPARSE(cusparseSpGEMM_createDescr, &steps_.handle);
    const factors f(type_);
    std::size_t bytes = 0;
    estimate(f, bytes, nullptr);
    first_work_ = context_.memory(bytes);
    estimate(f, bytes, first_work_.data());
    compute(f, bytes, nullptr);
    work_ = context_.memory(bytes);
    compute(f, bytes, work_.data());
    std::int64_t rows = 0, columns = 0;
    GPARRAY_CUSPARSE(cusparseSpMatGetSize, c_.handle, &rows, &columns, &count_);
    check_product_count(count_, a.index);
  }

  std::int64_t count() const override { return count_; }
  void write(void* indices, void* data) override {
    const factors f(type_);
    GPARRAY_CUSPARSE(cusparseCsrSetPointers, c_.handle, indptr_, indices, data);
    GPARRAY_CUSPARSE(cusparseSpGEMM_copy, handle_, as_it_is, as_it_is, f.one, a_->handle, b_->handle, f.zero,
                     c_.handle, type_, CUSPARSE_SPGEMM_DEFAULT, steps_.handle);
  }

 private:
  void estimate(const factors& f, std::size_t& bytes, void* memory) {
    GPARRAY_CUSPARSE(cusparseSpGEMM_workEstimation, handle_, as_it_is, as_it_is, f.one, a_->handle,
                     b_->handle, f.zero, c_.handle, type_, CUSPARSE_SPGEMM_DEFAULT, steps_.handle, &bytes,
                     memory);
  }
  void compute(const factors& f, std::size_t& bytes, void* memory) {
    GPARRAY_CUSPARSE(cusparseSpGEMM_compute, handle_, as_it_is, as_it_is, f.one, a_->handle, b_->handle,
                     f.zero, c_.handle, type_, CUSPARSE_SPGEMM_DEFAULT, steps_.handle, &bytes, memory);
  }

  call_context context_;
  void* indptr_;
  cudaDataType type_;
  cusparseHandle_t handle_ = nullptr;
  std::optional<const_matrix_description> a_, b_;
  matrix_description c_;
  product_description steps_;
  scratch first_work_, work_;
  std::int64_t count_ = 0;
};

}  // namespace

bool cuda_sparse::times_dense(const compressed_rows& a, std::int64_t width, const void* x, void* y, queue q) {
  const std::optional<cudaDataType> type = cusparse_type(a.type);
  if (!type) return false;
  const call_context context(owner_, q);
  if (a.rows > 0 && width > 0 && a.count <= short_row_entries * a.rows) {
    const short_rows_params p{a.indptr, a.indices, a.data, x, y, a.rows};
    if (width == 1) {
      launch("multiplying a sparse matrix by a vector", find_short_rows_kernel(a.type, a.index),
             ceil_div(a.rows, sparse_threads), sparse_threads, p, q);
      return true;
    }
    constexpr std::uint64_t most_lanes = 32;
    const int log_lanes =
        std::countr_zero(std::bit_ceil(std::min(static_cast<std::uint64_t>(width), most_lanes)));
    launch("multiplying a sparse matrix by a matrix", find_wide_rows_kernel(a.type, a.index),
           ceil_div(a.rows, sparse_threads >> log_lanes), sparse_threads,
           wide_rows_params{p, width, log_lanes}, q);
    return true;
  }
  if (width == 1) times_vector(a, *type, x, y, context);
  else times_matrix(a, *type, width, x, y, context);
  return true;
}

std::unique_ptr<counted_matrix> cusparse_product(const compressed_rows& a, const compressed_rows& b,
                                                 void* indptr, backend& owner, queue q) {
  return std::make_unique<library_product>(a, b, indptr, owner, q);
}

std::unique_ptr<counted_matrix> cuda_sparse::times_sparse(const compressed_rows& a, const compressed_rows& b,
                                                          void* indptr, bool& sorted, queue q) {
  sorted = true;
  if (auto product = short_row_product(a, b, indptr, owner_, q)) return product;
  sorted = false;
  if (!cusparse_type(a.type) || a.index != dtype::int32) return nullptr;
  return cusparse_product(a, b, indptr, owner_, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
