// What one thread of a persistent loop computes: maps of one element, whose operands it may just have
// computed.
#pragma once
#include <cuda/device/block_index.cuh>
#include <cuda/device/lanes.cuh>
#include <cuda/fusion/persistent_params.hpp>
#include <cuda/map/map_kernels.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// What the first thread of a team has stored and still holds in a register: loading it would take as long as
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

/// A point may be computed by a whole warp, or by all blocks; one thread stores it.
__device__ __forceinline__ bool stores_points() {
  return thread_number() == 0 && blockIdx.x == gridDim.x - 1;
}

/// What vector_map does with one element.
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
  if (stores_points()) *reinterpret_cast<Result*>(p.out) = result.value;
  return result;
}

/// What vector_map does with the part of its output that block number `block` of a reduction reads. The rows
/// are in order, of one dimension at most.
template<class Function>
__device__ __forceinline__ void vector_map_part(const vector_params<parameter_slots<Function>>& p,
                                                const map_parts& parts, std::uint32_t block) {
  constexpr int lanes = map_row<Function>::lanes, size = sizeof(typename Function::result);
  const std::int64_t from = parts.begin + std::int64_t{block} * parts.bytes - p.out, to = from + parts.bytes;
  if (to <= 0) return;
  const std::uint32_t thread = thread_number() & ((1u << p.log_threads) - 1);
  const std::uint32_t first_row = from > 0 ? parts.row.divide(static_cast<std::uint32_t>(from)) : 0;
  const std::uint32_t end_row = min(parts.row.divide(static_cast<std::uint32_t>(to - 1)) + 1, p.n_rows);
#pragma unroll 1
  for (std::uint32_t row = first_row + (thread_number() >> p.log_threads); row < end_row;
       row += map_threads >> p.log_threads) {
    const map_row<Function> operands(p, row);
    const auto at = static_cast<std::int64_t>(row) * (p.n_outer > 0 ? p.out_strides[0] : 0);
    const int first = from > at ? static_cast<int>(from - at) / size : 0;
    const int end = min(static_cast<int>(to - at) / size, static_cast<int>(p.n_columns));
    const int head = operands.head();
    const int column = ((first + head) & -lanes) + static_cast<int>(thread) * lanes;
#pragma unroll 1
    for (int start = column - head; start < end; start += lanes << p.log_threads)
      operands.compute(p, start, first, end);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
