#include <algorithm>
#include <cstring>

#include <cuda/map/elementwise.hpp>
#include <cuda/map/executor.hpp>
#include <cuda/products/blas_product.hpp>
#include <cuda/products/matmul.hpp>
#include <cuda/products/matmul_params.hpp>
#include <cuda/products/tiny_product.hpp>
#include <cuda/runtime/launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// c = 0: the product over an empty k.
void clear(const matmul_plan& plan, queue q) {
  input zero;
  zero.kind = input_kind::constant;
  zero.type = plan.type;
  std::memset(&zero.value, 0, sizeof zero.value);
  std::int64_t shape[max_ndim + 2], strides[max_ndim + 2];
  std::copy_n(plan.batch_shape, plan.batch_ndim, shape);
  std::copy_n(plan.c.batch_strides, plan.batch_ndim, strides);
  shape[plan.batch_ndim] = plan.m * plan.n;
  strides[plan.batch_ndim] = static_cast<std::int64_t>(itemsize(plan.type));
  std::int64_t size = 1;
  for (int d = 0; d <= plan.batch_ndim; ++d) size *= shape[d];
  run_elementwise(
      {ufunc::cast, plan.type, {&zero}, plan.c.data, plan.type, strides, plan.batch_ndim + 1, shape, size},
      q);
}

void run_product_kernel(const matmul_plan& plan, const loop_nest& batches, queue q) {
  product_params p;
  p.a = static_cast<const char*>(plan.a.data) + batches.offsets[1];
  p.b = static_cast<const char*>(plan.b.data) + batches.offsets[2];
  p.c = static_cast<char*>(plan.c.data) + batches.offsets[0];
  p.m = plan.m;
  p.n = plan.n;
  p.k = plan.k;
  p.a_row = plan.a.row_stride;
  p.a_column = plan.a.column_stride;
  p.b_row = plan.b.row_stride;
  p.b_column = plan.b.column_stride;
  const std::int64_t tiles_m = ceil_div(plan.m, product_tile), tiles_n = ceil_div(plan.n, product_tile);
  p.tiles_m = fast_divisor(static_cast<std::uint32_t>(tiles_m));
  p.tiles_n = fast_divisor(static_cast<std::uint32_t>(tiles_n));
  p.batch.ndim = batches.ndim;
  for (int d = 0; d < batches.ndim; ++d) {
    p.batch.shape[d] = fast_divisor(static_cast<std::uint32_t>(batches.shape[d]));
    p.batch.strides[d] = batches.strides[0][d];
    p.a_batch[d] = batches.strides[1][d];
    p.b_batch[d] = batches.strides[2][d];
  }
  launch("matmul", find_product_kernel(plan.type), batches.size * tiles_m * tiles_n, product_threads, p, q);
}

/// With operands c, a, b.
loop_nest batches_of(const matmul_plan& plan) {
  loop_nest batches;
  batches.n_operands = 3;
  for (int d = 0; d < plan.batch_ndim; ++d) {
    const std::int64_t strides[] = {plan.c.batch_strides[d], plan.a.batch_strides[d],
                                    plan.b.batch_strides[d]};
    batches.append(plan.batch_shape[d], strides);
  }
  return batches;
}

}  // namespace

void run_matmul(const matmul_plan& plan, queue q, memory_pool& pool) {
  if (plan.k == 0) return clear(plan, q);
  const loop_nest batches = batches_of(plan);
  if (!is_inexact(plan.type)) run_product_kernel(plan, batches, q);
  else if (is_tiny_product(plan, batches)) run_tiny_product(plan, batches, q);
  else run_blas(plan, plan.type, batches, q, pool);
}

bool run_matmul(const matmul_plan& plan, const epilogue& after, queue q, memory_pool& pool) {
  if (plan.k == 0) return false;
  if (after.bias || after.function != activation::none)
    return run_blas_epilogue(plan, after, batches_of(plan), q, pool);
  run_blas(plan, after.result, batches_of(plan), q, pool);
  return true;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
