// The tables of kernels that add values onto places.
#include <cuda/device/elements.cuh>
#include <cuda/sorting/combine_kernels.cuh>

// Functors compare with zero whatever the sign of the type.
#pragma nv_diag_suppress 186

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<dtype D>
combine_kernels kernels_of() {
  using core = added_core<kernel_t<D>>;
  return {reinterpret_cast<const void*>(&add_chunks<core>),
          reinterpret_cast<const void*>(&finish_places<core>),
          32 * combine_warps(sizeof(typename core::value)), sizeof(typename core::value)};
}

}  // namespace

combine_kernels find_combine_kernels(dtype type) {
  switch (type) {
    case dtype::int32:
      return kernels_of<dtype::int32>();
    case dtype::uint32:
      return kernels_of<dtype::uint32>();
    case dtype::int64:
      return kernels_of<dtype::int64>();
    case dtype::uint64:
      return kernels_of<dtype::uint64>();
    case dtype::float16:
      return kernels_of<dtype::float16>();
    case dtype::bfloat16:
      return kernels_of<dtype::bfloat16>();
    case dtype::float32:
      return kernels_of<dtype::float32>();
    case dtype::float64:
      return kernels_of<dtype::float64>();
    case dtype::complex64:
      return kernels_of<dtype::complex64>();
    case dtype::complex128:
      return kernels_of<dtype::complex128>();
    default:
      return {};
  }
}

const void* find_key_kernel() { return reinterpret_cast<const void*>(&make_keys); }
const void* find_edge_kernel() { return reinterpret_cast<const void*>(&find_edges); }

const void* find_atomic_kernel(dtype type) {
  switch (type) {
    case dtype::int32:
    case dtype::uint32:
      return reinterpret_cast<const void*>(&add_atomically<unsigned>);
    case dtype::int64:
    case dtype::uint64:
      return reinterpret_cast<const void*>(&add_atomically<unsigned long long>);
    case dtype::float32:
      return reinterpret_cast<const void*>(&add_atomically<float>);
    case dtype::float64:
      return reinterpret_cast<const void*>(&add_atomically<double>);
    default:
      return nullptr;
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
