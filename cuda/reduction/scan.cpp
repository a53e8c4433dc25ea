#include <algorithm>
#include <bit>
#include <cstdlib>

#include <cuda/cub/cub_calls.hpp>
#include <cuda/device/loop_nest.hpp>
#include <cuda/reduction/scan.hpp>
#include <cuda/reduction/scan_params.hpp>
#include <cuda/runtime/launch.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* operation = "scan";
// With fewer rows the blocks share rows; a constant, since the order of additions follows from it, as it does
// from those below.
constexpr std::int64_t enough_rows = 2048;
// Fewer lines side by side are half a sector of memory or less, which a warp along one of them reads as well.
constexpr std::int64_t min_columns = 4;
// So many keep a GPU busy, with a thread each; and so short ones are not worth sharing.
constexpr std::int64_t enough_columns = 1 << 16, short_column = 32;
// From here on CUB adds integers faster (docs/decisions/scan.md).
constexpr std::int64_t cub_elements = 1 << 22;

/// Rows that lie closer to each other than their elements: neighbouring threads that each scan one read what
/// is near. Gaps make no difference, so that a view is scanned as its copy is.
bool are_columns(const loop_nest& rows, std::int64_t along_scan) {
  return rows.size >= min_columns && std::abs(rows.inner_stride(1)) < std::abs(along_scan);
}

/// Zeros through which so many blocks hand each other totals, n_totals in all.
void share(scan_params& p, const scan_kernels& kernels, std::size_t n_totals, scratch& own, queue q,
           counter_store& counters) {
  const std::size_t words = n_totals * kernels.words;
  p.counters = counters.get(2 + 2 * words, q.stream, own);
  p.clears = !own.data();
  p.published = reinterpret_cast<std::uint64_t*>(p.counters + 2);
  p.n_words = p.clears ? static_cast<std::uint32_t>(words) : 0;
}

/// About half the root of the number of tiles: so a tile has a few more groups before it than tiles in its
/// own.
std::uint32_t group_size(std::int64_t n_tiles) {
  const int log = std::bit_width(static_cast<std::uint64_t>(n_tiles)) - 1;
  return 1u << std::max(3, log / 2 - 1);
}

void launch_rows(scan_params& p, const scan_kernels& kernels, std::size_t element, queue q,
                 counter_store& counters) {
  if (kernels.short_rows && p.n <= scan_short_row(element)) {
    const std::int64_t n_packs = ceil_div(p.n, scan_lanes(element));
    p.log_group = static_cast<std::uint8_t>(std::bit_width(static_cast<std::uint64_t>(n_packs - 1)));
    const std::int64_t rows_of_block = (scan_threads >> p.log_group) * short_rows_in_turn;
    return launch(operation, kernels.short_rows, ceil_div(p.n_rows, rows_of_block), scan_threads, p, q);
  }
  if (p.n <= scan_middle_row(element))
    return launch(operation, kernels.middle_rows, ceil_div(p.n_rows, scan_threads / 32), scan_threads, p, q);
  const std::int64_t n_tiles = ceil_div(p.n, scan_tile(element));
  if (n_tiles == 1 || p.n_rows >= enough_rows) {
    p.n_groups = 0;
    return launch(operation, kernels.tiles, p.n_rows, scan_threads, p, q);
  }
  p.n_tiles = static_cast<std::uint32_t>(n_tiles);
  p.tiles_per_group = group_size(n_tiles);
  p.n_groups = static_cast<std::uint32_t>(ceil_div(n_tiles, p.tiles_per_group));
  scratch own;
  share(p, kernels, static_cast<std::size_t>(p.n_rows) * (p.n_tiles + p.n_groups), own, q, counters);
  launch(operation, kernels.tiles, p.n_rows * n_tiles, scan_threads, p, q);
}

void launch_columns(scan_params& p, const scan_kernels& kernels, std::size_t element, queue q,
                    counter_store& counters) {
  if (kernels.columns && (p.n <= short_column || p.n_rows >= enough_columns))
    return launch(operation, kernels.columns, ceil_div(p.n_rows, scan_threads), scan_threads, p, q);
  p.log_group = static_cast<std::uint8_t>(
      std::min(5, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(p.n_rows - 1)))));
  p.column_tiles = static_cast<std::uint32_t>(ceil_div(p.n_rows, std::int64_t{1} << p.log_group));
  const std::int64_t n_tiles = ceil_div(p.n, (scan_threads >> p.log_group) * scan_depth(element));
  p.n_tiles = static_cast<std::uint32_t>(n_tiles);
  p.n_groups = 0;
  scratch own;
  if (n_tiles > 1) {
    p.tiles_per_group = 2 * group_size(n_tiles);
    p.n_groups = static_cast<std::uint32_t>(ceil_div(n_tiles, p.tiles_per_group));
    const std::size_t lines = static_cast<std::size_t>(p.column_tiles) << p.log_group;
    share(p, kernels, lines * (p.n_tiles + p.n_groups), own, q, counters);
  }
  launch(operation, kernels.column_tiles, p.column_tiles * n_tiles, scan_threads, p, q);
}

/// Not for floating-point numbers: CUB's look-back adds them in an order that depends on timing.
bool is_for_cub(const scan_plan& plan, const scan_params& p) {
  return (plan.type == dtype::int64 || plan.type == dtype::uint64) &&
         (plan.op == scan::sum || plan.op == scan::nansum) && p.n_rows == 1 && p.side_by_side &&
         p.n >= cub_elements && p.n <= most_for_cub && has_cub();
}

}  // namespace

void run_scan(const scan_plan& plan, queue q, memory_pool& pool, counter_store& counters) {
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
  if (is_for_cub(plan, p))
    return run_cub("cub::DeviceScan", operation, q, pool, [&](cub_storage& storage) {
      return cub_sum(storage, static_cast<const std::uint64_t*>(plan.in),
                     static_cast<std::uint64_t*>(plan.out), p.n, stream_of(q.stream));
    });
  const scan_kernels kernels = find_scan_kernels(plan.op, plan.type);
  if (are_columns(rows, p.in_stride)) launch_columns(p, kernels, itemsize(plan.type), q, counters);
  else launch_rows(p, kernels, itemsize(plan.type), q, counters);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
