// The kernel of maps whose rows have a few elements, as those of vectors and colours do, or whose operands
// are components of such. Generated functions only.
#pragma once
#include <cuda/device/block_index.cuh>
#include <cuda/device/lanes.cuh>
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/device/short_row_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// What a thread has of memory where it has some next to that of its neighbours, and they have the same.
/// Packs of one thread and the next would be as far apart, so that a warp's load or store went to many lines,
/// and to halves of sectors: they are loaded and stored side by side, and change hands in shared memory.
/// Packs of a few bytes, of which a line has many, do not.
///
/// PackBytes: of a pack, as which all of it is aligned; a thread has Width of them.
template<int PackBytes, int Width>
struct packs_of_warp {
  static constexpr int unit_bytes = PackBytes < 16 ? PackBytes : 16, count = PackBytes / unit_bytes * Width;
  static constexpr bool exchanges = unit_bytes == 16 && count > 1;
  /// Of a warp in shared memory.
  static constexpr int exchange_bytes = exchanges ? count * unit_bytes * 32 : 0;
  using unit = pack<std::uint32_t, unit_bytes / 4>;
  unit units[count];

  static __device__ __forceinline__ unsigned lane() { return thread_number() % 32; }
  /// Where unit number i of the warp is in shared memory: threads whose units are an even number apart would
  /// ask the same banks.
  static __device__ __forceinline__ unsigned place(unsigned i) {
    return count % 2 == 0 ? i ^ (i / 8 % 8) : i;
  }
  /// Which unit of the warp's is the thread's number k while it is loaded or stored.
  static __device__ __forceinline__ unsigned in_memory(int k) {
    return exchanges ? k * 32 + lane() : lane() * count + k;
  }
  /// `from` and `to`: of the warp.
  __device__ __forceinline__ void load(const void* from) {
#pragma unroll
    for (int k = 0; k < count; ++k) units[k] = static_cast<const unit*>(from)[in_memory(k)];
  }
  __device__ __forceinline__ void store(void* to) const {
#pragma unroll
    for (int k = 0; k < count; ++k) static_cast<unit*>(to)[in_memory(k)] = units[k];
  }
  /// From units that are a warp apart to neighbours, which are the thread's own; or back.
  template<bool ToOwn>
  __device__ __forceinline__ void exchange(void* memory) {
    if constexpr (!exchanges) return;
    unit* const shared = static_cast<unit*>(memory);
    const auto apart = [](int k) { return place(in_memory(k)); };
    const auto own = [](int k) { return place(lane() * count + k); };
#pragma unroll
    for (int k = 0; k < count; ++k) shared[ToOwn ? apart(k) : own(k)] = units[k];
    __syncwarp();
#pragma unroll
    for (int k = 0; k < count; ++k) units[k] = shared[ToOwn ? own(k) : apart(k)];
    __syncwarp();
  }
};

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

  template<int J>
  static constexpr bool is_leader = Function::places[J].width > 0 && Function::places[J].leader == J;
  /// Of a row, for the thread's; 1 if all rows have the same.
  template<int J>
  static constexpr int loaded_width = Function::places[J].width > 0 ? Function::places[J].width : 1;
  template<class T, int Width>
  using units_of = packs_of_warp<static_cast<int>(sizeof(T)) * rows, Width>;
  /// Of a warp in shared memory, for one operand or output after the other; some at least.
  static constexpr int exchange_bytes() {
    int most = units_of<result, columns>::exchange_bytes;
    const auto note = [&most](int bytes) { most = most < bytes ? bytes : most; };
    (note(is_leader<I> ? units_of<argument_t<Function, I>, loaded_width<I>>::exchange_bytes : 0), ...);
    (note(units_of<typename Function::template stored<S>, columns>::exchange_bytes), ...);
    return most > 0 ? most : 16;
  }

  /// Of `n` rows; of the warp's, from its first one on, if it has all that it might have.
  template<int J, bool IsWhole>
  __device__ __forceinline__ void load(const params& p, std::uint32_t first, int n) {
    using T = argument_t<Function, J>;
    constexpr short_row_operand operand = Function::places[J];
    auto& values = loaded<J>();
    if constexpr (is_leader<J>) {
      const T* const from = reinterpret_cast<const T*>(p.in[J]) + std::size_t{first} * operand.width;
      if constexpr (IsWhole) {
        units_of<T, operand.width> units;
        units.load(from);
        memcpy(values, units.units, sizeof values);
      } else {
        ((Function::places[I].leader == J ? load_places<J, I>(from, n) : void()), ...);
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
  /// All loads are on their way before the first of them is waited for.
  __device__ __forceinline__ void load_warp(const params& p, std::uint32_t first, void* memory) {
    (load<I, true>(p, first, rows), ...);
    (exchange_loaded<I>(memory), ...);
  }
  __device__ __forceinline__ void load_some(const params& p, std::uint32_t first, int n) {
    (load<I, false>(p, first, n), ...);
  }
  template<int J>
  __device__ __forceinline__ void exchange_loaded(void* memory) {
    if constexpr (is_leader<J>) {
      units_of<argument_t<Function, J>, Function::places[J].width> units;
      memcpy(units.units, loaded<J>(), sizeof units);
      units.template exchange<true>(memory);
      memcpy(loaded<J>(), units.units, sizeof units);
    }
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

  /// With memory to exchange in: the warp's, from its row `first` on; else the thread's n.
  template<class T>
  static __device__ __forceinline__ void store(char* to, const all_rows<T>& values, std::uint32_t first,
                                               int n, void* memory) {
    T* const at = reinterpret_cast<T*>(to) + std::size_t{first} * columns;
    if (memory) {
      units_of<T, columns> units;
      memcpy(units.units, values, sizeof values);
      units.template exchange<false>(memory);
      units.store(at);
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

  __device__ __forceinline__ void compute(const params& p, std::uint32_t first, int n, void* memory) {
    all_rows<result> results;
    all_stored stored;
    call(results, static_cast<stored_rows<S>&>(stored).values...);
    store(p.out, results, first, n, memory);
    (store(const_cast<char*>(p.in[Function::arity + S]), static_cast<stored_rows<S>&>(stored).values, first,
           n, memory),
     ...);
  }
};

/// Function::dims is the number of columns.
template<class Function>
__global__ void __launch_bounds__(map_threads)
    short_rows_map(const __grid_constant__ short_row_params<Function::slots> p) {
  wait_for_prior_grids();
  using operands_of_thread = short_rows<Function>;
  constexpr std::uint32_t rows = short_rows_per_thread, rows_of_warp = 32 * rows;
  __shared__ pack<std::uint32_t, 4> memory[map_threads / 32][operands_of_thread::exchange_bytes() / 16];
  const std::uint32_t warp = thread_number() / 32,
                      first_of_warp = blockIdx.x * (map_threads * rows) + warp * rows_of_warp;
  if (first_of_warp >= p.n_rows) return;
  operands_of_thread operands;
  if (p.n_rows - first_of_warp >= rows_of_warp) {
    operands.load_warp(p, first_of_warp, memory[warp]);
    operands.compute(p, first_of_warp, rows, memory[warp]);
    return;
  }
  const std::uint32_t first = first_of_warp + thread_number() % 32 * rows;
  if (first >= p.n_rows) return;
  const int n = static_cast<int>(min(p.n_rows - first, rows));
  operands.load_some(p, first, n);
  operands.compute(p, first, n, nullptr);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
