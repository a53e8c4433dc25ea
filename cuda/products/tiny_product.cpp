#include <algorithm>

#include <cuda/device/operand_space.hpp>
#include <cuda/products/tiny_params.hpp>
#include <cuda/products/tiny_product.hpp>
#include <cuda/runtime/launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

// Up to so many columns of the first matrix and so many elements along the shorter side of the product,
// whatever the batch; and up to so many rows and columns while a few multiprocessors do all of it.
constexpr std::int64_t tiny_side = 8, small_side = 32, few_elements = 1 << 14;

}  // namespace

bool is_tiny_product(const matmul_plan& plan, const loop_nest& batches) {
  const std::int64_t elements = plan.m * plan.n * batches.size;
  // One side may be long: points that are turned, colours that are mixed.
  if (std::max(plan.k, std::min(plan.m, plan.n)) <= tiny_side && plan.m <= max_launch_size / plan.n)
    return elements <= max_launch_size;
  return std::max({plan.m, plan.n, plan.k}) <= small_side && elements <= few_elements;
}

void run_tiny_product(const matmul_plan& plan, const loop_nest& batches, queue q) {
  const std::int64_t per_matrix = plan.m * plan.n, size = per_matrix * batches.size;
  tiny_params p;
  p.c = static_cast<char*>(plan.c.data) + batches.offsets[0];
  p.a = static_cast<const char*>(plan.a.data) + batches.offsets[1];
  p.b = static_cast<const char*>(plan.b.data) + batches.offsets[2];
  p.a_row = plan.a.row_stride;
  p.a_column = plan.a.column_stride;
  p.b_row = plan.b.row_stride;
  p.b_column = plan.b.column_stride;
  p.k = static_cast<std::int32_t>(plan.k);
  p.size = static_cast<std::uint32_t>(size);
  p.n = fast_divisor(static_cast<std::uint32_t>(plan.n));
  p.per_matrix = fast_divisor(static_cast<std::uint32_t>(per_matrix));
  p.batch = space_of<3>(batches);
  launch("matmul", find_tiny_kernel(plan.type), ceil_div(size, tiny_threads), tiny_threads, p, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
