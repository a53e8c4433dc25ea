// Sums of bytes that are computed of operands which jump, as rolled arrays do.
#pragma once
#include <cuda/reduction/computed_rows.cuh>
#include <cuda/reduction/reduce_inner.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// What thread number `lane` of an output's threads adds up of packs of bytes, whose sum is exact in any
/// order. Most of the time of such short packs would go into locating their rows: that is done once for
/// several.
template<class R, class Expression>
  requires sums_bytes<R>
__device__ __forceinline__ typename R::state reduce_packs(
    const reduced_part& part, std::uint32_t first, std::uint32_t n_packs, std::uint32_t lane,
    const expression_params<jumping_inner_params, Expression>& p) {
  using E = typename R::element;
  constexpr std::uint32_t lanes = reduce_lanes(sizeof(E)), packs = 4, together = packs * lanes;
  constexpr typename make_indices<Expression::arity>::type indices;
  typename R::state mine = R::identity();
  const std::uint32_t n_threads = 1u << p.log_group;
  pack_states<R> partial;
  partial.clear();
  // Of several rows each is found by itself.
  const std::uint32_t n_groups = p.reduced.ndim > 0 ? 0 : n_packs / packs;
  const auto origin =
      static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(part.in) / sizeof(E)) + first * lanes;
  const auto n_columns = static_cast<int>(p.operands.shape[p.operands.ndim - 1].divisor);
#pragma unroll 1
  for (std::uint32_t group = lane; group < n_groups; group += n_threads) {
    const char* starts[Expression::arity];
    const int at = find_jumping_rows<Expression>(starts, origin + group * together, p.operands, indices);
    constexpr int n = static_cast<int>(together);
    if (at + n > n_columns) {
      reduce_any(partial, part, first + group * packs, first + (group + 1) * packs, 1, p);
      continue;
    }
    // One access behind the other: their operands together would take the registers of other threads, of
    // which there have to be many.
    const bool is_even = at >= p.operands.even_begin && at + n <= p.operands.even_end;
    int sum = 0;
#pragma unroll 1
    for (int column = at; column < at + n; column += static_cast<int>(lanes)) {
      function_operands<Expression, lanes> operands;
      if (is_even) load_jumping_rows<columns_of_thread::even>(operands, starts, column, p.operands, indices);
      else load_jumping_rows<columns_of_thread::whole>(operands, starts, column, p.operands, indices);
      E values[lanes];
      operands.call_all(values);
#pragma unroll
      for (const E value : values) sum += value;
    }
    mine.value += sum;
  }
  reduce_any(partial, part, first + n_groups * packs + lane, first + n_packs, n_threads, p);
  partial.template merge_into<true>(mine);
  return mine;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
