// Products whose results are more than sums of products.
#include <cuda/linalg/linalg.hpp>
#include <cuda/linalg/linalg_calls.hpp>
#include <cuda/products/matmul.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

bool cuda_linalg::matmul(const matmul_plan& plan, const epilogue& after, queue q) {
  const call_context context(owner_, q);
  return run_matmul(plan, after, q, context.pool());
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
