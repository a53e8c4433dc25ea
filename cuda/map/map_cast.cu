// Copies and conversions: ufunc::cast for every pair of dtypes.
#include <utility>

#include <cuda/device/functions.cuh>
#include <cuda/map/map_kernels.cuh>
#include <cuda/map/map_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

struct cast_tables {
  map_kernels copies[dtype_count];
  const void* casts[dtype_count * dtype_count];
};

template<int D>
map_kernels copy_of() {
  using T = kernel_t<static_cast<dtype>(D)>;
  return {reinterpret_cast<const void*>(&vector_map<cast_function<T, T>>),
          reinterpret_cast<const void*>(&strided_map<cast_function<T, T>>)};
}

template<int From, int To>
const void* cast_of() {
  if constexpr (From == To) return nullptr;
  else
    return reinterpret_cast<const void*>(
        &vector_map<cast_function<kernel_t<static_cast<dtype>(From)>, kernel_t<static_cast<dtype>(To)>>>);
}

template<int... D, int... Pairs>
cast_tables make_tables(std::integer_sequence<int, D...>, std::integer_sequence<int, Pairs...>) {
  return {{copy_of<D>()...}, {cast_of<Pairs / dtype_count, Pairs % dtype_count>()...}};
}

const cast_tables& tables() {
  static const cast_tables all = make_tables(std::make_integer_sequence<int, dtype_count>(),
                                             std::make_integer_sequence<int, dtype_count * dtype_count>());
  return all;
}

}  // namespace

const map_kernels& find_copy_kernels(dtype type) { return tables().copies[static_cast<int>(type)]; }

const void* find_cast_kernel(dtype from, dtype to) {
  return tables().casts[static_cast<int>(from) * dtype_count + static_cast<int>(to)];
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
