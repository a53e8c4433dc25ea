// The two kernels of an element-wise function, compiled ahead of time for the rows of the table and at run
// time for expressions: rows of side-by-side elements, and any strides.
#pragma once
#include <cuda/device/block_index.cuh>
#include <cuda/device/lanes.cuh>
#include <cuda/device/programmatic_launch.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<class Function, int... I>
constexpr int widest_lanes(index_list<I...>) {
  std::size_t widest = sizeof(typename Function::result);
  ((widest = sizeof(argument_t<Function, I>) > widest ? sizeof(argument_t<Function, I>) : widest), ...);
  return lanes_for(widest);
}

/// Elements of one thread of the vector kernel: generated functions say how many.
template<class Function>
inline constexpr int function_lanes = widest_lanes<Function>(typename make_indices<Function::arity>::type());
template<class Function>
  requires has_fixed_modes<Function>
inline constexpr int function_lanes<Function> = Function::lanes;

/// What the parameter block has room for, which in generated functions may be more than there is.
template<class Function>
inline constexpr int parameter_slots = Function::arity;
template<class Function>
  requires has_fixed_modes<Function>
inline constexpr int parameter_slots<Function> = Function::slots;
template<class Function>
inline constexpr int parameter_dims = max_ndim;
template<class Function>
  requires has_fixed_modes<Function>
inline constexpr int parameter_dims<Function> = Function::dims;
/// Operands in front of the numbers for which there are no slots: generated functions with more numbers say
/// so.
template<class Function>
inline constexpr int function_places = Function::arity;
template<class Function>
  requires requires { Function::places; }
inline constexpr int function_places<Function> = Function::places;
template<class Function>
inline constexpr int parameter_numbers = 0;
template<class Function>
  requires requires { Function::numbers; }
inline constexpr int parameter_numbers<Function> = Function::numbers;

/// How many outer dimensions there are, where generated functions say so; else 0.
template<class Function>
inline constexpr int known_outer = 0;
template<class Function>
  requires requires { Function::n_outer; }
inline constexpr int known_outer<Function> = Function::n_outer;

template<class Function>
using vector_params_of = vector_params<parameter_slots<Function>, parameter_numbers<Function>>;
template<class Function>
using strided_params_of =
    strided_params<parameter_slots<Function>, parameter_dims<Function>, parameter_numbers<Function>>;

/// Stores those of the elements from `start` on, one for each lane, that are in [first, end).
template<class T, int N>
__device__ __forceinline__ void store_lanes(char* row, const pack<T, N>& values, int start, int first,
                                            int end) {
  T* to = reinterpret_cast<T*>(row) + start;
  if (start >= first && start <= end - N) {
    store_elements(to, values.values);
  } else {
#pragma unroll
    for (int k = 0; k < N; ++k)
      if (static_cast<unsigned>(start + k - first) < static_cast<unsigned>(end - first))
        to[k] = element_at(values.values, k);
  }
}

/// Where a row's operands begin, and its output; behind the operands what is stored beside it, which lies as
/// the output does, so that its packs are whole where those of the output are.
template<class Function>
struct map_row {
  using result = typename Function::result;
  static constexpr int lanes = function_lanes<Function>;
  char* out;
  static constexpr int n_rows = function_places<Function> + function_stores<Function>;
  const char* in[n_rows];

  __device__ __forceinline__ map_row(const vector_params_of<Function>& p, std::uint32_t row) : out(p.out) {
#pragma unroll
    for (int i = 0; i < n_rows; ++i) in[i] = p.in[i];
    const int n_outer = known_outer<Function> > 0 ? known_outer<Function> : p.n_outer;
    if (n_outer > 0) {
      std::uint32_t rest = row;
#pragma unroll
      for (int d = max_outer - 1; d >= 0; --d) {
        if (d >= n_outer) continue;
        std::uint32_t index = rest;
        if (d > 0) rest = p.outer[d].split(index);
        out += index * p.out_strides[d];
#pragma unroll
        for (int i = 0; i < n_rows; ++i) in[i] += index * p.in_strides[i][d];
      }
    }
  }

  /// Threads begin so many elements before the row, where the output is aligned, so that stores are always
  /// whole; inputs that are aligned otherwise are loaded one by one.
  __device__ __forceinline__ int head() const {
    constexpr unsigned alignment_mask = lanes - 1;
    return static_cast<int>((reinterpret_cast<std::uintptr_t>(out) / sizeof(result)) & alignment_mask);
  }

  /// Computes the elements from `start` on, one for each lane, of which those of [first, end) are stored.
  __device__ __forceinline__ void compute(const vector_params_of<Function>& p, int start, int first,
                                          int end) const {
    const int n_columns = static_cast<int>(p.n_columns);
    function_operands<Function, lanes> operands;
    operands.load([&]<int I>(auto& values) {
      if constexpr (I >= function_places<Function>)
        load_lanes<access::constant_bits>(values, nullptr, p.constants[I], 0, 0);
      else if constexpr (has_fixed_modes<Function>)
        load_lanes<Function::modes[I]>(values, in[I], p.constants[I], start, n_columns);
      else load_lanes(values, in[I], p.modes[I], p.constants[I], start, n_columns);
    });
    if constexpr (!has_fixed_modes<Function>)
      operands.load([&]<int I>(auto& values) { broadcast_lanes(values, p.modes[I]); });
    pack<result, lanes> results;
    function_stored<Function, lanes> stored;
    stored.call_all(operands, results.values);
    store_lanes(out, results, start, first, end);
    stored.store([&]<int I>(const auto& values) {
      store_lanes(const_cast<char*>(in[function_places<Function> + I]), values, start, first, end);
    });
  }
};

/// The rows [first, end) of a thread of block number `block`, and where it begins in each of them.
struct rows_of_thread {
  std::uint32_t first, end;
  int column;

  template<class Params>
  __device__ __forceinline__ rows_of_thread(const Params& p, std::uint32_t block, int lanes) {
    std::uint32_t tile = block;
    const std::uint32_t group = p.tiles.split(tile);
    const std::uint32_t thread = thread_number() & ((1u << p.log_threads) - 1);
    first = ((group << (log_map_threads - p.log_threads)) + (thread_number() >> p.log_threads)) *
            p.rows_per_thread;
    end = min(first + p.rows_per_thread, p.n_rows);
    column = static_cast<int>(((tile << p.log_threads) + thread) * lanes);
  }
};

/// What block number `block` of vector_map does.
template<class Function>
__device__ __forceinline__ void vector_map_block(const vector_params_of<Function>& p, std::uint32_t block) {
  const rows_of_thread rows(p, block, map_row<Function>::lanes);
  const int n_columns = static_cast<int>(p.n_columns);

#pragma unroll 1
  for (std::uint32_t row = rows.first; row < rows.end; ++row) {
    const map_row<Function> operands(p, row);
    const int start = rows.column - operands.head();
    if (start < n_columns) operands.compute(p, start, 0, n_columns);
  }
}

template<class Function>
__global__ void __launch_bounds__(map_threads)
    vector_map(const __grid_constant__ vector_params_of<Function> p) {
  wait_for_prior_grids();
  vector_map_block<Function>(p, block_in_order(p));
}

/// The same of a function that is computed side by side. Three blocks have their registers then: more threads
/// would have too few for all elements.
template<class Function>
__global__ void __launch_bounds__(map_threads, 3)
    side_by_side_map(const __grid_constant__ vector_params_of<Function> p) {
  wait_for_prior_grids();
  vector_map_block<Function>(p, block_in_order(p));
}

template<class T>
__device__ __forceinline__ T load_strided(const char* pointer, std::int64_t number, input_kind kind,
                                          dtype type, const scalar_bits& bits) {
  if (kind == input_kind::array) return load_as<T>(pointer, type);
  if (kind == input_kind::iota) return kernel::cast<T>(static_cast<long>(number));
  return *reinterpret_cast<const T*>(&bits);
}

/// What block number `block` of strided_map does.
template<class Function>
__device__ __forceinline__ void strided_map_block(const strided_params_of<Function>& p, std::uint32_t block) {
  using Result = typename Function::result;
  constexpr int n_places = function_places<Function> + function_stores<Function>;
  const std::uint32_t index = block * map_threads + thread_number();
  if (index >= p.size) return;

  // Byte offsets of arrays, units of iotas; constants have stride 0.
  std::int64_t to = 0, at[n_places];
#pragma unroll
  for (int i = 0; i < n_places; ++i) at[i] = 0;
  std::uint32_t rest = index;
  for (int d = p.ndim - 1; d >= 0; --d) {
    std::uint32_t along = rest;
    rest = p.shape[d].split(along);
    to += along * p.out_strides[d];
#pragma unroll
    for (int i = 0; i < n_places; ++i) at[i] += along * p.in_strides[i][d];
  }

  function_operands<Function, 1> operands;
  operands.load([&]<int I>(auto& values) {
    using T = argument_t<Function, I>;
    if constexpr (I >= function_places<Function>)
      load_lanes<access::constant_bits>(values, nullptr, p.constants[I], 0, 0);
    else if constexpr (!has_fixed_modes<Function>)
      values[0] =
          load_strided<T>(p.in[I] + at[I], p.first[I] + at[I], p.kinds[I], p.in_types[I], p.constants[I]);
    else if constexpr (Function::modes[I] == access::iota)
      values[0] = kernel::cast<T>(static_cast<long>(p.first[I] + at[I]));
    else load_lanes<Function::modes[I]>(values, p.in[I] + at[I], p.constants[I], 0, 1);
  });
  function_stored<Function, 1> stored;
  const Result value = stored.call(operands, 0);
  stored.store([&]<int I>(const auto& values) {
    constexpr int place = function_places<Function> + I;
    store_lanes(const_cast<char*>(p.in[place]) + at[place], values, 0, 0, 1);
  });
  if constexpr (has_fixed_modes<Function>) *reinterpret_cast<Result*>(p.out + to) = value;
  else if (p.out_type == kernel_dtype<Result>) *reinterpret_cast<Result*>(p.out + to) = value;
  else store_converted(p.out + to, p.out_type, value);
}

template<class Function>
__global__ void __launch_bounds__(map_threads)
    strided_map(const __grid_constant__ strided_params_of<Function> p) {
  wait_for_prior_grids();
  strided_map_block<Function>(p, blockIdx.x);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
