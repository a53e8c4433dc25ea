// What the factorisations share: typed calls, work areas, lists of matrices on the device.
#pragma once
#include <memory>
#include <vector>

#include <cuda/linalg/cusolver.hpp>
#include <cuda/products/blas.hpp>
#include <cuda/runtime/runtime.hpp>
#include <cuda/runtime/scratch.hpp>
#include <gparray/error.hpp>
#include <plan/linalg_engine.hpp>
#include <plan/recording.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// The members of the tables for elements of T.
template<class T>
struct typed_calls;
#define GPARRAY_TYPED_CALLS(T, L, ORTHOGONAL, DATA)                                             \
  template<>                                                                                    \
  struct typed_calls<T> {                                                                       \
    static constexpr auto getrf_batched = &blas_table::cublas##L##getrfBatched;                 \
    static constexpr auto getrs_batched = &blas_table::cublas##L##getrsBatched;                 \
    static constexpr auto geqrf_batched = &blas_table::cublas##L##geqrfBatched;                 \
    static constexpr auto trsm = &blas_table::cublas##L##trsm_v2_64;                            \
    static constexpr auto trsm_batched = &blas_table::cublas##L##trsmBatched_64;                \
    static constexpr auto potrf_batched = &solver_table::cusolverDn##L##potrfBatched;           \
    static constexpr auto gesvdj_batched = &solver_table::cusolverDn##L##gesvdjBatched;         \
    static constexpr auto gesvdj_size = &solver_table::cusolverDn##L##gesvdjBatched_bufferSize; \
    static constexpr auto form_q = &solver_table::cusolverDn##L##ORTHOGONAL;                    \
    static constexpr auto form_q_size = &solver_table::cusolverDn##L##ORTHOGONAL##_bufferSize;  \
    static constexpr cudaDataType data = DATA;                                                  \
  };
GPARRAY_TYPED_CALLS(float, S, orgqr, CUDA_R_32F)
GPARRAY_TYPED_CALLS(double, D, orgqr, CUDA_R_64F)
GPARRAY_TYPED_CALLS(cuComplex, C, ungqr, CUDA_C_32F)
GPARRAY_TYPED_CALLS(cuDoubleComplex, Z, ungqr, CUDA_C_64F)
#undef GPARRAY_TYPED_CALLS

/// body(T{}) for the element type T.
template<class Body>
void with_element(dtype type, Body body) {
  with_factorised<cuComplex, cuDoubleComplex>(type, body);
}

template<class T>
using real_of = std::conditional_t<std::is_same_v<T, cuComplex> || std::is_same_v<T, float>, float, double>;
template<class T>
inline constexpr cudaDataType data_type = typed_calls<T>::data;
template<class T>
inline constexpr cudaDataType real_data_type = data_type<real_of<T>>;
template<class T>
inline constexpr cudaDataType complex_data_type =
    data_type<std::conditional_t<std::is_same_v<real_of<T>, float>, cuComplex, cuDoubleComplex>>;

inline cublasOperation_t blas_operation(transposition op) {
  return op == transposition::none ? CUBLAS_OP_N : op == transposition::transpose ? CUBLAS_OP_T : CUBLAS_OP_C;
}

/// Matrices up to this size are factorised faster many at a time.
inline constexpr std::int64_t largest_batched = 256;
inline bool is_batch(const matrix_stack& s) { return s.count > 1 && s.rows <= largest_batched; }

/// The older routines count in 32 bits. Throws value_error.
inline int as_int(std::int64_t n) {
  if (n > 0x7fffffff) throw value_error("cuSOLVER has no routine for matrices this large");
  return static_cast<int>(n);
}

template<class T>
T* matrix_at(const matrix_stack& s, std::int64_t i) {
  return static_cast<T*>(s.data) + i * s.rows * s.columns;
}

/// Pools, streams and copies of one call.
class call_context {
 public:
  call_context(backend& owner, queue q) : owner_(owner), q_(q) {
    use_device(q.device);
    recording* const recorded = recording_on(q.device);
    pool_ = recorded ? &recorded->pool() : owner.pool(memory_space::device, q.device);
  }

  scratch memory(std::size_t bytes) const { return scratch(*pool_, bytes, q_.stream); }

  void scan(const scan_plan& plan) const { owner_.scan(plan, q_); }
  void copy(void* to, const void* from, std::size_t bytes) const { owner_.copy(to, from, bytes, q_); }
  void read(void* to, const void* from, std::size_t bytes) const { owner_.read(to, from, bytes, q_); }

  /// The addresses of matrices `step` elements apart, in device memory.
  template<class T>
  scratch addresses(T* first, std::int64_t step, std::int64_t count) const {
    std::vector<T*> list;
    for (std::int64_t i = 0; i < count; ++i) list.push_back(first + i * step);
    scratch memory_of_list = memory(list.size() * sizeof(T*));
    owner_.copy(memory_of_list.data(), list.data(), list.size() * sizeof(T*), q_);
    return memory_of_list;
  }
  template<class T>
  scratch addresses(const matrix_stack& s) const {
    return addresses(static_cast<T*>(s.data), s.rows * s.columns, s.count);
  }

  cublasHandle_t blas() {
    if (!workspace_.data()) workspace_ = memory(blas_workspace_bytes);
    return blas_handle(q_, workspace_.data(), blas_workspace_bytes);
  }
  queue where() const { return q_; }
  memory_pool& pool() const { return *pool_; }

 private:
  backend& owner_;
  queue q_;
  memory_pool* pool_;
  scratch workspace_;
};

/// The two work areas of a routine of the 64-bit interface.
struct work_areas {
  std::size_t on_device = 0, on_host = 0;
  scratch device;
  std::unique_ptr<std::byte[]> host;

  void allocate(const call_context& context) {
    device = context.memory(on_device);
    host.reset(new std::byte[on_host > 0 ? on_host : 1]);
  }
};

/// Makes a call of the solver's table and checks its status.
#define GPARRAY_SOLVE(name, ...) check_solver(#name, solver().name(__VA_ARGS__))

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
