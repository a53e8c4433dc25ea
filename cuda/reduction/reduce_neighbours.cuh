// Reductions along the rows of an expression that is never written to memory. A thread walks along several
// neighbouring rows at once: what they have in common, operands and what is computed of these alone, is
// loaded and computed once for all of them. Each row has the order of additions that reduce_inner gives it.
#pragma once
#include <cuda/device/lanes.cuh>
#include <cuda/fusion/jit_params.hpp>
#include <cuda/reduction/reduce_inner.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// The rows of one thread, in every operand: the first one, and the number of the last one that there is. A
/// row beyond it is the last one again, whose result nobody wants.
template<class Expression>
struct neighbour_rows {
  static constexpr std::uint32_t count = Expression::lanes;
  const char* first[Expression::arity];
  std::int64_t out = 0;
  std::uint32_t last;

  template<class Params>
  __device__ __forceinline__ neighbour_rows(const Params& p, std::uint32_t tile) {
#pragma unroll
    for (int i = 0; i < Expression::arity; ++i) first[i] = p.operands.in[i];
#pragma unroll 1
    for (int d = static_cast<int>(p.ndim) - 1; d > 0; --d) {
      std::uint32_t along = tile;
      tile = p.shape[d].split(along);
      move(p, d, along);
    }
    move(p, 0, tile * count);
    last = min(count, p.n_beside - tile * count) - 1;
  }
  template<class Params>
  __device__ __forceinline__ void move(const Params& p, int dimension, std::uint32_t along) {
#pragma unroll
    for (int i = 0; i < Expression::arity; ++i) first[i] += along * p.operands.strides[i][dimension];
    out += along * p.out_strides[dimension];
  }
  /// Row number t of operand I.
  template<int I, class Params>
  __device__ __forceinline__ const char* row(std::uint32_t t, const Params& p) const {
    return t == 0 ? first[I] : first[I] + min(t, last) * p.operands.strides[I][0];
  }
};

/// Elements [column, column + N) of a row of n of operand I; Whole: there are so many. Side by side but not
/// aligned, or not all there, they are loaded one by one, with no branch between the loads of different rows.
template<class Expression, int I, bool Whole, class T, int N, class Params>
__device__ __forceinline__ void load_operand(T (&values)[N], const char* row, std::uint32_t column,
                                             std::uint32_t n, const Params& p) {
  constexpr access mode = Expression::modes[I];
  constexpr bool contiguous = mode == access::contiguous;
  if constexpr (Whole && contiguous && Expression::aligned[I]) {
    load_elements(values, row + column * sizeof(T));
  } else if constexpr (contiguous || mode == access::strided) {
    const std::int64_t stride = contiguous ? static_cast<std::int64_t>(sizeof(T))
                                           : *reinterpret_cast<const std::int64_t*>(&p.operands.constants[I]);
    const char* from = row + column * stride;
    set_elements(values, [&](int k) {
      return Whole || column + k < n ? *reinterpret_cast<const T*>(from + k * stride) : T();
    });
  } else {
    load_lanes<mode>(values, row, p.operands.constants[I], static_cast<int>(column), 0);
  }
}

/// Elements [column, column + N) of every operand of rows that are interleaved.
template<class Expression, int I, int T, int N, class Rows>
__device__ __forceinline__ void load_interleaved(function_operands<Expression, N> (&operands)[T],
                                                 const Rows& rows, std::uint32_t column) {
  using element = argument_t<Expression, I>;
  const auto* from = reinterpret_cast<const pack<element, N>*>(rows.first[I]) + column / N * T;
  element loaded[T][N];
#pragma unroll
  for (int t = 0; t < T; ++t) load_elements(loaded[t], from + t);
#pragma unroll
  for (int t = 0; t < T; ++t)
    set_elements(operands[t].template of<I>(),
                 [&](int k) { return element_at(loaded[(k * T + t) / N], (k * T + t) % N); });
}

/// False: they have to be computed in the long way.
template<class Expression, int N, class E, int T, int Unroll, int Lanes>
__device__ __forceinline__ bool compute_quickly(E (&values)[T][Unroll][Lanes], int u,
                                                function_operands<Expression, N> (&operands)[T]) {
  typename Expression::quick_values quick[N];
  bool is_exceeded = false;
#pragma unroll
  for (int k = 0; k < N; ++k) {
#pragma unroll
    for (int t = 0; t < T; ++t) {
      if constexpr (requires { quick[k].is_first; }) quick[k].is_first = t == 0;
      values[t][u][k] = operands[t].call_quickly(quick[k], k);
    }
    is_exceeded = is_exceeded || quick[k].is_exceeded();
  }
  return !is_exceeded;
}

/// The first N elements of pack number u of all rows, which begins at `column`. One row after the other: the
/// compiler finds what they share.
template<class Expression, bool Whole, int N, class E, int T, int Unroll, int Lanes, class Params>
__device__ __forceinline__ void compute_neighbours(E (&values)[T][Unroll][Lanes], int u,
                                                   const neighbour_rows<Expression>& rows,
                                                   std::uint32_t column, std::uint32_t n, const Params& p) {
  function_operands<Expression, N> operands[T];
  operands[0].load([&]<int I>(auto& of) {
    constexpr row_sharing sharing = Expression::sharing[I];
    if constexpr (sharing == row_sharing::same || (!Whole && sharing == row_sharing::component)) {
      load_operand<Expression, I, Whole>(of, rows.first[I], column, n, p);
#pragma unroll
      for (int t = 1; t < T; ++t) copy_elements(operands[t].template of<I>(), of);
    } else if constexpr (Whole && sharing == row_sharing::interleaved) {
      load_interleaved<Expression, I>(operands, rows, column);
    }
  });
  if constexpr (Whole)
    operands[0].load([&]<int I>(auto&) {
      if constexpr (Expression::sharing[I] == row_sharing::component) {
        constexpr row_component component = Expression::components[I];
#pragma unroll
        for (int t = 0; t < T; ++t)
          copy_elements(operands[t].template of<I>(),
                        operands[component.row].template of<component.operand>());
      }
    });
  const auto load_own = [&](std::uint32_t t) {
    operands[t].load([&]<int I>(auto& of) {
      if constexpr (Expression::sharing[I] == row_sharing::none ||
                    (!Whole && Expression::sharing[I] == row_sharing::interleaved))
        load_operand<Expression, I, Whole>(of, rows.template row<I>(t, p), column, n, p);
    });
  };
  if constexpr (is_quick<Expression>) {
#pragma unroll
    for (int t = 0; t < T; ++t) load_own(t);
    if (compute_quickly(values, u, operands)) return;
  }
#pragma unroll
  for (int t = 0; t < T; ++t) {
    if constexpr (!is_quick<Expression>) load_own(t);
    if constexpr (has_words<Expression> && N % 4 == 0) {
      operands[t].call_all(reinterpret_cast<E(&)[N]>(values[t][u]));
    } else {
#pragma unroll
      for (int k = 0; k < N; ++k) values[t][u][k] = operands[t].call(k);
    }
  }
}

/// Whether a row is a tile for each of the threads that share it, which are of one warp: nothing but that
/// tile has code then, and so registers.
template<class R, class Expression>
inline constexpr bool has_one_tile = Expression::columns > reduce_lanes(sizeof(typename R::element));

/// Whether threads wait for quotients and roots rather than for memory, or have a tile and no more, so that
/// more of them are better than more loads of each on their way.
template<class R, class Expression>
inline constexpr bool sums_packs = adds_floats<R> && (is_quick<Expression> || has_one_tile<R, Expression>);

/// The packs at, at + step, ... of a tile, all of which are whole.
template<class R, class Expression, int T, class Params>
__device__ __forceinline__ void take_tile(pack_states<R> (&partial)[T],
                                          const neighbour_rows<Expression>& rows, std::uint32_t at,
                                          std::uint32_t step, std::uint32_t n, const Params& p) {
  using E = typename R::element;
  constexpr int lanes = reduce_lanes(sizeof(E)), unroll = reduce_unroll(sizeof(E));
  if constexpr (sums_packs<R, Expression>) {
    // What add_tile does with the elements of a tile, as soon as a pack is there: fewer registers.
    pairwise_adder<unroll> sums[T];
#pragma unroll(Expression::dims)
    for (int u = 0; u < unroll; ++u) {
      E values[T][1][lanes];
      compute_neighbours<Expression, true, lanes>(values, 0, rows, (at + u * step) * lanes, n, p);
#pragma unroll
      for (int t = 0; t < T; ++t) sums[t].add(u, sum_of_pack(values[t][0]));
    }
#pragma unroll
    for (int t = 0; t < T; ++t) partial[t].states[0].value += sums[t].sum();
  } else {
    E values[T][unroll][lanes];
#pragma unroll(Expression::dims)
    for (int u = 0; u < unroll; ++u)
      compute_neighbours<Expression, true, lanes>(values, u, rows, (at + u * step) * lanes, n, p);
#pragma unroll
    for (int t = 0; t < T; ++t)
      partial[t].add_tile(reinterpret_cast<const E(&)[unroll * lanes]>(values[t]), [&](int i) {
        return static_cast<std::int64_t>(at + i / lanes * step) * lanes + i % lanes;
      });
  }
}

/// Pack number `thread` of all rows, whose tiles are spread over so many threads for each that a row would
/// have alone.
template<class R, class Expression, int T, class Params>
__device__ __forceinline__ void take_spread_tile(pack_states<R> (&partial)[T],
                                                 const neighbour_rows<Expression>& rows, std::uint32_t thread,
                                                 std::uint32_t log_group, const Params& p) {
  using E = typename R::element;
  constexpr int lanes = reduce_lanes(sizeof(E));
  E values[T][1][lanes];
  compute_neighbours<Expression, true, lanes>(values, 0, rows, thread * lanes, 0, p);
#pragma unroll
  for (int t = 0; t < T; ++t)
    partial[t].states[0].value +=
        pairwise_sum_of_lanes<1 << log_tile_packs<R>>(sum_of_pack(values[t][0]), log_group);
}

/// The packs first, first + step, ... below `end` of all rows: as reduce_any adds them.
template<class R, class Expression, int T, class Params>
__device__ __forceinline__ void walk_neighbours(pack_states<R> (&partial)[T],
                                                const neighbour_rows<Expression>& rows, std::uint32_t first,
                                                std::uint32_t end, std::uint32_t step, const Params& p) {
  using E = typename R::element;
  constexpr int lanes = reduce_lanes(sizeof(E)), unroll = reduce_unroll(sizeof(E));
  const auto n = static_cast<std::uint32_t>(p.n_reduced);
  const std::uint32_t whole = min(end, n / lanes), last = (unroll - 1) * step;
#pragma unroll 1
  for (std::uint32_t at = first; at < end; at += unroll * step) {
    if constexpr (Expression::dims > 0) {
      if (at + last < whole) {
        take_tile<R>(partial, rows, at, step, n, p);
        continue;
      }
    }
#pragma unroll 1
    for (std::uint32_t pack_index = at; pack_index < min(end, at + unroll * step); pack_index += step) {
      E values[T][1][lanes];
      const std::uint32_t column = pack_index * lanes;
      if (pack_index < whole) {
        compute_neighbours<Expression, true, lanes>(values, 0, rows, column, n, p);
#pragma unroll
        for (int t = 0; t < T; ++t) partial[t].add_pack(values[t][0], lanes, std::int64_t{column});
      } else {
        compute_neighbours<Expression, false, lanes>(values, 0, rows, column, n, p);
#pragma unroll
        for (int t = 0; t < T; ++t)
          partial[t].add_pack(values[t][0], static_cast<int>(n - column), std::int64_t{column});
      }
    }
  }
}

/// Params: a block derived from expression_params<neighbour_params, Expression>.
template<class R, class Expression, class Params>
__global__ void __launch_bounds__(reduce_threads, sums_packs<R, Expression> ? 3 : 2)
    reduce_neighbours(const __grid_constant__ Params p) {
  wait_for_prior_grids();
  constexpr int count = Expression::lanes;
  // A row of one pack is known to be one.
  constexpr bool one_tile = has_one_tile<R, Expression>;
  constexpr int columns = one_tile ? 0 : Expression::columns;
  const std::uint32_t log_group = columns > 0 ? 0 : p.log_group,
                      log_threads = log_group + (Expression::spreads ? log_tile_packs<R> : 0),
                      lane = threadIdx.x & ((1u << log_threads) - 1);
  // Where threads compute for long, a choice hides from the compiler that all of them have the same number.
  const std::uint32_t block = Expression::spreads ? block_in_order(p) : blockIdx.x;
  const std::uint32_t wanted = (block << (log_reduce_threads - log_threads)) + (threadIdx.x >> log_threads);
  // Threads without an output compute the last one too: all lanes take part in the shuffles.
  const neighbour_rows<Expression> rows(p, min(wanted, p.n_tiles - 1));

  typename R::state mine[count];
  pack_states<R> partial[count];
#pragma unroll
  for (int t = 0; t < count; ++t) {
    mine[t] = R::identity();
    partial[t].clear();
  }
  if constexpr (columns > 0) {
    typename R::element values[count][1][reduce_lanes(sizeof(typename R::element))];
    compute_neighbours<Expression, true, columns>(values, 0, rows, 0, columns, p);
#pragma unroll
    for (int t = 0; t < count; ++t) {
      partial[t].add_pack(values[t][0], columns, 0);
      partial[t].template merge_into<false>(mine[t]);
    }
  } else if constexpr (one_tile) {
    if constexpr (Expression::spreads) take_spread_tile<R>(partial, rows, lane, log_group, p);
    else take_tile<R>(partial, rows, lane, 1u << log_group, 0, p);
#pragma unroll
    for (int t = 0; t < count; ++t) partial[t].template merge_into<false>(mine[t]);
  } else {
    const std::uint32_t per_chunk = is_exact<R> ? p.n_packs : p.packs_per_chunk;
#pragma unroll 1
    for (std::uint32_t done = 0; done < p.n_packs; done += per_chunk) {
      walk_neighbours<R>(partial, rows, done + lane, min(done + per_chunk, p.n_packs), 1u << log_group, p);
#pragma unroll
      for (int t = 0; t < count; ++t) partial[t].template merge_into<false>(mine[t]);
    }
  }
#pragma unroll
  for (int t = 0; t < count; ++t) partial[t].template merge_into<true>(mine[t]);
  if constexpr (columns == 0) {
#pragma unroll
    for (int t = 0; t < count; ++t) {
      if (one_tile || log_group <= 5) merge_lanes<R>(mine[t], static_cast<int>(log_group));
      else merge_warps<R>(mine[t], static_cast<int>(log_group));
    }
  }
  if (lane > 0 || wanted >= p.n_tiles) return;
#pragma unroll
  for (std::uint32_t t = 0; t < count; ++t)
    if (t <= rows.last) store_results<R>(p, rows.out + t * p.out_strides[0], mine[t], p.n_reduced);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
