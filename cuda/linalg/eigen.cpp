// Eigenvalues and singular values.
#include <cuda/linalg/linalg.hpp>
#include <cuda/linalg/linalg_calls.hpp>
#include <cuda/linalg/small_eigh_params.hpp>
#include <cuda/map/elementwise.hpp>
#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/runtime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// The batched Jacobi routine's limit.
constexpr std::int64_t largest_jacobi = 32;

/// to[batch][i][j] = from[batch][i][j], or its conjugate, for strides in elements.
struct strided {
  const void* data;
  std::int64_t batch, row, column;
};
void copy_matrices(dtype type, bool conjugate, const strided& from, const strided& to, std::int64_t count,
                   std::int64_t rows, std::int64_t columns, queue q) {
  const auto size = static_cast<std::int64_t>(itemsize(type));
  input in;
  in.kind = input_kind::array;
  in.type = type;
  in.data = from.data;
  const std::int64_t from_strides[] = {from.batch * size, from.row * size, from.column * size};
  const std::int64_t to_strides[] = {to.batch * size, to.row * size, to.column * size};
  const std::int64_t shape[] = {count, rows, columns};
  std::copy_n(from_strides, 3, in.strides);
  const ufunc op = conjugate && is_complex(type) ? ufunc::conjugate : ufunc::cast;
  run_elementwise(
      {op, type, {&in}, const_cast<void*>(to.data), type, to_strides, 3, shape, count * rows * columns}, q);
}

/// One-sided Jacobi for all matrices at once: whole U and V, from which what is wanted is copied.
template<class T>
void svd_by_jacobi(const call_context& context, dtype type, const matrix_stack& a, singular_vectors which,
                   real_of<T>* s, T* u, T* vh, std::int32_t* info) {
  const queue q = context.where();
  const solver_handle h = solver_for(q);
  const std::int64_t m = a.rows, n = a.columns;
  const bool any = which != singular_vectors::none;
  const cusolverEigMode_t mode = any ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  // Room is wanted for the vectors even if they are not.
  const scratch all_u = context.memory(static_cast<std::size_t>(m * m * a.count) * sizeof(T));
  const scratch all_v = context.memory(static_cast<std::size_t>(n * n * a.count) * sizeof(T));
  T *const to_u = static_cast<T*>(all_u.data()), *const to_v = static_cast<T*>(all_v.data());
  struct jacobi_settings {
    gesvdjInfo_t handle = nullptr;
    jacobi_settings() { GPARRAY_SOLVE(cusolverDnCreateGesvdjInfo, &handle); }
    ~jacobi_settings() { solver().cusolverDnDestroyGesvdjInfo(handle); }
  } settings;
  int size = 0;
  check_solver("cusolverDnXgesvdjBatched_bufferSize",
               (solver().*typed_calls<T>::gesvdj_size)(
                   h.handle, mode, as_int(m), as_int(n), matrix_at<T>(a, 0), as_int(m), s, to_u, as_int(m),
                   to_v, as_int(n), &size, settings.handle, as_int(a.count)));
  const scratch work = context.memory(static_cast<std::size_t>(size) * sizeof(T));
  check_solver("cusolverDnXgesvdjBatched",
               (solver().*typed_calls<T>::gesvdj_batched)(h.handle, mode, as_int(m), as_int(n),
                                                          matrix_at<T>(a, 0), as_int(m), s, to_u, as_int(m),
                                                          to_v, as_int(n), static_cast<T*>(work.data()), size,
                                                          info, settings.handle, as_int(a.count)));
  if (!any) return;
  const std::int64_t columns = which == singular_vectors::full ? m : n;
  copy_matrices(type, false, {to_u, m * m, m, 1}, {u, m * columns, m, 1}, a.count, columns, m, q);
  copy_matrices(type, true, {to_v, n * n, n, 1}, {vh, n * n, 1, n}, a.count, n, n, q);
}

/// QR iteration, one matrix after the other.
template<class T>
void svd_by_qr(const call_context& context, const matrix_stack& a, singular_vectors which, real_of<T>* s,
               T* u, T* vh, std::int32_t* info) {
  const std::int64_t m = a.rows, n = a.columns, u_columns = which == singular_vectors::full ? m : n;
  const signed char job = which == singular_vectors::none ? 'N' : which == singular_vectors::full ? 'A' : 'S';
  const solver_handle h = solver_for(context.where());
  const cudaDataType data = data_type<T>, real = real_data_type<T>;
  work_areas work;
  GPARRAY_SOLVE(cusolverDnXgesvd_bufferSize, h.handle, h.params, job, job, m, n, data, a.data, m, real, s,
                data, u, m, data, vh, n, data, &work.on_device, &work.on_host);
  work.allocate(context);
  for (std::int64_t i = 0; i < a.count; ++i)
    GPARRAY_SOLVE(cusolverDnXgesvd, h.handle, h.params, job, job, m, n, data, matrix_at<T>(a, i), m, real,
                  s + i * n, data, u ? u + i * m * u_columns : nullptr, m, data,
                  vh ? vh + i * n * n : nullptr, n, data, work.device.data(), work.on_device, work.host.get(),
                  work.on_host, info + i);
}

/// Polar decomposition and eigenvalues: a third of the time of QR iteration. Of a matrix so close to a
/// singular one that cuSOLVER perturbs it, QR iteration follows.
template<class T>
void svd_by_polar(const call_context& context, dtype type, const matrix_stack& a, singular_vectors which,
                  real_of<T>* s, T* u, T* vh, std::int32_t* info) {
  const std::int64_t m = a.rows, n = a.columns, u_columns = which == singular_vectors::full ? m : n;
  const bool any = which != singular_vectors::none;
  const cusolverEigMode_t mode = any ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  const int thin = which != singular_vectors::full;
  const solver_handle h = solver_for(context.where());
  const cudaDataType data = data_type<T>, real = real_data_type<T>;
  const std::size_t matrix_bytes = static_cast<std::size_t>(m * n) * sizeof(T);
  const scratch kept = context.memory(matrix_bytes);  // cuSOLVER destroys the matrix
  const scratch right = context.memory(static_cast<std::size_t>(n * n) * sizeof(T));
  const scratch left = any ? scratch() : context.memory(matrix_bytes);  // wanted even so
  T *const v = static_cast<T*>(right.data()), *const first_u = any ? u : static_cast<T*>(left.data());
  work_areas work;
  GPARRAY_SOLVE(cusolverDnXgesvdp_bufferSize, h.handle, h.params, mode, thin, m, n, data, a.data, m, real, s,
                data, first_u, m, data, v, n, data, &work.on_device, &work.on_host);
  work.allocate(context);
  for (std::int64_t i = 0; i < a.count; ++i) {
    T *const matrix = matrix_at<T>(a, i), *const its_u = any ? u + i * m * u_columns : first_u;
    context.copy(kept.data(), matrix, matrix_bytes);
    double perturbation = 0;
    const cusolverStatus_t status = solver().cusolverDnXgesvdp(
        h.handle, h.params, mode, thin, m, n, data, matrix, m, real, s + i * n, data, its_u, m, data, v, n,
        data, work.device.data(), work.on_device, work.host.get(), work.on_host, info + i, &perturbation);
    // It fails on infinities and NaN; QR iteration then reports which matrices have them.
    if (status != CUSOLVER_STATUS_EXECUTION_FAILED) check_solver("cusolverDnXgesvdp", status);
    const bool is_done = status == CUSOLVER_STATUS_SUCCESS && perturbation == 0;
    if (!is_done)
      svd_by_qr<T>(context, {kept.data(), m, n, 1}, which, s + i * n, any ? its_u : nullptr,
                   any ? vh + i * n * n : nullptr, info + i);
    else if (any)
      copy_matrices(type, true, {v, n * n, n, 1}, {vh + i * n * n, n * n, 1, n}, 1, n, n, context.where());
  }
}

}  // namespace

dtype cuda_linalg::svd_type(dtype type, int device) const {
  if (itemsize(real_dtype(type)) == 8) return type;
  int slowdown = 32;  // of float64 against float32
  call<&rt::cudaDeviceGetAttribute>("choosing an algorithm", &slowdown,
                                    cudaDevAttrSingleToDoublePrecisionPerfRatio, device);
  // float64 takes twice the time, but few matrices are close to singular in it, many in float32.
  return slowdown > 2 ? type : is_complex(type) ? dtype::complex128 : dtype::float64;
}

void cuda_linalg::eigh(dtype type, const matrix_stack& a, bool vectors, void* values, std::int32_t* info,
                       queue q) {
  const call_context context(owner_, q);
  if (a.rows <= largest_small_eigh) {
    const small_eigh_params p{a.data, values, info, static_cast<std::int32_t>(a.rows), vectors};
    return launch("eigh", find_small_eigh_kernel(type), a.count, small_eigh_threads(a.rows), p, q);
  }
  const cusolverEigMode_t mode = vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  with_element(type, [&]<class T>(T) {
    const solver_handle h = solver_for(q);
    const cudaDataType data = data_type<T>, real = real_data_type<T>;
    auto* const w = static_cast<real_of<T>*>(values);
    work_areas work;
    if (is_batch(a)) {
      GPARRAY_SOLVE(cusolverDnXsyevBatched_bufferSize, h.handle, h.params, mode, lower, a.rows, data, a.data,
                    a.rows, real, w, data, &work.on_device, &work.on_host, a.count);
      work.allocate(context);
      GPARRAY_SOLVE(cusolverDnXsyevBatched, h.handle, h.params, mode, lower, a.rows, data, a.data, a.rows,
                    real, w, data, work.device.data(), work.on_device, work.host.get(), work.on_host, info,
                    a.count);
      return;
    }
    GPARRAY_SOLVE(cusolverDnXsyevd_bufferSize, h.handle, h.params, mode, lower, a.rows, data, a.data, a.rows,
                  real, w, data, &work.on_device, &work.on_host);
    work.allocate(context);
    for (std::int64_t i = 0; i < a.count; ++i)
      GPARRAY_SOLVE(cusolverDnXsyevd, h.handle, h.params, mode, lower, a.rows, data, matrix_at<T>(a, i),
                    a.rows, real, w + i * a.rows, data, work.device.data(), work.on_device, work.host.get(),
                    work.on_host, info + i);
  });
}

void cuda_linalg::svd(dtype type, const matrix_stack& a, singular_vectors which, void* s, void* u, void* vh,
                      std::int32_t* info, queue q) {
  const call_context context(owner_, q);
  with_element(type, [&]<class T>(T) {
    const bool is_small_batch = a.count > 1 && a.rows <= largest_jacobi;
    const auto algorithm = is_small_batch ? svd_by_jacobi<T> : svd_by_polar<T>;
    algorithm(context, type, a, which, static_cast<real_of<T>*>(s), static_cast<T*>(u), static_cast<T*>(vh),
              info);
  });
}

void cuda_linalg::eig(dtype type, const matrix_stack& a, void* values, void* vectors, std::int32_t* info,
                      queue q) {
  const call_context context(owner_, q);
  const std::int64_t n = a.rows;
  const cusolverEigMode_t none = CUSOLVER_EIG_MODE_NOVECTOR,
                          right = vectors ? CUSOLVER_EIG_MODE_VECTOR : none;
  with_element(type, [&]<class T>(T) {
    const solver_handle h = solver_for(q);
    const cudaDataType data = data_type<T>, w = complex_data_type<T>;
    auto* const first_value = static_cast<std::byte*>(values);
    const std::int64_t value_bytes = 2 * static_cast<std::int64_t>(sizeof(real_of<T>)) * n;
    T* const v = static_cast<T*>(vectors);
    work_areas work;
    GPARRAY_SOLVE(cusolverDnXgeev_bufferSize, h.handle, h.params, none, right, n, data, a.data, n, w, values,
                  data, nullptr, n, data, v, n, data, &work.on_device, &work.on_host);
    work.allocate(context);
    for (std::int64_t i = 0; i < a.count; ++i)
      GPARRAY_SOLVE(cusolverDnXgeev, h.handle, h.params, none, right, n, data, matrix_at<T>(a, i), n, w,
                    first_value + i * value_bytes, data, nullptr, n, data, v ? v + i * n * n : nullptr, n,
                    data, work.device.data(), work.on_device, work.host.get(), work.on_host, info + i);
  });
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
