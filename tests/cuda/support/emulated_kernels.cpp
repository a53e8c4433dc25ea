// In a namespace of its own: the same templates, compiled by nvcc, are in the library.
#if defined(GPARRAY_HAS_CUDA)
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "cuda/support/emulated_block.hpp"
#include "cuda/support/emulated_table.hpp"

#define gparray emulated_gparray

struct uint4 {
  unsigned x, y, z, w;
};

#include <cuda/device/functions.cuh>
#include <cuda/map/map_kernels.cuh>
#include <cuda/map/transpose.cu>
#include <cuda/reduction/reduce_columns.cuh>
#include <cuda/reduction/reduce_inner.cuh>
#include <cuda/reduction/scan_columns.cuh>
#include <cuda/reduction/scan_rows.cuh>

namespace emulated {
namespace {

namespace cuda = gparray::core::cuda;
using gparray::dtype;
using gparray::reduction;
using gparray::ufunc;

template<class Params, void (*Kernel)(Params)>
void run(const launch& l) {
  Params params;
  std::memcpy(static_cast<void*>(&params), l.params, sizeof params);
  gridDim.x = l.blocks;
  for (unsigned i = 0; i < l.blocks; ++i) {
    blockIdx.x = l.backwards ? l.blocks - 1 - i : i;
    running.run(
        l.threads, l.backwards, [](const void* p) { Kernel(*static_cast<const Params*>(p)); }, &params);
  }
}

template<class R>
reduce_kernels kernels_of() {
  return {run<cuda::inner_params, &cuda::reduce_inner<R, cuda::inner_params>>,
          run<cuda::dense_params, &cuda::reduce_inner<R, cuda::dense_params>>,
          run<cuda::column_params, &cuda::reduce_columns<R, cuda::column_params>>};
}

template<class Core>
scan_kernels scans_of() {
  return {run<cuda::scan_params, &cuda::scan_tiles<Core>>,
          run<cuda::scan_params, &cuda::scan_short_rows<Core>>,
          run<cuda::scan_params, &cuda::scan_middle_rows<Core>>,
          run<cuda::scan_params, &cuda::scan_columns<Core>>,
          run<cuda::scan_params, &cuda::scan_column_tiles<Core>>};
}
template<class T>
scan_kernels sums_of() {
  return scans_of<gparray::kernel::sum_core<T, gparray::kernel::widened_t<T>, false>>();
}

template<class T>
kernel transpose_of(bool vectors) {
  constexpr int lanes = 16 / static_cast<int>(sizeof(T));
  return vectors ? run<cuda::transpose_params, &cuda::transpose_kernel<T, lanes>>
                 : run<cuda::transpose_params, &cuda::transpose_kernel<T, 1>>;
}

template<class Function>
map_kernels maps_of() {
  constexpr int arity = Function::arity;
  return {run<cuda::vector_params<arity>, &cuda::vector_map<Function>>,
          run<cuda::strided_params<arity>, &cuda::strided_map<Function>>};
}

template<dtype D>
using element = cuda::kernel_t<D>;

}  // namespace

reduce_kernels reduce(int r, int d) {
#define GPARRAY_EMULATED(op, type)                                                \
  if (r == static_cast<int>(reduction::op) && d == static_cast<int>(dtype::type)) \
    return kernels_of<gparray::kernel::op##_reduction<element<dtype::type>>>();
  GPARRAY_EMULATED(sum, float32)
  GPARRAY_EMULATED(sum, float64)
  GPARRAY_EMULATED(sum, float16)
  GPARRAY_EMULATED(sum, int8)
  GPARRAY_EMULATED(nansum, float32)
  GPARRAY_EMULATED(std, float32)
  GPARRAY_EMULATED(std, complex64)
  GPARRAY_EMULATED(argmax, float32)
  GPARRAY_EMULATED(argmax, int32)
  GPARRAY_EMULATED(nanargmin, float32)
  GPARRAY_EMULATED(max, float64)
  GPARRAY_EMULATED(minmax, float32)
  GPARRAY_EMULATED(mean, float32)
  GPARRAY_EMULATED(var, float32)
  GPARRAY_EMULATED(moments, float32)
  GPARRAY_EMULATED(mean, float64)
  GPARRAY_EMULATED(var, float64)
  GPARRAY_EMULATED(moments, float64)
#undef GPARRAY_EMULATED
  return {};
}

scan_kernels cumulative_sum(int d) {
  switch (static_cast<dtype>(d)) {
    case dtype::float32:
      return sums_of<float>();
    case dtype::float64:
      return sums_of<double>();
    case dtype::complex128:
      return sums_of<element<dtype::complex128>>();
    default:
      return {};
  }
}

scan_kernels cumulative_maximum() { return scans_of<gparray::kernel::max_core<float, false>>(); }

kernel transpose(int element_bytes, bool vectors) {
  switch (element_bytes) {
    case 1:
      return transpose_of<unsigned char>(vectors);
    case 4:
      return transpose_of<unsigned>(vectors);
    case 8:
      return transpose_of<unsigned long>(vectors);
    default:
      return transpose_of<uint4>(vectors);
  }
}

map_kernels addition() { return maps_of<cuda::ufunc_function<ufunc::add, dtype::float32>>(); }
map_kernels copy() { return maps_of<cuda::cast_function<float, float>>(); }

}  // namespace emulated
#endif
