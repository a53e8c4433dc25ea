// Matrix products: own kernels for large real matrices, OpenBLAS for the rest of what it has, halves through
// float32, an own loop for integers and bool.
#include <host/products/matmul_blas.hpp>
#include <host/products/matmul_loops.hpp>
#include <host/support/operations.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// The product of one pair of matrices of a batch.
void multiply(dtype type, const product& p) {
  switch (type) {
    case dtype::float32:
      return blas_product<float>(p);
    case dtype::float64:
      return blas_product<double>(p);
    case dtype::complex64:
      return blas_product<kernel::complex<float>>(p);
    case dtype::complex128:
      return blas_product<kernel::complex<double>>(p);
    case dtype::float16:
      return half_product<float16>(p);
    case dtype::bfloat16:
      return half_product<bfloat16>(p);
    case dtype::bool_:
      return loop_product<bool>(p);
    case dtype::int8:
      return loop_product<signed char>(p);
    case dtype::int16:
      return loop_product<short>(p);
    case dtype::int32:
      return loop_product<int>(p);
    case dtype::int64:
      return loop_product<long>(p);
    case dtype::uint8:
      return loop_product<unsigned char>(p);
    case dtype::uint16:
      return loop_product<unsigned short>(p);
    case dtype::uint32:
      return loop_product<unsigned>(p);
    case dtype::uint64:
      return loop_product<unsigned long>(p);
  }
}

// Products up to this size share the threads among them; larger ones are split themselves.
constexpr std::int64_t small_product = 64 * 64 * 64;

}  // namespace

void matmul(const core::matmul_plan& plan) {
  std::int64_t batches = 1;
  for (int d = 0; d < plan.batch_ndim; ++d) batches *= plan.batch_shape[d];
  const std::int64_t work = plan.m * plan.n * std::max<std::int64_t>(plan.k, 1);
  const auto run = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t batch = begin; batch < end; ++batch) {
      product p{plan.m, plan.n, plan.k, {}, {}, static_cast<char*>(plan.c.data)};
      p.a = {static_cast<const char*>(plan.a.data), plan.a.row_stride, plan.a.column_stride};
      p.b = {static_cast<const char*>(plan.b.data), plan.b.row_stride, plan.b.column_stride};
      std::int64_t rest = batch;
      for (int d = plan.batch_ndim - 1; d >= 0; --d) {
        // Of one axis there is nothing to divide, which takes as long as a small product.
        const std::int64_t index = d == 0 ? rest : rest % plan.batch_shape[d];
        if (d > 0) rest /= plan.batch_shape[d];
        p.a.data += index * plan.a.batch_strides[d];
        p.b.data += index * plan.b.batch_strides[d];
        p.c += index * plan.c.batch_strides[d];
      }
      multiply(plan.type, p);
    }
  };
  if (work <= small_product) parallel_for(batches, 1 + serial_elements * 8 / work, run);
  else run(0, batches);
}

}  // namespace host
GPARRAY_END_NAMESPACE
