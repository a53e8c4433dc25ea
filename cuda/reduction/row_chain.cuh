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
  if (p.log_group <= 5) merge_lanes<R>(mine, static_cast<int>(p.log_group));
  else merge_warps<R>(mine, static_cast<int>(p.log_group));
  if (here.lane == 0 && here.row < p.n_rows)
    reinterpret_cast<typename R::result*>(p.stages[stage].out)[here.row] =
        R::finish(mine, p.n_columns, p.stages[stage].ddof);
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
  const bool aligned = is_aligned<pack<result, lanes>>(out);
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
      if (aligned && at + lanes <= n_columns) {
        *reinterpret_cast<pack<result, lanes>*>(out + at) = values;
      } else {
#pragma unroll
        for (std::uint32_t k = 0; k < lanes; ++k)
          if (at + k < n_columns) out[at + k] = values.values[k];
      }
    }
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
