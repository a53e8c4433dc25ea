// LU, Cholesky and triangular systems.
#include <cuda/linalg/linalg.hpp>
#include <cuda/linalg/linalg_calls.hpp>
#include <cuda/map/elementwise.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// The 64-bit interface has pivots of 64 bits, the batched one of 32.
void convert(const void* from, dtype from_type, void* to, dtype to_type, std::int64_t count, queue q) {
  input in;
  in.kind = input_kind::array;
  in.type = from_type;
  in.data = from;
  in.strides[0] = static_cast<std::int64_t>(itemsize(from_type));
  const std::int64_t stride = static_cast<std::int64_t>(itemsize(to_type));
  run_elementwise({ufunc::cast, to_type, {&in}, to, to_type, &stride, 1, &count, count}, q);
}

constexpr const char* operation = "solving linear equations";

template<class T>
T unit() {
  if constexpr (std::is_floating_point_v<T>) return 1;
  else return {1, 0};
}

}  // namespace

void cuda_linalg::lu(dtype type, const matrix_stack& a, std::int32_t* pivots, std::int32_t* info, queue q) {
  call_context context(owner_, q);
  with_element(type, [&]<class T>(T) {
    if (is_batch(a) && a.rows == a.columns) {
      const scratch list = context.addresses<T>(a);
      check_blas("cublasXgetrfBatched",
                 (blas().*typed_calls<T>::getrf_batched)(context.blas(), as_int(a.rows),
                                                         static_cast<T**>(list.data()), as_int(a.rows),
                                                         pivots, info, as_int(a.count)),
                 operation);
      return;
    }
    const std::int64_t n_pivots = std::min(a.rows, a.columns);
    const solver_handle h = solver_for(q);
    const cudaDataType data = data_type<T>;
    work_areas work;
    GPARRAY_SOLVE(cusolverDnXgetrf_bufferSize, h.handle, h.params, a.rows, a.columns, data, a.data, a.rows,
                  data, &work.on_device, &work.on_host);
    work.allocate(context);
    const scratch memory =
        context.memory(static_cast<std::size_t>(n_pivots * a.count) * sizeof(std::int64_t));
    auto* const pivots_64 = static_cast<std::int64_t*>(memory.data());
    for (std::int64_t i = 0; i < a.count; ++i)
      GPARRAY_SOLVE(cusolverDnXgetrf, h.handle, h.params, a.rows, a.columns, data, matrix_at<T>(a, i), a.rows,
                    pivots_64 + i * n_pivots, data, work.device.data(), work.on_device, work.host.get(),
                    work.on_host, info + i);
    convert(pivots_64, dtype::int64, pivots, dtype::int32, n_pivots * a.count, q);
  });
}

void cuda_linalg::lu_solve(dtype type, const matrix_stack& lu, const std::int32_t* pivots, transposition op,
                           const matrix_stack& b, queue q) {
  call_context context(owner_, q);
  with_element(type, [&]<class T>(T) {
    if (is_batch(b)) {
      const scratch factors = context.addresses<T>(lu), sides = context.addresses<T>(b);
      int info = 0;
      check_blas("cublasXgetrsBatched",
                 (blas().*typed_calls<T>::getrs_batched)(
                     context.blas(), blas_operation(op), as_int(b.rows), as_int(b.columns),
                     static_cast<T**>(factors.data()), as_int(b.rows), pivots, static_cast<T**>(sides.data()),
                     as_int(b.rows), &info, as_int(b.count)),
                 operation);
      return;
    }
    const std::int64_t n = b.rows;
    const scratch pivots_64 = context.memory(static_cast<std::size_t>(n * b.count) * sizeof(std::int64_t));
    convert(pivots, dtype::int32, pivots_64.data(), dtype::int64, n * b.count, q);
    const scratch info = context.memory(sizeof(int));  // says only whether arguments were wrong
    const solver_handle h = solver_for(q);
    for (std::int64_t i = 0; i < b.count; ++i)
      GPARRAY_SOLVE(cusolverDnXgetrs, h.handle, h.params, blas_operation(op), n, b.columns, data_type<T>,
                    matrix_at<T>(lu, i), n, static_cast<const std::int64_t*>(pivots_64.data()) + i * n,
                    data_type<T>, matrix_at<T>(b, i), n, static_cast<int*>(info.data()));
  });
}

void cuda_linalg::cholesky(dtype type, const matrix_stack& a, std::int32_t* info, queue q) {
  call_context context(owner_, q);
  with_element(type, [&]<class T>(T) {
    const solver_handle h = solver_for(q);
    if (is_batch(a)) {
      const scratch list = context.addresses<T>(a);
      check_solver("cusolverDnXpotrfBatched",
                   (solver().*typed_calls<T>::potrf_batched)(h.handle, CUBLAS_FILL_MODE_LOWER, as_int(a.rows),
                                                             static_cast<T**>(list.data()), as_int(a.rows),
                                                             info, as_int(a.count)));
      return;
    }
    const cudaDataType data = data_type<T>;
    work_areas work;
    GPARRAY_SOLVE(cusolverDnXpotrf_bufferSize, h.handle, h.params, CUBLAS_FILL_MODE_LOWER, a.rows, data,
                  a.data, a.rows, data, &work.on_device, &work.on_host);
    work.allocate(context);
    for (std::int64_t i = 0; i < a.count; ++i)
      GPARRAY_SOLVE(cusolverDnXpotrf, h.handle, h.params, CUBLAS_FILL_MODE_LOWER, a.rows, data,
                    matrix_at<T>(a, i), a.rows, data, work.device.data(), work.on_device, work.host.get(),
                    work.on_host, info + i);
  });
}

void cuda_linalg::triangular_solve(dtype type, const matrix_stack& a, triangle_use use, const matrix_stack& b,
                                   queue q) {
  call_context context(owner_, q);
  const cublasFillMode_t triangle = use.lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
  const cublasDiagType_t diagonal = use.unit_diagonal ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
  with_element(type, [&]<class T>(T) {
    const T one = unit<T>();
    if (is_batch(b)) {
      const scratch triangles = context.addresses<T>(a), sides = context.addresses<T>(b);
      check_blas("cublasXtrsmBatched",
                 (blas().*typed_calls<T>::trsm_batched)(context.blas(), CUBLAS_SIDE_LEFT, triangle,
                                                        blas_operation(use.op), diagonal, b.rows, b.columns,
                                                        &one, static_cast<T**>(triangles.data()), b.rows,
                                                        static_cast<T**>(sides.data()), b.rows, b.count),
                 operation);
      return;
    }
    for (std::int64_t i = 0; i < b.count; ++i)
      check_blas("cublasXtrsm",
                 (blas().*typed_calls<T>::trsm)(context.blas(), CUBLAS_SIDE_LEFT, triangle,
                                                blas_operation(use.op), diagonal, b.rows, b.columns, &one,
                                                matrix_at<T>(a, i), b.rows, matrix_at<T>(b, i), b.rows),
                 operation);
  });
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
