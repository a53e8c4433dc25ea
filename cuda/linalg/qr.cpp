// QR factorisations.
#include <bit>

#include <cuda/linalg/linalg.hpp>
#include <cuda/linalg/linalg_calls.hpp>
#include <cuda/linalg/small_qr_params.hpp>
#include <cuda/runtime/launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

namespace {

/// Own kernels are quicker than cuSOLVER's for whatever they can hold.
bool is_small(dtype type, const matrix_stack& a) {
  return std::max(a.rows, a.columns) <= largest_small_qr(type);
}

void launch_small(const void* (*find)(dtype, int), dtype type, const matrix_stack& a, std::int64_t reflectors,
                  const void* tau, queue q) {
  const small_qr_params params{a.data, const_cast<void*>(tau), static_cast<std::int32_t>(a.rows),
                               static_cast<std::int32_t>(a.columns), static_cast<std::int32_t>(reflectors)};
  const auto rows_of_lane = static_cast<unsigned>(ceil_div(std::max(a.rows, a.columns), 32));
  launch("qr", find(type, static_cast<int>(std::bit_ceil(rows_of_lane))), a.count,
         small_qr_threads(a.columns), params, q);
}

}  // namespace

void cuda_linalg::qr(dtype type, const matrix_stack& a, void* tau, queue q) {
  call_context context(owner_, q);
  const std::int64_t n_tau = std::min(a.rows, a.columns);
  if (is_small(type, a)) return launch_small(&find_small_qr_kernel, type, a, n_tau, tau, q);
  with_element(type, [&]<class T>(T) {
    T* const first_tau = static_cast<T*>(tau);
    if (is_batch(a)) {
      const scratch list = context.addresses<T>(a);
      const scratch taus = context.addresses(first_tau, n_tau, a.count);
      int info = 0;
      check_blas("cublasXgeqrfBatched",
                 (blas().*typed_calls<T>::geqrf_batched)(
                     context.blas(), as_int(a.rows), as_int(a.columns), static_cast<T**>(list.data()),
                     as_int(a.rows), static_cast<T**>(taus.data()), &info, as_int(a.count)),
                 "computing a QR factorisation");
      return;
    }
    const solver_handle h = solver_for(q);
    const cudaDataType data = data_type<T>;
    work_areas work;
    GPARRAY_SOLVE(cusolverDnXgeqrf_bufferSize, h.handle, h.params, a.rows, a.columns, data, a.data, a.rows,
                  data, tau, data, &work.on_device, &work.on_host);
    work.allocate(context);
    const scratch info = context.memory(sizeof(int));  // says only whether arguments were wrong
    for (std::int64_t i = 0; i < a.count; ++i)
      GPARRAY_SOLVE(cusolverDnXgeqrf, h.handle, h.params, a.rows, a.columns, data, matrix_at<T>(a, i), a.rows,
                    data, first_tau + i * n_tau, data, work.device.data(), work.on_device, work.host.get(),
                    work.on_host, static_cast<int*>(info.data()));
  });
}

void cuda_linalg::form_q(dtype type, const matrix_stack& q, std::int64_t reflectors, const void* tau,
                         queue where) {
  call_context context(owner_, where);
  if (is_small(type, q)) return launch_small(&find_small_q_kernel, type, q, reflectors, tau, where);
  with_element(type, [&]<class T>(T) {
    const solver_handle h = solver_for(where);
    const int rows = as_int(q.rows), columns = as_int(q.columns), k = as_int(reflectors);
    const T* const first_tau = static_cast<const T*>(tau);
    int size = 0;
    check_solver("cusolverDnXorgqr_bufferSize",
                 (solver().*typed_calls<T>::form_q_size)(h.handle, rows, columns, k, matrix_at<T>(q, 0), rows,
                                                         first_tau, &size));
    const scratch work = context.memory(static_cast<std::size_t>(size) * sizeof(T));
    const scratch info = context.memory(sizeof(int));
    for (std::int64_t i = 0; i < q.count; ++i)
      check_solver("cusolverDnXorgqr",
                   (solver().*typed_calls<T>::form_q)(
                       h.handle, rows, columns, k, matrix_at<T>(q, i), rows, first_tau + i * reflectors,
                       static_cast<T*>(work.data()), size, static_cast<int*>(info.data())));
  });
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
