// The kernels of maps whose operands jump, as rolled arrays do, or are not aligned as the output is.
// Generated functions only.
#pragma once
#include <cuda/device/block_index.cuh>
#include <cuda/device/jumping_lanes.cuh>
#include <cuda/device/programmatic_launch.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Where a row's operands begin, and its output; behind the operands what is stored beside it.
template<class Function, class Indices = typename make_indices<Function::arity>::type>
struct interleaved_row;
template<class Function, int... I>
struct interleaved_row<Function, index_list<I...>> {
  using params = jump_params<vector_params<Function::slots>>;
  using result = typename Function::result;
  static constexpr int lanes = Function::lanes, spacing = Function::dims,
                       n_stores = function_stores<Function>;
  char* out;
  const char* in[Function::arity];
  char* beside[n_stores + 1];

  __device__ __forceinline__ interleaved_row(const params& p, std::uint32_t row) : out(p.out) {
    ((in[I] = p.in[I]), ...);
#pragma unroll
    for (int i = 0; i < n_stores; ++i) beside[i] = const_cast<char*>(p.in[Function::arity + i]);
    std::uint32_t rest = row;
#pragma unroll
    for (int d = 0; d < max_outer; ++d) {
      if (d >= p.n_outer) break;
      std::uint32_t index = rest;
      if (d + 1 < p.n_outer) rest = p.outer[d].split(index);
      out += index * p.out_strides[d];
      ((in[I] += index * p.in_strides[I][d]), ...);
      ((in[I] += jumps_along<Function, I>(d + 1) ? bytes_at(p.jumps[I][d + 1], index) : 0), ...);
#pragma unroll
      for (int i = 0; i < n_stores; ++i) beside[i] += index * p.in_strides[Function::arity + i][d];
    }
  }

  template<class T, int N>
  __device__ __forceinline__ void store(char* row, const T (&values)[N], int column, int end) const {
    T* const to = reinterpret_cast<T*>(row) + column;
    if constexpr (spacing == 1 && N > 1) {
      if (column + N <= end) {
        store_elements(to, values);
        return;
      }
    }
#pragma unroll
    for (int k = 0; k < N; ++k)
      if (column + k * spacing < end) to[k * spacing] = element_at(values, k);
  }

  template<columns_of_thread Columns, int N>
  __device__ __forceinline__ void load_all(const params& p, function_operands<Function, N>& operands,
                                           int column) const {
    (load_columns<Function, I, Columns, spacing>(operands.template of<I>(), in[I], p.jumps[I][0],
                                                 p.constants[I], column, static_cast<int>(p.n_columns)),
     ...);
  }
  template<int N>
  __device__ __forceinline__ void store_all(const params& p, function_operands<Function, N>& operands,
                                            int column) const {
    const int end = static_cast<int>(p.n_columns);
    result results[N];
    function_stored<Function, N> stored;
    stored.call_all(operands, results);
    store(out, results, column, end);
    stored.store(
        [&]<int J, class T>(const pack<T, N>& packed) { store(beside[J], packed.values, column, end); });
  }
  /// N columns of a thread's after the other, which are side by side.
  template<columns_of_thread Columns, int N>
  __device__ __forceinline__ void compute_parts(const params& p, int column) const {
#pragma unroll 1
    for (int k = 0; k < lanes; k += N) {
      function_operands<Function, N> operands;
      load_all<Columns>(p, operands, column + k);
      store_all(p, operands, column + k);
    }
  }

  __device__ __forceinline__ void compute(const params& p, int column) const {
    const int last = column + (lanes - 1) * spacing;
    const bool is_even = column >= p.even_begin && last < p.even_end;
    constexpr int few = 4;
    if (lanes > few && !is_even) {
      // The loads of all would take the registers that other threads need.
      if (last < static_cast<int>(p.n_columns)) compute_parts<columns_of_thread::whole, few>(p, column);
      else compute_parts<columns_of_thread::some, 1>(p, column);
      return;
    }
    function_operands<Function, lanes> operands;
    if (lanes > few || is_even) load_all<columns_of_thread::even>(p, operands, column);
    else load_all<columns_of_thread::some>(p, operands, column);
    store_all(p, operands, column);
  }
};

/// A warp takes neighbouring columns of a row, and some more of them after that; or each thread takes
/// neighbouring ones. Function::dims is how far a thread's columns are apart.
template<class Function>
__global__ void __launch_bounds__(map_threads)
    interleaved_map(const __grid_constant__ jump_params<vector_params<Function::slots>> p) {
  wait_for_prior_grids();
  std::uint32_t tile = block_in_order(p);
  const std::uint32_t group = p.tiles.split(tile);
  const std::uint32_t thread = thread_number() & ((1u << p.log_threads) - 1);
  const std::uint32_t row = (group << (log_map_threads - p.log_threads)) + (thread_number() >> p.log_threads);
  if (row >= p.n_rows) return;
  constexpr int lanes = Function::lanes;
  const auto step = static_cast<int>((1u << p.log_threads) * lanes);
  constexpr int spacing = Function::dims;
  const int apart = static_cast<int>(thread / spacing) * spacing * lanes;
  int column = static_cast<int>(tile * p.turns) * step + apart + static_cast<int>(thread % spacing);
  const interleaved_row<Function> operands(p, row);
#pragma unroll 1
  for (std::uint32_t turn = 0; turn < p.turns; ++turn, column += step) {
    if (column >= static_cast<int>(p.n_columns)) return;
    operands.compute(p, column);
  }
}

/// Of generated functions that know their number of dimensions.
template<class Function>
using jumping_params = jump_params<strided_params<Function::slots, max_jump_dims>>;

/// Where an element of the result goes, and those that are stored beside it.
template<class Function>
struct jumping_places {
  std::int64_t out, beside[function_stores<Function> + 1];
};

/// Loads the operands of one element, number k of the thread's, and finds where its results go.
template<class Function, int... I>
__device__ __forceinline__ void load_jumping(function_operands<Function, jumping_lanes>& operands,
                                             jumping_places<Function>& places, int k,
                                             const jumping_params<Function>& p, std::uint32_t index,
                                             index_list<I...>) {
  constexpr int n_stores = function_stores<Function>;
  std::int64_t at[Function::arity] = {};
  places = {};
  std::uint32_t rest = index;
#pragma unroll
  for (int d = 0; d < Function::dims; ++d) {
    std::uint32_t along = rest;
    if (d + 1 < Function::dims) rest = p.shape[d].split(along);
    places.out += along * p.out_strides[d];
    ((at[I] += along * p.in_strides[I][d]), ...);
    ((at[I] += jumps_along<Function, I>(d) ? bytes_at(p.jumps[I][d], along) : 0), ...);
#pragma unroll
    for (int i = 0; i < n_stores; ++i) places.beside[i] += along * p.in_strides[Function::arity + i][d];
  }
  operands.load([&]<int J>(auto& values) {
    using T = argument_t<Function, J>;
    if constexpr (Function::modes[J] == access::iota) {
      values[k] = kernel::cast<T>(static_cast<long>(p.first[J] + at[J]));
    } else {
      T value[1];
      load_lanes<Function::modes[J]>(value, p.in[J] + at[J], p.constants[J], 0, 1);
      values[k] = value[0];
    }
  });
}

/// strided_map of operands that may jump. What a thread loads for all its elements is on its way before it
/// computes the first.
template<class Function>
__global__ void __launch_bounds__(map_threads)
    jumping_map(const __grid_constant__ jumping_params<Function> p) {
  wait_for_prior_grids();
  using result = typename Function::result;
  const std::uint32_t first = blockIdx.x * p.turns * map_threads + thread_number();
  const std::uint32_t end = min(p.size, first + p.turns * map_threads);
  function_operands<Function, jumping_lanes> operands;
  jumping_places<Function> places[jumping_lanes];
#pragma unroll
  for (int k = 0; k < jumping_lanes; ++k)
    if (first + k * map_threads < end)
      load_jumping<Function>(operands, places[k], k, p, first + k * map_threads,
                             typename make_indices<Function::arity>::type());
  function_stored<Function, jumping_lanes> stored;
#pragma unroll
  for (int k = 0; k < jumping_lanes; ++k) {
    if (first + k * map_threads >= end) continue;
    *reinterpret_cast<result*>(p.out + places[k].out) = stored.call(operands, k);
    stored.store([&]<int I, class T, int N>(const pack<T, N>& values) {
      char* const to = const_cast<char*>(p.in[Function::arity + I]) + places[k].beside[I];
      *reinterpret_cast<T*>(to) = values.values[k];
    });
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
