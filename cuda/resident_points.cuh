// What one thread of a resident loop computes: maps of one element, whose operands it may just have computed.
#pragma once
#include "block_place.cuh"
#include "lanes.cuh"
#include "map_kernels.cuh"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// What the first thread of a team has stored, and has in a register too: to load it would take it as long as
/// fifty additions.
template<class T>
struct known_value {
  const void* address;
  T value;
};

template<class T>
__device__ __forceinline__ T load_known(const void* address) {
  return *static_cast<const T*>(address);
}
/// The known values overlap nowhere.
template<class T, class First, class... Rest>
__device__ __forceinline__ T load_known(const void* address, const known_value<First>& first,
                                        const Rest&... rest) {
  if constexpr (kernel::is_same<T, First>) {
    if (address == first.address) return first.value;
  }
  return load_known<T>(address, rest...);
}

/// What vector_map does with one element. A whole warp may take part; only its first thread stores.
template<class Function, class... Known>
__device__ __forceinline__ known_value<typename Function::result> map_point(
    const vector_params<parameter_slots<Function>>& p, const Known&... known) {
  using Result = typename Function::result;
  function_operands<Function, 1> operands;
  operands.load([&]<int I>(auto& values) {
    constexpr access mode = Function::modes[I];
    if constexpr (mode == access::constant_bits || mode == access::iota)
      load_lanes<mode>(values, p.in[I], p.constants[I], 0, 1);
    else values[0] = load_known<argument_t<Function, I>>(p.in[I], known...);
  });
  const known_value<Result> result{p.out, operands.call(0)};
  if (thread_number() == 0) *reinterpret_cast<Result*>(p.out) = result.value;
  return result;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
