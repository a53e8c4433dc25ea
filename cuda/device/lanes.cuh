// The operands of an element-wise function in registers: N neighbouring elements of each.
#pragma once
#include <cuda/device/byte_words.cuh>
#include <cuda/device/elements.cuh>
#include <cuda/device/map_params.hpp>
#include <cuda/device/quick_math.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<int... I>
struct index_list {};
template<int N, int... I>
struct make_indices : make_indices<N - 1, N - 1, I...> {};
template<int... I>
struct make_indices<0, I...> {
  using type = index_list<I...>;
};

/// The I-th of some types.
template<int I, class First, class... Rest>
struct type_list {
  using type = typename type_list<I - 1, Rest...>::type;
};
template<class First, class... Rest>
struct type_list<0, First, Rest...> {
  using type = First;
};
template<int I, class... T>
using type_at = typename type_list<I, T...>::type;

/// What a kernel asks of a function: argument types, result type, and a call. Specialised by functions.cuh;
/// generated kernels write their own.
template<class Function, int I>
using argument_t = typename Function::template argument<I>;

/// Generated functions know where their operands are: `modes`. Those compiled ahead of time ask the
/// parameters.
template<class Function>
inline constexpr bool has_fixed_modes = requires { Function::modes[0]; };

/// Elements [start, start + N) of a row of n. What an iota has for `row` is its first number.
template<access Mode, class T, int N>
__device__ __forceinline__ void load_lanes(T (&values)[N], const char* row, const scalar_bits& bits,
                                           int start, int n) {
  if constexpr (Mode == access::contiguous) {
    load_pack(values, row, start, n);
  } else if constexpr (Mode == access::strided) {
    const std::int64_t stride = *reinterpret_cast<const std::int64_t*>(&bits);
#pragma unroll
    for (int k = 0; k < N; ++k)
      values[k] = static_cast<unsigned>(start + k) < static_cast<unsigned>(n)
                      ? *reinterpret_cast<const T*>(row + (start + k) * stride)
                      : T();
  } else if constexpr (Mode == access::iota) {
    const std::int64_t unit = *reinterpret_cast<const std::int64_t*>(&bits);
#pragma unroll
    for (int k = 0; k < N; ++k)
      values[k] =
          kernel::cast<T>(static_cast<long>(reinterpret_cast<std::intptr_t>(row) + (start + k) * unit));
  } else {
    const T value =
        Mode == access::row_value ? *reinterpret_cast<const T*>(row) : *reinterpret_cast<const T*>(&bits);
#pragma unroll
    for (int k = 0; k < N; ++k) values[k] = value;
  }
}

/// Global memory at an address that a number tells. The compiler does not know the address to be one of
/// global memory, and its instruction for any memory takes longer. Nor may it see how the address was
/// computed: looking for the kind of memory there, NVVM had not ended after six minutes with some reductions
/// of loads.
template<class T>
__device__ __forceinline__ T load_global(long address) {
#if defined(__CUDA_ARCH__)
  asm("" : "+l"(address));
  return *static_cast<const T*>(__cvta_global_to_generic(static_cast<std::size_t>(address)));
#else
  return *reinterpret_cast<const T*>(address);
#endif
}
/// 0 where there is nothing: at address 0.
template<class T>
__device__ __forceinline__ T load_if_any(long address) {
  return address ? load_global<T>(address) : kernel::cast<T>(0);
}

/// N elements at an address that is aligned as so many are.
template<class T, int N>
__device__ __forceinline__ void load_whole_pack(T (&values)[N], long address) {
  const auto loaded = load_global<pack<T, N>>(address);
#pragma unroll
  for (int k = 0; k < N; ++k) values[k] = loaded.values[k];
}

/// load_lanes() for modes that are known at run time; broadcast_lanes completes it once the loads of all
/// operands are on their way. Replicating an element that is one for the whole row before that would wait for
/// its load.
template<class T, int N>
__device__ __forceinline__ void load_lanes(T (&values)[N], const char* row, access mode,
                                           const scalar_bits& bits, int start, int n) {
  if (mode == access::contiguous) load_pack(values, row, start, n);
  else if (mode == access::row_value) values[0] = *reinterpret_cast<const T*>(row);
  else values[0] = *reinterpret_cast<const T*>(&bits);
}
template<class T, int N>
__device__ __forceinline__ void broadcast_lanes(T (&values)[N], access mode) {
#pragma unroll
  for (int k = 1; k < N; ++k) values[k] = mode == access::contiguous ? values[k] : values[0];
}

template<int I, class T, int N>
struct operand_lanes {
  T values[N];
};

/// Generated functions that divide or take roots may have a form without branches, of which a thread computes
/// several elements at once.
template<class Function>
inline constexpr bool is_quick = requires { typename Function::quick_values; };

/// Generated functions of many instructions may have a form that does each step for all elements of a thread
/// before the next one: what a step needs is loaded once for them, and none of them waits for another's.
template<class Function>
inline constexpr bool is_side_by_side = requires { Function::side_by_side; };

/// Generated functions with steps of bytes have a form that does those for four elements at once.
template<class Function>
inline constexpr bool has_words = requires { &Function::call_words; };

/// N elements of every operand of the function.
template<class Function, int N, class Indices = typename make_indices<Function::arity>::type>
struct function_operands;
template<class Function, int N, int... I>
struct function_operands<Function, N, index_list<I...>> : operand_lanes<I, argument_t<Function, I>, N>... {
  template<int J>
  __device__ __forceinline__ auto& of() {
    return operand_lanes<J, argument_t<Function, J>, N>::values;
  }
  /// load.operator()<J>(values) for each operand J.
  template<class Load>
  __device__ __forceinline__ void load(Load load) {
    (load.template operator()<I>(of<I>()), ...);
  }
  /// The function of the k-th elements; `stored` receives what it stores beside its result.
  template<class... Stored>
  __device__ __forceinline__ typename Function::result call(int k, Stored&... stored) {
    return Function::call(of<I>()[k]..., stored...);
  }
  template<class QuickValues, class... Stored>
  __device__ __forceinline__ typename Function::result call_quickly(QuickValues& quick, int k,
                                                                    Stored&... stored) {
    return Function::call_quickly(quick, of<I>()[k]..., stored...);
  }
  /// call() of all elements, into results[0], results[1], ...
  template<class Result, class... Stored>
  __device__ __forceinline__ void call_all(Result (&results)[N], Stored (&... stored)[N]) {
    if constexpr (is_side_by_side<Function>) {
      Function::call_all(results, of<I>()..., stored...);
    } else if constexpr (has_words<Function> && N % 4 == 0) {
#pragma unroll
      for (int k = 0; k < N; k += 4) Function::call_words(results + k, of<I>() + k..., stored + k...);
    } else {
      if constexpr (is_quick<Function> && N > 1) {
        typename Function::quick_values quick;
#pragma unroll
        for (int k = 0; k < N; ++k) results[k] = call_quickly(quick, k, stored[k]...);
        if (!quick.is_exceeded()) return;
      }
#pragma unroll
      for (int k = 0; k < N; ++k) results[k] = call(k, stored[k]...);
    }
  }
};

/// How many values a function stores beside its result: generated ones say so.
template<class Function>
inline constexpr int function_stores = 0;
template<class Function>
  requires requires { Function::stores; }
inline constexpr int function_stores<Function> = Function::stores;

template<int I, class T, int N>
struct stored_pack {
  pack<T, N> values;
};

/// N elements of each of them.
template<class Function, int N, class Indices = typename make_indices<function_stores<Function>>::type>
struct function_stored;
template<class Function, int N>
struct function_stored<Function, N, index_list<>> {
  __device__ __forceinline__ auto call(function_operands<Function, N>& operands, int k) {
    return operands.call(k);
  }
  template<class Result>
  __device__ __forceinline__ void call_all(function_operands<Function, N>& operands, Result (&results)[N]) {
    operands.call_all(results);
  }
  template<class Store>
  __device__ __forceinline__ void store(Store) {}
};
template<class Function, int N, int... I>
struct function_stored<Function, N, index_list<I...>>
    : stored_pack<I, typename Function::template stored<I>, N>... {
  template<int J>
  __device__ __forceinline__ auto& of() {
    return stored_pack<J, typename Function::template stored<J>, N>::values;
  }
  __device__ __forceinline__ auto call(function_operands<Function, N>& operands, int k) {
    return operands.call(k, of<I>().values[k]...);
  }
  template<class Result>
  __device__ __forceinline__ void call_all(function_operands<Function, N>& operands, Result (&results)[N]) {
    operands.call_all(results, of<I>().values...);
  }
  /// store.operator()<J>(pack) for each.
  template<class Store>
  __device__ __forceinline__ void store(Store store) {
    (store.template operator()<I>(of<I>()), ...);
  }
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
