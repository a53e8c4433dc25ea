// The kernel of maps whose rows have a few elements, as those of vectors and colours do, or whose operands
// are components of such. Generated functions only.
#pragma once
#include <cuda/device/block_index.cuh>
#include <cuda/device/lanes.cuh>
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/device/short_row_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// The elements of one row, or of all rows of a thread.
template<class T, int N>
struct elements_of_rows {
  T values[N];
};

/// How many elements are loaded for an operand.
template<class Function, int I>
inline constexpr int loaded_elements =
    Function::places[I].width == 0    ? Function::dims
    : Function::places[I].leader == I ? short_rows_per_thread * Function::places[I].width
                                      : 1;

template<class Function, int I>
struct short_row_elements : elements_of_rows<argument_t<Function, I>, loaded_elements<Function, I>> {};

/// What a thread has of all operands, and what it makes of that.
template<class Function, class Indices = typename make_indices<Function::arity>::type,
         class Stores = typename make_indices<function_stores<Function>>::type>
struct short_rows;
template<class Function, int... I, int... S>
struct short_rows<Function, index_list<I...>, index_list<S...>> : short_row_elements<Function, I>... {
  using params = short_row_params<Function::slots>;
  using result = typename Function::result;
  static constexpr int columns = Function::dims, rows = short_rows_per_thread;

  template<int J>
  __device__ __forceinline__ auto& loaded() {
    return short_row_elements<Function, J>::values;
  }

  /// Of `n` rows, which are all that the thread has if there are so many.
  template<int J, bool IsWhole>
  __device__ __forceinline__ void load(const params& p, std::uint32_t first, int n) {
    using T = argument_t<Function, J>;
    constexpr short_row_operand operand = Function::places[J];
    auto& values = loaded<J>();
    if constexpr (operand.width > 0 && operand.leader == J) {
      const T* const from = reinterpret_cast<const T*>(p.in[J]) + std::size_t{first} * operand.width;
      if constexpr (IsWhole) {
#pragma unroll
        for (int k = 0; k < operand.width; ++k) {
          const auto packed = reinterpret_cast<const pack<T, rows>*>(from)[k];
#pragma unroll
          for (int i = 0; i < rows; ++i) values[k * rows + i] = packed.values[i];
        }
      } else {
        ((operand.width > 0 && Function::places[I].leader == J ? load_places<J, I>(from, n) : void()), ...);
      }
    } else if constexpr (operand.width == 0) {
#pragma unroll
      for (int c = 0; c < columns; ++c) {
        if constexpr (Function::modes[J] == access::constant_bits) {
          values[c] = *reinterpret_cast<const T*>(&p.constants[J]);
        } else {
          const std::int64_t distance = *reinterpret_cast<const std::int64_t*>(&p.constants[J]);
          values[c] = *reinterpret_cast<const T*>(p.in[J] + c * distance);
        }
      }
    }
  }
  /// Those of the leader's elements that operand J needs, one by one: others may be nobody's.
  template<int Leader, int J, class T>
  __device__ __forceinline__ void load_places(const T* from, int n) {
    constexpr short_row_operand operand = Function::places[J];
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int c = 0; c < columns; ++c)
        if (r < n) {
          const int at = r * operand.width + operand.places[c];
          if constexpr (Function::places[J].leader == Leader) loaded<Leader>()[at] = from[at];
        }
  }
  template<bool IsWhole>
  __device__ __forceinline__ void load_all(const params& p, std::uint32_t first, int n) {
    (load<I, IsWhole>(p, first, n), ...);
  }

  /// The elements of one row of the output.
  template<int J>
  __device__ __forceinline__ elements_of_rows<argument_t<Function, J>, columns> row(int r) {
    constexpr short_row_operand operand = Function::places[J];
    elements_of_rows<argument_t<Function, J>, columns> of;
#pragma unroll
    for (int c = 0; c < columns; ++c)
      if constexpr (operand.width == 0) of.values[c] = loaded<J>()[c];
      else of.values[c] = loaded<operand.leader>()[r * operand.width + operand.places[c]];
    return of;
  }

  template<class T>
  using all_rows = T[rows][columns];
  template<class... Stored>
  __device__ __forceinline__ void call(all_rows<result>& results, Stored&... stored) {
    if constexpr (is_quick<Function>) {
      typename Function::quick_values quick;
#pragma unroll
      for (int r = 0; r < rows; ++r)
        Function::call_row_quickly(quick, results[r], row<I>(r).values..., stored[r]...);
      if (!quick.is_exceeded()) return;
    }
#pragma unroll
    for (int r = 0; r < rows; ++r) Function::call_row(results[r], row<I>(r).values..., stored[r]...);
  }

  template<class T>
  static __device__ __forceinline__ void store(char* to, const all_rows<T>& values, std::uint32_t first,
                                               int n) {
    T* const at = reinterpret_cast<T*>(to) + std::size_t{first} * columns;
    if (n >= rows) {
#pragma unroll
      for (int k = 0; k < columns; ++k) {
        pack<T, rows> packed;
#pragma unroll
        for (int i = 0; i < rows; ++i)
          packed.values[i] = values[(k * rows + i) / columns][(k * rows + i) % columns];
        reinterpret_cast<pack<T, rows>*>(at)[k] = packed;
      }
    } else {
#pragma unroll
      for (int k = 0; k < rows * columns; ++k)
        if (k < n * columns) at[k] = values[k / columns][k % columns];
    }
  }

  template<int J>
  struct stored_rows {
    all_rows<typename Function::template stored<J>> values;
  };
  struct no_rows {};
  struct all_stored : stored_rows<S>... {};

  __device__ __forceinline__ void compute(const params& p, std::uint32_t first, int n) {
    all_rows<result> results;
    all_stored stored;
    call(results, static_cast<stored_rows<S>&>(stored).values...);
    store(p.out, results, first, n);
    (store(const_cast<char*>(p.in[Function::arity + S]), static_cast<stored_rows<S>&>(stored).values, first,
           n),
     ...);
  }
};

/// Function::dims is the number of columns.
template<class Function>
__global__ void __launch_bounds__(map_threads)
    short_rows_map(const __grid_constant__ short_row_params<Function::slots> p) {
  wait_for_prior_grids();
  const std::uint32_t first = (blockIdx.x * map_threads + thread_number()) * short_rows_per_thread;
  if (first >= p.n_rows) return;
  const int n = static_cast<int>(min(p.n_rows - first, std::uint32_t{short_rows_per_thread}));
  short_rows<Function> operands;
  if (n == short_rows_per_thread) operands.template load_all<true>(p, first, n);
  else operands.template load_all<false>(p, first, n);
  operands.compute(p, first, n);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
