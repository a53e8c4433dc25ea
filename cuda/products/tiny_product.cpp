#include <algorithm>

#include <cuda/device/operand_space.hpp>
#include <cuda/products/tiny_params.hpp>
#include <cuda/products/tiny_product.hpp>
#include <cuda/runtime/launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

// Up to so many rows and columns, whatever the batch; and up to so many while a few multiprocessors do all of
// it.
constexpr std::int64_t tiny_side = 8, small_side = 32, few_elements = 1 << 14;

/// Rows beside each other, and the vector, whichever operand is which. Strides are in bytes.
struct short_rows {
  const char *rows, *vector;
  std::int64_t count, row_stride, along_row, along_vector;
};

short_rows as_short_rows(const matmul_plan& plan, const loop_nest& batches) {
  const char* const a = static_cast<const char*>(plan.a.data) + batches.offsets[1];
  const char* const b = static_cast<const char*>(plan.b.data) + batches.offsets[2];
  if (plan.n == 1) return {a, b, plan.m, plan.a.row_stride, plan.a.column_stride, plan.b.row_stride};
  return {b, a, plan.n, plan.b.column_stride, plan.b.row_stride, plan.a.column_stride};
}

bool is_aligned(const char* data) { return reinterpret_cast<std::uintptr_t>(data) % 16 == 0; }

}  // namespace

bool is_tiny_product(const matmul_plan& plan, const loop_nest& batches) {
  const std::int64_t side = std::max({plan.m, plan.n, plan.k});
  if (side > small_side) return false;
  const std::int64_t elements = plan.m * plan.n * batches.size;
  return elements <= (side <= tiny_side ? max_launch_size : few_elements);
}

bool has_short_rows(const matmul_plan& plan, const loop_nest& batches) {
  // Longer rows would leave the cache before a thread has read them, and fewer would leave the GPU idle.
  constexpr std::int64_t longest = 256, fewest = 8192;  // bytes; rows
  if (plan.type != dtype::float32 && plan.type != dtype::float64) return false;
  if ((plan.n != 1 && plan.m != 1) || batches.size != 1) return false;
  const auto size = static_cast<std::int64_t>(itemsize(plan.type));
  const short_rows x = as_short_rows(plan, batches);
  return plan.k * size <= longest && x.count >= fewest && x.count <= max_launch_size && x.along_row == size &&
         x.along_vector == size && x.row_stride % 16 == 0 && is_aligned(x.rows) && is_aligned(x.vector);
}

void run_short_rows(const matmul_plan& plan, const loop_nest& batches, queue q) {
  const short_rows x = as_short_rows(plan, batches);
  const short_rows_params p{static_cast<char*>(plan.c.data) + batches.offsets[0],
                            x.rows,
                            x.vector,
                            x.row_stride,
                            static_cast<std::int32_t>(plan.k),
                            static_cast<std::uint32_t>(x.count)};
  launch("matmul", find_short_rows_kernel(plan.type), ceil_div(x.count, tiny_threads), tiny_threads, p, q);
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
