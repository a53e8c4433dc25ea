#include <cuda/map/polynomial.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

const void* find_polynomial_kernel(dtype type) {
  switch (type) {
#define GPARRAY_DTYPE(name, user_type, kernel_type, code, kind) \
  case dtype::name:                                             \
    return reinterpret_cast<const void*>(&evaluate_polynomial<kernel_type>);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
  return nullptr;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
