// The tables of kernels that search and that reduce runs.
#include <cuda/sorting/run_kernels.cuh>
#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class T>
const void* run_kernel_of(reduction op) {
  switch (op) {
#define GPARRAY_REDUCTION(name, domain, accumulator, result, empty, masked, fold, runs, doc)               \
  case reduction::name:                                                                                    \
    if constexpr (runs) return reinterpret_cast<const void*>(&reduce_run<kernel::name##_reduction<T>, T>); \
    break;
#include <gparray/tables/reductions.def>
  }
  return nullptr;
}

}  // namespace

const void* find_search_kernel(dtype type) {
  switch (type) {
#define GPARRAY_DTYPE(name, user_type, kernel_type, code, kind) \
  case dtype::name:                                             \
    return reinterpret_cast<const void*>(&find_positions<kernel_type>);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return nullptr;
}

const void* find_run_kernel(reduction op, dtype type) {
  switch (type) {
#define GPARRAY_DTYPE(name, user_type, kernel_type, code, kind) \
  case dtype::name:                                             \
    return run_kernel_of<kernel_type>(op);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return nullptr;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
