// The elements at addresses: ufunc::load for every dtype.
#include <utility>

#include <cuda/device/functions.cuh>
#include <cuda/map/map_kernels.cuh>
#include <cuda/map/map_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

template<class T>
struct load_function {
  static constexpr int arity = 1;
  using result = T;
  template<int I>
  using argument = long;
  // Beyond the end of an array its elements are taken to be 0.
  __device__ static __forceinline__ T call(long address) {
    return address ? *reinterpret_cast<const T*>(address) : T();
  }
};

template<int D>
map_kernels load_of() {
  using function = load_function<kernel_t<static_cast<dtype>(D)>>;
  return {reinterpret_cast<const void*>(&vector_map<function>),
          reinterpret_cast<const void*>(&strided_map<function>)};
}

struct load_table {
  map_kernels loads[dtype_count];
};

template<int... D>
load_table make_table(std::integer_sequence<int, D...>) {
  return {{load_of<D>()...}};
}

}  // namespace

const map_kernels& find_load_kernels(dtype type) {
  static const load_table all = make_table(std::make_integer_sequence<int, dtype_count>());
  return all.loads[static_cast<int>(type)];
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
