// What the reduction kernels load when the array they reduce is an expression that is never written to
// memory.
#pragma once
#include <cuda/device/jumping_lanes.cuh>
#include <cuda/fusion/jit_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// N elements of every operand from `start` on, of rows that end at `end`: their loads are on their way then.
template<class Expression, int N>
__device__ __forceinline__ void load_side_by_side(function_operands<Expression, N>& operands,
                                                  const char* const (&rows)[Expression::arity], int start,
                                                  int end, const row_operands<Expression::slots>& p) {
  operands.load(
      [&]<int I>(auto& of) { load_lanes<Expression::modes[I]>(of, rows[I], p.constants[I], start, end); });
}

/// Elements first, first + 1, ... of the expression, `n` of them wanted, side by side in every operand.
template<class Expression, class E, int N>
__device__ __forceinline__ void compute_side_by_side(E (&values)[N],
                                                     const char* const (&rows)[Expression::arity], int first,
                                                     int n, const row_operands<Expression::slots>& p) {
  function_operands<Expression, N> operands;
  load_side_by_side(operands, rows, first, first + n, p);
  operands.call_all(values);
}

/// Sets the rows that element `index` is in and returns its number within them.
template<class Expression>
__device__ __forceinline__ std::uint32_t find_rows(const char* (&rows)[Expression::arity],
                                                   std::uint32_t index,
                                                   const operand_block<Expression::slots>& p) {
#pragma unroll
  for (int i = 0; i < Expression::arity; ++i) rows[i] = p.in[i];
  std::uint32_t column = index, rest = p.shape[p.ndim - 1].split(column);
#pragma unroll 1
  for (int d = static_cast<int>(p.ndim) - 2; d >= 0; --d) {
    std::uint32_t along = rest;
    rest = p.shape[d].split(along);
#pragma unroll
    for (int i = 0; i < Expression::arity; ++i) rows[i] += along * p.strides[i][d];
  }
  return column;
}

/// A flat expression has one row, however long it is: `index` may need 64 bits.
template<class Expression>
__device__ __forceinline__ void advance_rows(const char* (&rows)[Expression::arity], std::int64_t index,
                                             const row_operands<Expression::slots>& p) {
  function_operands<Expression, 1> types;
  types.load([&]<int I>(auto&) {
    constexpr access mode = Expression::modes[I];
    rows[I] = p.in[I];
    if constexpr (mode == access::contiguous)
      rows[I] += index * static_cast<std::int64_t>(sizeof(argument_t<Expression, I>));
    else if constexpr (mode == access::strided || mode == access::iota)
      rows[I] += index * *reinterpret_cast<const std::int64_t*>(&p.constants[I]);
  });
}

/// Elements one by one, wherever their operands are. Not inlined: it is the rare case of a kernel that has
/// many loads.
template<class Expression, class E, int N>
__device__ __noinline__ void compute_apart(E (&values)[N], std::int64_t index, std::int64_t step, int n,
                                           const operand_block<Expression::slots>& p) {
#pragma unroll 1
  for (int k = 0; k < N && k < n; ++k) {
    const char* rows[Expression::arity];
    E value[1];
    int column = 0;
    if constexpr (Expression::flat) advance_rows<Expression>(rows, index, p);
    else column = static_cast<int>(find_rows<Expression>(rows, static_cast<std::uint32_t>(index), p));
    compute_side_by_side<Expression>(value, rows, column, 1, p);
    values[k] = value[0];
    index += step;
  }
}

/// Elements index, index + step, ... of the contiguous array, `n` of them wanted.
template<class Expression, class E, int N>
__device__ __forceinline__ void compute(E (&values)[N], std::int64_t index, std::int64_t step, int n,
                                        const operand_block<Expression::slots>& p) {
  const char* rows[Expression::arity];
  int column = 0;
  bool together = step == 1;
  if constexpr (Expression::flat) {
    advance_rows<Expression>(rows, index, p);
  } else {
    column = static_cast<int>(find_rows<Expression>(rows, static_cast<std::uint32_t>(index), p));
    together = together && column + N <= static_cast<int>(p.shape[p.ndim - 1].divisor);
  }
  if (together) return compute_side_by_side<Expression>(values, rows, column, n, p);
  E apart[N] = {};
  compute_apart<Expression>(apart, index, step, n, p);
  set_elements(values, [&](int k) { return apart[k]; });
}

/// Offsets in the array that is not there are counted in bytes, as in one that is.
template<class E, int N, class Expression>
__device__ __forceinline__ void load_row(E (&values)[N], const char* row, std::uint32_t column,
                                         std::uint32_t n,
                                         const expression_params<inner_params, Expression>& p) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(E));
  const std::int64_t step = p.inner_stride / size;
  const std::int64_t first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(row)) / size;
  compute<Expression>(values, first + static_cast<std::int64_t>(column) * step, step,
                      static_cast<int>(n - column), p.operands);
}

/// Sets the rows, in operands that jump, that element `index` is in and returns its number within them.
template<class Expression, int... I>
__device__ __forceinline__ int find_jumping_rows(const char* (&rows)[Expression::arity], std::uint32_t index,
                                                 const jumping_block<Expression::slots>& p,
                                                 index_list<I...>) {
  ((rows[I] = p.in[I]), ...);
  std::uint32_t column = index, rest = p.shape[p.ndim - 1].split(column);
#pragma unroll
  for (int outer = 0; outer < max_outer; ++outer) {
    const int d = static_cast<int>(p.ndim) - 2 - outer;
    if (d < 0) break;
    std::uint32_t along = rest;
    if (d > 0) rest = p.shape[d].split(along);
    ((rows[I] += along * p.strides[I][d]), ...);
    ((rows[I] += jumps_along<Expression, I>(outer + 1) ? bytes_at(p.jumps[I][outer + 1], along) : 0), ...);
  }
  return static_cast<int>(column);
}

template<columns_of_thread Columns, class Expression, int N, int... I>
__device__ __forceinline__ void load_jumping_rows(function_operands<Expression, N>& operands,
                                                  const char* const (&rows)[Expression::arity], int column,
                                                  const jumping_block<Expression::slots>& p,
                                                  index_list<I...>) {
  (load_columns<Expression, I, Columns, 1>(operands.template of<I>(), rows[I], p.jumps[I][0], p.constants[I],
                                           column, column + N),
   ...);
}

/// A pack, all of which is in a row of the operands.
template<class E, int N, class Expression>
__device__ __forceinline__ void load_row(E (&values)[N], const char* row, std::uint32_t column, std::uint32_t,
                                         const expression_params<jumping_inner_params, Expression>& p) {
  constexpr typename make_indices<Expression::arity>::type indices;
  const char* starts[Expression::arity];
  const auto first = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(row) / sizeof(E));
  const int at = find_jumping_rows<Expression>(starts, first + column, p.operands, indices);
  function_operands<Expression, N> operands;
  if (at >= p.operands.even_begin && at + N <= p.operands.even_end)
    load_jumping_rows<columns_of_thread::even>(operands, starts, at, p.operands, indices);
  else load_jumping_rows<columns_of_thread::whole>(operands, starts, at, p.operands, indices);
  operands.call_all(values);
}

template<class E, int N, class Base, class Expression>
  requires requires(const Base& p) { p.n_columns; }
__device__ __forceinline__ void load_row(E (&values)[N], const char* row, std::uint32_t column,
                                         std::uint32_t n, const expression_params<Base, Expression>& p) {
  const std::int64_t first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(row) / sizeof(E));
  compute<Expression>(values, first + column, 1, static_cast<int>(n - column), p.operands);
}

/// Whether the rows of a column kernel are rows of the operands, too, and N of them from `column` on are
/// there.
template<int N, class E, class Base, class Expression>
  requires requires(const Base& p) { p.n_columns; }
__device__ __forceinline__ bool has_operand_rows(const char* in, std::uint32_t column,
                                                 const expression_params<Base, Expression>& p) {
  if (column + N > p.n_columns) return false;
  if constexpr (Expression::flat) return true;
  return in == nullptr && p.operands.ndim == 2 && p.reduced.ndim == 1 &&
         p.reduced.strides[0] == static_cast<std::int64_t>(p.operands.shape[1].divisor * sizeof(E));
}

/// The operands of so many such rows, whose loads are all on their way before anything is computed.
template<class E, int N, int Rows, class Expression>
struct operand_tile {
  static constexpr int n_rows = Rows;
  function_operands<Expression, N> operands[Rows];

  /// Rows row, row + step, ...
  template<class Params>
  __device__ __forceinline__ void load(const char* in, std::uint32_t row, std::uint32_t step,
                                       std::uint32_t column, const Params& p) {
#pragma unroll
    for (int u = 0; u < Rows; ++u) {
      const std::uint32_t number = row + u * step;
      const char* rows[Expression::arity];
      if constexpr (Expression::flat) {
        const auto first = reinterpret_cast<std::uintptr_t>(in + p.reduced.offset(number)) / sizeof(E);
        advance_rows<Expression>(rows, static_cast<std::int64_t>(first), p.operands);
      } else {
#pragma unroll
        for (int i = 0; i < Expression::arity; ++i)
          rows[i] = p.operands.in[i] + number * p.operands.strides[i][0];
      }
      load_side_by_side(operands[u], rows, static_cast<int>(column), static_cast<int>(p.n_columns),
                        p.operands);
    }
  }
  __device__ __forceinline__ void get(pack<E, N> (&values)[Rows]) {
#pragma unroll
    for (int u = 0; u < Rows; ++u) operands[u].call_all(values[u].values);
  }
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
