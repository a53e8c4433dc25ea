// The stages of generated kernels that take rows through reductions and what is made of their results: what a
// row leaves is in the cache when the next stage reads it.
#pragma once
#include <cuda/device/lanes.cuh>
#include <cuda/device/row_chain_params.hpp>
#include <cuda/reduction/reduce_inner.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// What reductions ask about dimensions that rows do not have.
struct no_dimensions {
  static constexpr int ndim = 0;
  __device__ __forceinline__ std::int64_t offset(std::uint32_t) const { return 0; }
  __device__ __forceinline__ std::uint32_t split(std::uint32_t&) const { return 0; }
};

/// The operands of one row, in place of inner_params.
template<class Expression>
struct chain_row {
  const char* rows[Expression::arity];
  const chain_operand* operands;
  std::uint32_t packs_per_chunk, log_group;
  no_dimensions reduced, packs_per_row;

  __device__ __forceinline__ chain_row(const chain_params& p, int first_operand, std::uint32_t row)
      : operands(p.operands + first_operand), log_group(p.log_group) {
#pragma unroll
    for (int i = 0; i < Expression::arity; ++i) rows[i] = operands[i].in + row * operands[i].row_stride;
  }
  template<int N>
  __device__ __forceinline__ void load(function_operands<Expression, N>& values, std::uint32_t column,
                                       std::uint32_t n) const {
    values.load([&]<int I>(auto& of) {
      load_lanes<Expression::modes[I]>(of, rows[I], operands[I].bits, static_cast<int>(column),
                                       static_cast<int>(n));
    });
  }
};

template<class E, int N, class Expression>
__device__ __forceinline__ void load_row(E (&values)[N], const char*, std::uint32_t column, std::uint32_t n,
                                         const chain_row<Expression>& p) {
  function_operands<Expression, N> operands;
  p.load(operands, column, n);
  operands.call_all(values);
}

/// Which row of all a thread works on, and which of the row's threads it is.
struct chain_place {
  std::uint32_t row, lane;
  __device__ __forceinline__ chain_place(std::uint32_t number, std::uint32_t thread)
      : row(number), lane(thread) {}
  __device__ __forceinline__ explicit chain_place(const chain_params& p)
      : row((block_in_order(p) << (log_reduce_threads - p.log_group)) + (threadIdx.x >> p.log_group)),
        lane(threadIdx.x & ((1u << p.log_group) - 1)) {}
};

/// Merges the states of the threads of each row, as reduce_inner does, and stores the results.
template<class R>
__device__ __forceinline__ void finish_rows(const chain_params& p, int stage, typename R::state& mine,
                                            const chain_place& here) {
  if (p.log_group <= 5) merge_lanes<R>(mine, static_cast<int>(p.log_group));
  else merge_warps<R>(mine, static_cast<int>(p.log_group));
  if (here.lane == 0 && here.row < p.n_rows)
    reinterpret_cast<typename R::result*>(p.stages[stage].out)[here.row] =
        R::finish(mine, p.n_columns, p.stages[stage].ddof);
}

/// Reduces the rows of this block as reduce_inner does. All threads take part.
template<class R, class Expression>
__device__ __forceinline__ void reduce_rows(const chain_params& p, int stage, int first_operand) {
  using element = typename R::element;
  const chain_place here(p);
  chain_row<Expression> from(p, first_operand, min(here.row, p.n_rows - 1));
  constexpr std::uint32_t lanes = reduce_lanes(sizeof(element));
  from.packs_per_chunk = 16 * reduce_unroll(sizeof(element)) << p.log_group;
  const reduced_part part{nullptr, 0, p.n_columns};
  typename R::state mine = reduce_packs<R>(part, 0, (p.n_columns + lanes - 1) / lanes, here.lane, from);
  finish_rows<R>(p, stage, mine, here);
}

/// Stores elements [column, column + N) of a row of n.
template<class T, int N>
__device__ __forceinline__ void store_pack(T* row, const pack<T, N>& values, std::uint32_t column,
                                           std::uint32_t n) {
  T* const to = row + column;
  if (column + N <= n && is_aligned<pack<T, N>>(to)) {
    *reinterpret_cast<pack<T, N>*>(to) = values;
  } else {
#pragma unroll
    for (std::uint32_t k = 0; k < N; ++k)
      if (column + k < n) to[k] = values.values[k];
  }
}

/// Computes what the expression is of the rows of this block.
template<class Expression>
__device__ __forceinline__ void map_rows(const chain_params& p, int stage, int first_operand,
                                         std::uint32_t n_columns) {
  using result = typename Expression::result;
  constexpr std::uint32_t lanes = Expression::lanes;
  constexpr int unroll = lanes > 1 ? chain_unroll : 1;
  const chain_place here(p);
  if (here.row >= p.n_rows) return;
  const chain_row<Expression> from(p, first_operand, here.row);
  result* const out =
      reinterpret_cast<result*>(p.stages[stage].out) + static_cast<std::int64_t>(here.row) * n_columns;
  const std::uint32_t step = lanes << p.log_group;
#pragma unroll 1
  for (std::uint32_t column = here.lane * lanes; column < n_columns; column += unroll * step) {
    function_operands<Expression, lanes> operands[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u)
      if (column + u * step < n_columns) from.load(operands[u], column + u * step, n_columns);
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      const std::uint32_t at = column + u * step;
      if (at >= n_columns) break;
      pack<result, lanes> values;
      operands[u].call_all(values.values);
      store_pack(out, values, at, n_columns);
    }
  }
}

/// Whether each thread has all packs that its caches have room for, aligned in all that stages read and
/// write: nothing is asked of any of them then, and they are at distances that the compiler knows.
template<class Caches>
inline constexpr bool has_whole_rows = Caches::log_row >= 0;

/// The threads of a row, as a power of two.
template<class Caches>
__device__ __forceinline__ std::uint32_t log_group_of(const chain_params& p) {
  return has_whole_rows<Caches> ? static_cast<std::uint32_t>(Caches::log_row) : p.log_group;
}

/// Pack number j of a thread's share of a row is number lane + j * threads of the row: all stages walk along
/// it in this order, and so no thread waits for what another has in a cache.
template<class Caches>
__device__ __forceinline__ std::uint32_t pack_of(const chain_params& p, std::uint32_t lane, int j) {
  return lane + (static_cast<std::uint32_t>(j) << log_group_of<Caches>(p));
}

/// A thread's share of a row in registers.
template<class T, int Packs>
struct register_cache {
  static constexpr int lanes = reduce_lanes(sizeof(T));
  T values[Packs][lanes];

  __device__ __forceinline__ void get(T (&to)[lanes], int j) const {
#pragma unroll
    for (int k = 0; k < lanes; ++k) to[k] = values[j][k];
  }
  __device__ __forceinline__ void put(const T (&from)[lanes], int j) {
#pragma unroll
    for (int k = 0; k < lanes; ++k) values[j][k] = from[k];
  }
  __device__ __forceinline__ void load(const char* row, int j, std::uint32_t column, std::uint32_t n) {
    load_pack(values[j], row, static_cast<int>(column), static_cast<int>(n));
  }
  __device__ __forceinline__ void load_whole(const char* row, int j, std::uint32_t column) {
    load_elements(values[j], reinterpret_cast<const T*>(row) + column);
  }
};

/// In shared memory, which leaves registers for more threads: what they load is on its way there without
/// having been in one.
template<class T, int Threads>
struct shared_cache {
  static constexpr int lanes = reduce_lanes(sizeof(T));
  pack<T, lanes>* packs;  // of this thread; those of the block's other threads are between them

  /// Of the block's memory for packs, where those of this cache begin.
  __device__ __forceinline__ void use(void* memory) {
    packs = static_cast<pack<T, lanes>*>(memory) + threadIdx.x;
  }
  __device__ __forceinline__ pack<T, lanes>& at(int j) const { return packs[j * Threads]; }
  __device__ __forceinline__ void get(T (&to)[lanes], int j) const {
    const pack<T, lanes> all = at(j);
#pragma unroll
    for (int k = 0; k < lanes; ++k) to[k] = all.values[k];
  }
  __device__ __forceinline__ void put(const T (&from)[lanes], int j) {
    pack<T, lanes> all;
#pragma unroll
    for (int k = 0; k < lanes; ++k) all.values[k] = from[k];
    at(j) = all;
  }
  /// To be waited for.
  __device__ __forceinline__ void load(const char* row, int j, std::uint32_t column, std::uint32_t n) {
    const T* from = reinterpret_cast<const T*>(row) + column;
    if (column + lanes <= n && is_aligned<pack<T, lanes>>(from)) {
      load_whole(row, j, column);
    } else {
      T values[lanes];
      load_pack(values, row, static_cast<int>(column), static_cast<int>(n));
      put(values, j);
    }
  }
  __device__ __forceinline__ void load_whole(const char* row, int j, std::uint32_t column) {
    copy_async<sizeof(pack<T, lanes>)>(&at(j), reinterpret_cast<const T*>(row) + column);
  }
  /// 8 or 16 aligned bytes.
  template<int Bytes>
  static __device__ __forceinline__ void copy_async(void* to, const void* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (Bytes == 16)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(from), "n"(Bytes)
                   : "memory");
#else
    *static_cast<pack<T, lanes>*>(to) = *static_cast<const pack<T, lanes>*>(from);
#endif
  }
};

/// Until what this thread has copied is there.
__device__ __forceinline__ void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// Where each operand of a stage is: in cache number C, or the result of stage -2 - C, which each thread has
/// of its row; -1: in memory.
template<int... C>
struct cached_operands {
  static constexpr int of[] = {C...};
};

/// chain_place of a block that has as many threads as were launched.
template<class Caches>
struct cached_place : chain_place {
  std::uint32_t known_row;  // that there is: beyond the last one it is the last

  __device__ __forceinline__ explicit cached_place(const chain_params& p)
      : chain_place((block_in_order(p) * blockDim.x + threadIdx.x) >> log_group_of<Caches>(p),
                    threadIdx.x & ((1u << log_group_of<Caches>(p)) - 1)),
        known_row(min(row, p.n_rows - 1)) {}
};

/// Fills a cache with an operand of a stage.
template<class Caches, class Cache>
__device__ __forceinline__ void fill_cache(Cache& cache, const chain_params& p, int operand) {
  const cached_place<Caches> here(p);
  const char* const row = p.operands[operand].in + here.known_row * p.operands[operand].row_stride;
#pragma unroll
  for (int j = 0; j < Caches::packs; ++j) {
    const std::uint32_t column = pack_of<Caches>(p, here.lane, j) * Cache::lanes;
    if constexpr (has_whole_rows<Caches>) cache.load_whole(row, j, column);
    else if (column < p.n_columns) cache.load(row, j, column, p.n_columns);
  }
}

/// Pack number j of this thread of every operand.
template<class Cached, int N, class Expression, class Caches>
__device__ __forceinline__ void load_cached(function_operands<Expression, N>& operands,
                                            const chain_row<Expression>& from, Caches& caches, int j,
                                            std::uint32_t column, std::uint32_t n) {
  operands.load([&]<int I>(auto& of) {
    constexpr int place = Cached::of[I];
    if constexpr (place >= 0) {
      caches.template cache<place>().get(of, j);
    } else if constexpr (place < -1) {
#pragma unroll
      for (int k = 0; k < N; ++k) of[k] = caches.template result<-2 - place>();
    } else if constexpr (has_whole_rows<Caches> && N > 1 && Expression::modes[I] == access::contiguous) {
      load_elements(of, from.rows[I] + column * sizeof(of[0]));
    } else {
      load_lanes<Expression::modes[I]>(of, from.rows[I], from.operands[I].bits, static_cast<int>(column),
                                       static_cast<int>(n));
    }
  });
}

/// Merges the states of the threads of each row as merge_lanes and merge_warps do, into those of all of them.
/// Stages have shared memory of their own, so that one barrier is enough.
template<class R, int Stage>
__device__ __forceinline__ void merge_rows(typename R::state& mine, int log_group) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (log_group <= 5) {
    merge_lanes<R>(mine, log_group);
    mine = shuffle_from(mine, lane & ~((1u << log_group) - 1));
    return;
  }
  __shared__ typename R::state of_warps[reduce_threads / 32];
  const unsigned warps_of_row = 1u << (log_group - 5);
  merge_lanes<R>(mine, 5);
  if (lane == 0) of_warps[warp] = mine;
  __syncthreads();
  mine = lane < warps_of_row ? of_warps[(warp & ~(warps_of_row - 1)) + lane] : R::identity();
  merge_lanes<R>(mine, log_group - 5);
  mine = shuffle_from(mine, 0);
}

/// Stores the result of a stage that has one for each row.
template<class Result>
__device__ __forceinline__ void store_result(const chain_params& p, int stage, const chain_place& here,
                                             Result value) {
  if (here.lane == 0 && here.row < p.n_rows) reinterpret_cast<Result*>(p.stages[stage].out)[here.row] = value;
}

/// The result of reduce_rows() of rows of which each thread has at most Caches::packs packs.
template<class R, class Expression, class Cached, int Stage, class Caches>
__device__ __forceinline__ typename R::result reduce_cached(const chain_params& p, int first_operand,
                                                            Caches& caches) {
  using E = typename R::element;
  constexpr int lanes = reduce_lanes(sizeof(E)), unroll = reduce_unroll(sizeof(E));
  constexpr bool whole_rows = has_whole_rows<Caches>;
  const cached_place<Caches> here(p);
  const chain_row<Expression> from(p, first_operand, here.known_row);
  const std::uint32_t n_packs = (p.n_columns + lanes - 1) / lanes;
  typename R::state mine = R::identity();
  pack_states<R> partial;
  partial.clear();
#pragma unroll(Caches::copies / unroll)
  for (int first = 0; first < Caches::packs; first += unroll) {
    if (!whole_rows && pack_of<Caches>(p, here.lane, first) >= n_packs) break;
    E values[unroll][lanes];
    std::uint32_t columns[unroll];
    std::int64_t indices[unroll];
    bool whole = true;
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      const std::uint32_t at = pack_of<Caches>(p, here.lane, first + u);
      const bool is_there = whole_rows || at < n_packs;
      columns[u] = is_there ? at * lanes : p.n_columns;
      indices[u] = columns[u];
      if (is_there) {
        function_operands<Expression, lanes> operands;
        load_cached<Cached>(operands, from, caches, first + u, columns[u], p.n_columns);
        operands.call_all(values[u]);
      }
      whole = whole_rows || (whole && columns[u] + lanes <= p.n_columns);
    }
    add_packs(partial, values, columns, indices, whole, p.n_columns);
  }
  partial.template merge_into<false>(mine);
  partial.template merge_into<true>(mine);
  merge_rows<R, Stage>(mine, static_cast<int>(log_group_of<Caches>(p)));
  const typename R::result result = R::finish(mine, p.n_columns, p.stages[Stage].ddof);
  store_result(p, Stage, here, result);
  return result;
}

/// The value of an expression with one element for each row.
template<class Expression, class Cached, int Stage, bool Stores, class Caches>
__device__ __forceinline__ typename Expression::result map_row_value(const chain_params& p, int first_operand,
                                                                     Caches& caches) {
  const cached_place<Caches> here(p);
  const chain_row<Expression> from(p, first_operand, here.known_row);
  function_operands<Expression, 1> operands;
  load_cached<Cached>(operands, from, caches, 0, 0, 1);
  const typename Expression::result value = operands.call(0);
  if constexpr (Stores) store_result(p, Stage, here, value);
  return value;
}

/// map_rows() of such rows, whose values stay in a cache, number Kept, unless that is -1, and go to memory if
/// the stage has some.
template<class Expression, class Cached, int Kept, bool Stores, class Caches>
__device__ __forceinline__ void map_cached(const chain_params& p, int stage, int first_operand,
                                           Caches& caches) {
  using result = typename Expression::result;
  constexpr int lanes = Expression::lanes;
  const cached_place<Caches> here(p);
  const chain_row<Expression> from(p, first_operand, here.known_row);
  result* const out = reinterpret_cast<result*>(p.stages[stage].out) +
                      static_cast<std::int64_t>(here.known_row) * p.n_columns;
#pragma unroll(Caches::map_copies)
  for (int j = 0; j < Caches::packs; ++j) {
    const std::uint32_t column = pack_of<Caches>(p, here.lane, j) * lanes;
    if (!has_whole_rows<Caches> && column >= p.n_columns) break;
    function_operands<Expression, lanes> operands;
    load_cached<Cached>(operands, from, caches, j, column, p.n_columns);
    pack<result, lanes> values;
    operands.call_all(values.values);
    if constexpr (Kept >= 0) caches.template cache<Kept>().put(values.values, j);
    if constexpr (Stores) {
      if (here.row >= p.n_rows) continue;
      if constexpr (has_whole_rows<Caches>) *reinterpret_cast<pack<result, lanes>*>(out + column) = values;
      else store_pack(out, values, column, p.n_columns);
    }
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
