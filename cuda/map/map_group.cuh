// The kernels of group GPARRAY_GROUP of the rows of ufuncs.def (cuda/device/compiled_kernels.hpp).

// Functors compare with zero whatever the sign of the type.
#pragma nv_diag_suppress 186

#include <cuda/device/functions.cuh>
#include <cuda/map/map_kernels.cuh>
#include <cuda/map/map_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

struct map_cell {
  template<int Row, dtype D>
  static map_kernels kernels() {
    constexpr auto f = static_cast<ufunc>(Row);
    if constexpr (has_loop(f, D)) {
      using function = ufunc_function<f, D>;
      return {reinterpret_cast<const void*>(&vector_map<function>),
              reinterpret_cast<const void*>(&strided_map<function>)};
    } else {
      return {};
    }
  }
};

}  // namespace

template<>
template<>
const map_table::group& map_table::of_group<GPARRAY_GROUP>() {
  static const group kernels = make<GPARRAY_GROUP, map_cell>();
  return kernels;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
