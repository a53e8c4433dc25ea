#include "scan.hpp"

#include <algorithm>
#include <gparray/error.hpp>

#include "launch.hpp"
#include "loop_nest.hpp"
#include "scan_params.hpp"
#include "scratch.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* operation = "cumulative sum or product";
// Long rows are cut into about this many parts in all; a constant, since the order of additions follows from
// it.
constexpr std::int64_t wanted_chunks = 2048;
constexpr std::int64_t min_columns = 256;

/// Rows that lie side by side, so that neighbouring threads that each scan one read neighbouring elements.
bool are_columns(const loop_nest& rows, std::int64_t element) {
  return rows.size >= min_columns && rows.inner_stride(0) == element && rows.inner_stride(1) == element;
}

void launch_rows(scan_params& p, const scan_kernels& kernels, std::size_t element, queue q,
                 memory_pool& pool) {
  const std::int64_t tile = scan_tile(element), n_tiles = ceil_div(p.n, tile);
  const std::int64_t chunks = std::clamp<std::int64_t>(ceil_div(wanted_chunks, p.n_rows), 1, n_tiles);
  const std::int64_t tiles_per_chunk =
      std::max(ceil_div(n_tiles, chunks), std::min<std::int64_t>(n_tiles, 4));
  p.per_chunk = tiles_per_chunk * tile;
  p.n_chunks = static_cast<std::uint32_t>(ceil_div(p.n, p.per_chunk));
  const std::int64_t n_blocks = static_cast<std::int64_t>(p.n_rows) * p.n_chunks;
  scratch totals;
  p.totals = nullptr;
  if (p.n_chunks > 1) {
    totals = scratch(pool, static_cast<std::size_t>(n_blocks) * kernels.accumulator_bytes, q.stream);
    p.totals = totals.data();
    launch(operation, kernels.totals, n_blocks, scan_threads, p, q);
  }
  launch(operation, kernels.chunks, n_blocks, scan_threads, p, q);
}

}  // namespace

void run_scan(const scan_plan& plan, queue q, memory_pool& pool) {
  const int last = plan.ndim - 1;
  loop_nest rows;
  rows.n_operands = 2;
  for (int d = 0; d < last; ++d) {
    const std::int64_t strides[] = {plan.out_strides[d], plan.in_strides[d]};
    rows.append(plan.shape[d], strides);
  }
  if (rows.size > max_launch_size)
    throw value_error("scans of more than 2^30 rows are not supported on a GPU");

  const auto element = static_cast<std::int64_t>(itemsize(plan.type));
  scan_params p;
  p.in = static_cast<const char*>(plan.in);
  p.out = static_cast<char*>(plan.out);
  p.n = plan.shape[last];
  p.in_stride = plan.in_strides[last];
  p.out_stride = plan.out_strides[last];
  p.side_by_side = p.in_stride == element && p.out_stride == element;
  p.n_rows = static_cast<std::uint32_t>(rows.size);
  p.rows.ndim = rows.ndim;
  for (int d = 0; d < rows.ndim; ++d) {
    p.rows.shape[d] = fast_divisor(static_cast<std::uint32_t>(rows.shape[d]));
    p.rows.strides[d] = rows.strides[1][d];
    p.out_strides[d] = rows.strides[0][d];
  }
  const scan_kernels kernels = find_scan_kernels(plan.op, plan.type);
  if (!p.side_by_side && are_columns(rows, element))
    launch(operation, kernels.columns, ceil_div(p.n_rows, scan_threads), scan_threads, p, q);
  else launch_rows(p, kernels, itemsize(plan.type), q, pool);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
