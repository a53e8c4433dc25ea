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
#pragma unroll
  for (int k = 0; k < N; ++k) values[k] = operands.call(k);
}

/// Which row of all a thread works on, and which of the row's threads it is.
struct chain_place {
  std::uint32_t row, lane;
  __device__ __forceinline__ explicit chain_place(const chain_params& p)
      : row((blockIdx.x << (log_reduce_threads - p.log_group)) + (threadIdx.x >> p.log_group)),
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
#pragma unroll
      for (int k = 0; k < static_cast<int>(lanes); ++k) values.values[k] = operands[u].call(k);
      store_pack(out, values, at, n_columns);
    }
  }
}

/// A thread's share of a row of elements in registers: packs lane, lane + threads, ... in the order in which
/// all stages walk along them.
template<class T, int Packs>
struct row_cache {
  static constexpr int lanes = reduce_lanes(sizeof(T)), packs = Packs;
  T values[Packs][lanes];
};

/// Which cache each operand of a stage is in; -1: none.
template<int... C>
struct cached_operands {
  static constexpr int of[] = {C...};
};

/// Fills a cache with an operand of a stage.
template<class T, int Packs>
__device__ __forceinline__ void fill_cache(row_cache<T, Packs>& cache, const chain_params& p, int operand) {
  const chain_place here(p);
  const char* const row =
      p.operands[operand].in + min(here.row, p.n_rows - 1) * p.operands[operand].row_stride;
#pragma unroll
  for (int j = 0; j < Packs; ++j) {
    const std::uint32_t column = (here.lane + (static_cast<std::uint32_t>(j) << p.log_group)) * cache.lanes;
    if (column < p.n_columns)
      load_pack(cache.values[j], row, static_cast<int>(column), static_cast<int>(p.n_columns));
  }
}

/// Pack number j of this thread of every operand: from a cache if it is in one.
template<class Cached, int N, class Expression, class Caches>
__device__ __forceinline__ void load_cached(function_operands<Expression, N>& operands,
                                            const chain_row<Expression>& from, Caches& caches, int j,
                                            std::uint32_t column, std::uint32_t n) {
  operands.load([&]<int I>(auto& of) {
    if constexpr (Cached::of[I] >= 0) {
      const auto& cache = caches.template of<Cached::of[I]>();
#pragma unroll
      for (int k = 0; k < N; ++k) of[k] = cache.values[j][k];
    } else {
      load_lanes<Expression::modes[I]>(of, from.rows[I], from.operands[I].bits, static_cast<int>(column),
                                       static_cast<int>(n));
    }
  });
}

/// reduce_rows() of rows of which each thread has at most Caches::packs packs.
template<class R, class Expression, class Cached, class Caches>
__device__ __forceinline__ void reduce_cached(const chain_params& p, int stage, int first_operand,
                                              Caches& caches) {
  using E = typename R::element;
  constexpr int lanes = reduce_lanes(sizeof(E)), unroll = reduce_unroll(sizeof(E));
  const chain_place here(p);
  const chain_row<Expression> from(p, first_operand, min(here.row, p.n_rows - 1));
  const std::uint32_t n_packs = (p.n_columns + lanes - 1) / lanes;
  typename R::state mine = R::identity();
  pack_states<R> partial;
  partial.clear();
#pragma unroll
  for (int first = 0; first < Caches::packs; first += unroll) {
    if (here.lane + (static_cast<std::uint32_t>(first) << p.log_group) >= n_packs) break;
    E values[unroll][lanes];
    std::uint32_t columns[unroll];
    std::int64_t indices[unroll];
    bool whole = true;
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      const std::uint32_t at = here.lane + (static_cast<std::uint32_t>(first + u) << p.log_group);
      columns[u] = at < n_packs ? at * lanes : p.n_columns;
      indices[u] = columns[u];
      if (at < n_packs) {
        function_operands<Expression, lanes> operands;
        load_cached<Cached>(operands, from, caches, first + u, columns[u], p.n_columns);
#pragma unroll
        for (int k = 0; k < lanes; ++k) values[u][k] = operands.call(k);
      }
      whole = whole && columns[u] + lanes <= p.n_columns;
    }
    add_packs(partial, values, columns, indices, whole, p.n_columns);
  }
  partial.template merge_into<false>(mine);
  partial.template merge_into<true>(mine);
  finish_rows<R>(p, stage, mine, here);
}

/// map_rows() of such rows, whose values stay in a cache, number Kept, unless that is -1, and go to memory if
/// the stage has some.
template<class Expression, class Cached, int Kept, bool Stores, class Caches>
__device__ __forceinline__ void map_cached(const chain_params& p, int stage, int first_operand,
                                           Caches& caches) {
  using result = typename Expression::result;
  constexpr int lanes = Expression::lanes;
  const chain_place here(p);
  const std::uint32_t row = min(here.row, p.n_rows - 1);
  const chain_row<Expression> from(p, first_operand, row);
  result* const out =
      reinterpret_cast<result*>(p.stages[stage].out) + static_cast<std::int64_t>(row) * p.n_columns;
#pragma unroll
  for (int j = 0; j < Caches::packs; ++j) {
    const std::uint32_t column = (here.lane + (static_cast<std::uint32_t>(j) << p.log_group)) * lanes;
    if (column >= p.n_columns) break;
    function_operands<Expression, lanes> operands;
    load_cached<Cached>(operands, from, caches, j, column, p.n_columns);
    pack<result, lanes> values;
#pragma unroll
    for (int k = 0; k < lanes; ++k) values.values[k] = operands.call(k);
    if constexpr (Kept >= 0) {
#pragma unroll
      for (int k = 0; k < lanes; ++k) caches.template of<Kept>().values[j][k] = values.values[k];
    }
    if constexpr (Stores)
      if (here.row < p.n_rows) store_pack(out, values, column, p.n_columns);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
