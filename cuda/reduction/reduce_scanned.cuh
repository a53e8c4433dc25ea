// Reductions of what is made of a scan, along the same axis, where lines lie side by side in memory: neither
// the scan's results nor what is made of them are stored.
#pragma once
#include <cuda/reduction/computed_scans.cuh>
#include <cuda/reduction/reduce_columns.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Blocks that an SM should have room for, without having values in memory of the thread's own.
template<class E>
inline constexpr int scanned_blocks = sizeof(E) <= 4 ? 3 : 2;

/// One thread for each line, as in scan_columns; it has the states of all threads that reduce_columns has for
/// a line of its own, and adds to them and merges them in the same order. The expression is called with the
/// sum that the scan has come to, and adds to it.
template<class R, class Params>
__global__ void __launch_bounds__(scan_threads, scanned_blocks<typename R::element>)
    reduce_scanned(const __grid_constant__ Params p) {
  wait_for_prior_grids();
  using Expression = typename Params::expression;
  using E = typename R::element;
  using state = typename R::state;
  constexpr int depth = scanned_rows / column_rows;
  const std::uint32_t line = blockIdx.x * scan_threads + threadIdx.x;
  if (line >= p.n_rows) return;
  const scan_row at = row_of(p, line);
  const scanned_elements<Params> elements(p, line, at);
  const int n = static_cast<int>(p.n);
  auto sum = Expression::scan::identity();
  state total[column_rows], of_chunk[column_rows];
#pragma unroll
  for (int r = 0; r < column_rows; ++r) total[r] = of_chunk[r] = R::identity();
#pragma unroll 1
  for (int begin = 0; begin < n; begin += scanned_rows) {
    function_operands<Expression, scanned_rows> operands;
    load_side_by_side(operands, elements.rows, begin, n, p.operands);
    E values[scanned_rows];
#pragma unroll
    for (int k = 0; k < scanned_rows; ++k) values[k] = operands.call(k, sum);
#pragma unroll
    for (int r = 0; r < column_rows; ++r) {
      const auto row = [&](int u) { return r + u * column_rows; };
      if (begin + row(depth - 1) < n) {
        E of_row[depth];
#pragma unroll
        for (int u = 0; u < depth; ++u) of_row[u] = values[row(u)];
        add_tile<R>(of_chunk[r], of_row, [&](int u) { return static_cast<std::int64_t>(begin + row(u)); });
      } else {
#pragma unroll
        for (int u = 0; u + 1 < depth; ++u)
          if (begin + row(u) < n) R::add(of_chunk[r], values[row(u)], begin + row(u));
      }
    }
    const int end = begin + scanned_rows;
    if (end < n && end % rows_of_chunk != 0) continue;
#pragma unroll
    for (int r = 0; r < column_rows; ++r) {
      R::merge(total[r], of_chunk[r]);
      of_chunk[r] = R::identity();
    }
  }
#pragma unroll
  for (int half = column_rows / 2; half > 0; half /= 2)
#pragma unroll
    for (int r = 0; r < half; ++r) R::merge(total[r], total[r + half]);
  *reinterpret_cast<typename R::result*>(at.out) = R::finish(total[0], n, 0);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
