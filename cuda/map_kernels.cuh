// The two ahead-of-time kernels of an element-wise function: rows of side-by-side elements, and any strides.
#pragma once
#include "elements.cuh"
#include "map_params.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// What a kernel asks of a function: argument types, result type, and a call. Specialised by functions.cuh.
template<class Function, int I>
using argument_t = typename Function::template argument<I>;

template<class Function>
constexpr int function_lanes() {
  std::size_t widest = sizeof(typename Function::result);
  const std::size_t sizes[] = {sizeof(argument_t<Function, 0>), sizeof(argument_t<Function, 1>),
                               sizeof(argument_t<Function, 2>)};
  for (int i = 0; i < Function::arity; ++i) widest = sizes[i] > widest ? sizes[i] : widest;
  return lanes_for(widest);
}

/// The loads of all operands come before their first use, so that they are in flight together: of an operand
/// that is the same along the row only the first lane is loaded, and spread_lanes copies it to the others.
template<class T, int N>
__device__ __forceinline__ void load_lanes(T (&values)[N], const char* row, access mode,
                                           const scalar_bits& bits, int start, int n_columns) {
  if (mode == access::contiguous) load_pack(values, row, start, n_columns);
  else if (mode == access::row_value) values[0] = *reinterpret_cast<const T*>(row);
  else values[0] = *reinterpret_cast<const T*>(&bits);
}

template<class T, int N>
__device__ __forceinline__ void spread_lanes(T (&values)[N], access mode) {
#pragma unroll
  for (int k = 1; k < N; ++k) values[k] = mode == access::contiguous ? values[k] : values[0];
}

template<class Function>
__global__ void __launch_bounds__(map_threads)
    vector_map(const __grid_constant__ vector_params<Function::arity> p) {
  using Result = typename Function::result;
  constexpr int arity = Function::arity, lanes = function_lanes<Function>();
  constexpr unsigned alignment_mask = lanes - 1;
  std::uint32_t tile = blockIdx.x;
  const std::uint32_t group = p.tiles.split(tile);
  const std::uint32_t thread = threadIdx.x & ((1u << p.log_threads) - 1);
  const std::uint32_t first_row =
      ((group << (log_map_threads - p.log_threads)) + (threadIdx.x >> p.log_threads)) * p.rows_per_thread;
  const std::uint32_t end_row = min(first_row + p.rows_per_thread, p.n_rows);
  const int column = static_cast<int>(((tile << p.log_threads) + thread) * lanes);
  const int n_columns = static_cast<int>(p.n_columns);

#pragma unroll 1
  for (std::uint32_t row = first_row; row < end_row; ++row) {
    char* out = p.out;
    const char* in[arity];
#pragma unroll
    for (int i = 0; i < arity; ++i) in[i] = p.in[i];
    if (p.n_outer > 0) {
      std::uint32_t rest = row;
#pragma unroll
      for (int d = max_outer - 1; d >= 0; --d) {
        if (d >= p.n_outer) continue;
        std::uint32_t index = rest;
        if (d > 0) rest = p.outer[d].split(index);
        out += index * p.out_strides[d];
#pragma unroll
        for (int i = 0; i < arity; ++i) in[i] += index * p.in_strides[i][d];
      }
    }

    // Threads begin `head` elements before the row, where the output is aligned, so that stores are always
    // whole; inputs that are aligned otherwise are loaded one by one.
    const int head =
        static_cast<int>((reinterpret_cast<std::uintptr_t>(out) / sizeof(Result)) & alignment_mask);
    const int start = column - head;
    if (start >= n_columns) continue;
    const bool inside = start >= 0 && start <= n_columns - lanes;

    argument_t<Function, 0> a[lanes];
    argument_t<Function, 1> b[lanes];
    argument_t<Function, 2> c[lanes];
    load_lanes(a, in[0], p.modes[0], p.constants[0], start, n_columns);
    if constexpr (arity > 1) load_lanes(b, in[1], p.modes[1], p.constants[1], start, n_columns);
    if constexpr (arity > 2) load_lanes(c, in[2], p.modes[2], p.constants[2], start, n_columns);
    spread_lanes(a, p.modes[0]);
    if constexpr (arity > 1) spread_lanes(b, p.modes[1]);
    if constexpr (arity > 2) spread_lanes(c, p.modes[2]);

    pack<Result, lanes> results;
#pragma unroll
    for (int k = 0; k < lanes; ++k) {
      if constexpr (arity == 1) results.values[k] = Function::call(a[k]);
      if constexpr (arity == 2) results.values[k] = Function::call(a[k], b[k]);
      if constexpr (arity == 3) results.values[k] = Function::call(a[k], b[k], c[k]);
    }

    Result* to = reinterpret_cast<Result*>(out) + start;
    if (inside) {
      *reinterpret_cast<pack<Result, lanes>*>(to) = results;
    } else {
#pragma unroll
      for (int k = 0; k < lanes; ++k)
        if (static_cast<unsigned>(start + k) < static_cast<unsigned>(n_columns)) to[k] = results.values[k];
    }
  }
}

template<class T>
__device__ __forceinline__ T load_strided(const char* pointer, std::int64_t number, input_kind kind,
                                          dtype type, const scalar_bits& bits) {
  if (kind == input_kind::array) return load_as<T>(pointer, type);
  if (kind == input_kind::iota) return kernel::cast<T>(static_cast<long>(number));
  return *reinterpret_cast<const T*>(&bits);
}

template<class Function>
__global__ void __launch_bounds__(map_threads)
    strided_map(const __grid_constant__ strided_params<Function::arity> p) {
  using Result = typename Function::result;
  constexpr int arity = Function::arity;
  const std::uint32_t index = blockIdx.x * map_threads + threadIdx.x;
  if (index >= p.size) return;

  // Byte offsets of arrays, units of iotas; constants have stride 0.
  std::int64_t to = 0, at[arity];
#pragma unroll
  for (int i = 0; i < arity; ++i) at[i] = 0;
  std::uint32_t rest = index;
  for (int d = p.ndim - 1; d >= 0; --d) {
    std::uint32_t along = rest;
    rest = p.shape[d].split(along);
    to += along * p.out_strides[d];
#pragma unroll
    for (int i = 0; i < arity; ++i) at[i] += along * p.in_strides[i][d];
  }

  const auto load = [&]<int I>() {
    using T = argument_t<Function, I>;
    return load_strided<T>(p.in[I] + at[I], p.first[I] + at[I], p.kinds[I], p.in_types[I], p.constants[I]);
  };
  Result value;
  if constexpr (arity == 1) value = Function::call(load.template operator()<0>());
  if constexpr (arity == 2)
    value = Function::call(load.template operator()<0>(), load.template operator()<1>());
  if constexpr (arity == 3)
    value = Function::call(load.template operator()<0>(), load.template operator()<1>(),
                           load.template operator()<2>());
  if (p.out_type == kernel_dtype<Result>) *reinterpret_cast<Result*>(p.out + to) = value;
  else store_converted(p.out + to, p.out_type, value);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
