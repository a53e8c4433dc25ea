// Sums of bytes that are computed of operands that jump, by words: a thread has so many neighbours that it
// looks for their rows only now and then.
#pragma once
#include <cuda/reduction/computed_rows.cuh>
#include <cuda/reduction/reduce_inner.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// The sum of elements [column, column + bytes_of_run) of a row.
template<class Expression, class E>
__device__ __forceinline__ int sum_of_run(const char* const (&rows)[Expression::arity], int column,
                                          const jumping_block<Expression::slots>& p) {
  constexpr typename make_indices<Expression::arity>::type indices;
  constexpr int lanes = reduce_lanes(sizeof(E));
  if (column >= p.even_begin && column + bytes_of_run <= p.even_end) {
    function_operands<Expression, bytes_of_run> operands;
    load_jumping_rows<columns_of_thread::even>(operands, rows, column, p, indices);
    E values[bytes_of_run];
    operands.call_all(values);
    return sum_of_short(values);
  }
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < bytes_of_run; k += lanes) {
    function_operands<Expression, lanes> operands;
    load_jumping_rows<columns_of_thread::whole>(operands, rows, column + k, p, indices);
    E values[lanes];
    operands.call_all(values);
    sum += sum_of_short(values);
  }
  return sum;
}

/// What thread number `lane` has of the packs: sums of integers are exact in any order.
template<class R, class Expression>
  requires(sums_bytes<R> && has_words<Expression>)
__device__ __forceinline__ typename R::state reduce_packs(
    const reduced_part& part, std::uint32_t first, std::uint32_t n_packs, std::uint32_t lane,
    const expression_params<jumping_inner_params, Expression>& p) {
  using E = typename R::element;
  constexpr std::uint32_t lanes = reduce_lanes(sizeof(E)), of_run = bytes_of_run / lanes;
  const std::uint32_t n_threads = 1u << p.log_group,
                      begin = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(part.in)) +
                              first * lanes;
  // Splits are of whole tiles, and so of whole runs if rows are.
  const bool has_runs =
      p.reduced.ndim == 0 && p.operands.shape[p.operands.ndim - 1].divisor % bytes_of_run == 0;
  const std::uint32_t n_runs = has_runs ? n_packs / of_run : 0;
  typename R::state mine = R::identity();
#pragma unroll 1
  for (std::uint32_t run = lane; run < n_runs; run += n_threads) {
    const char* rows[Expression::arity];
    const int column = find_jumping_rows<Expression>(rows, begin + run * bytes_of_run, p.operands,
                                                     typename make_indices<Expression::arity>::type());
    mine.value += sum_of_run<Expression, E>(rows, column, p.operands);
  }
#pragma unroll 1
  for (std::uint32_t i = n_runs * of_run + lane; i < n_packs; i += n_threads) {
    std::uint32_t row = 0, column = first + i;
    if (p.reduced.ndim > 0) row = p.packs_per_row.split(column);
    E values[lanes];
    load_row(values, part.in + p.reduced.offset(row), column * lanes, part.n, p);
    mine.value += sum_of_short(values);
  }
  return mine;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
