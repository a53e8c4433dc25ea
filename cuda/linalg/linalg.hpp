// Factorisations by cuSOLVER and cuBLAS.
#pragma once
#include <plan/linalg_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// What is small enough goes to kernels of our own, batches of other small matrices to the batched routines,
/// the rest one by one to the 64-bit interface.
class cuda_linalg final : public linalg_engine {
 public:
  explicit cuda_linalg(backend& owner) : owner_(owner) {}

  std::int64_t largest_small(dtype type) const override;
  void run_small(const small_task& task, queue q) override;
  void lu(dtype type, const matrix_stack& a, std::int32_t* pivots, std::int32_t* info, queue q) override;
  void lu_solve(dtype type, const matrix_stack& lu, const std::int32_t* pivots, transposition op,
                const matrix_stack& b, queue q) override;
  bool matmul(const matmul_plan& plan, const epilogue& after, queue q) override;
  void cholesky(dtype type, const matrix_stack& a, std::int32_t* info, queue q) override;
  void triangular_solve(dtype type, const matrix_stack& a, triangle_use use, const matrix_stack& b,
                        queue q) override;
  void qr(dtype type, const matrix_stack& a, void* tau, queue q) override;
  void form_q(dtype type, const matrix_stack& q, std::int64_t reflectors, const void* tau,
              queue where) override;
  void eigh(dtype type, const matrix_stack& a, bool vectors, void* values, std::int32_t* info,
            queue q) override;
  dtype svd_type(dtype type, int device) const override;
  void svd(dtype type, const matrix_stack& a, singular_vectors which, void* s, void* u, void* vh,
           std::int32_t* info, queue q) override;
  void eig(dtype type, const matrix_stack& a, void* values, void* vectors, std::int32_t* info,
           queue q) override;

 private:
  backend& owner_;  // makes devices current, and has their pools and copies
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
