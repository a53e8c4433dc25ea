// The kernels of one group of rows of ufuncs.def: those whose number modulo the number of groups is
// GPARRAY_MAP_GROUP. Each map_N.cu compiles one group, so that a new row costs no edit and the compiler's
// work is spread evenly.
#include <utility>

// Functors compare with zero whatever the sign of the type.
#pragma nv_diag_suppress 186

#include <cuda/device/functions.cuh>
#include <cuda/map/map_groups.hpp>
#include <cuda/map/map_kernels.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<int Row, int D>
map_kernels kernels_of() {
  constexpr int number = Row * n_map_groups + GPARRAY_MAP_GROUP;
  if constexpr (number < ufunc_count) {
    constexpr auto f = static_cast<ufunc>(number);
    constexpr auto d = static_cast<dtype>(D);
    if constexpr (has_loop(f, d)) {
      using function = ufunc_function<f, d>;
      return {reinterpret_cast<const void*>(&vector_map<function>),
              reinterpret_cast<const void*>(&strided_map<function>)};
    }
  }
  return {};
}

template<int... Cells>
map_table make_table(std::integer_sequence<int, Cells...>) {
  return {{kernels_of<Cells / dtype_count, Cells % dtype_count>()...}};
}

}  // namespace

template<>
const map_table& map_group<GPARRAY_MAP_GROUP>() {
  static const map_table table = make_table(std::make_integer_sequence<int, map_rows * dtype_count>());
  return table;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
