#include <algorithm>
#include <bit>
#include <cstdlib>

#include <cuda/cub/cub_calls.hpp>
#include <cuda/device/loop_nest.hpp>
#include <cuda/fusion/jit_launch.hpp>
#include <cuda/fusion/reduce_source.hpp>
#include <cuda/reduction/reduce.hpp>
#include <cuda/reduction/reduce_table.hpp>
#include <cuda/reduction/scan.hpp>
#include <cuda/reduction/scan_table.hpp>
#include <cuda/runtime/launch.hpp>
#include <gparray/error.hpp>
#include <gparray/runtime/jit.hpp>

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
bool are_columns(const scan_plan& plan, std::int64_t n_rows) {
  int nearest = plan.ndim - 2;
  while (nearest >= 0 && plan.shape[nearest] == 1) --nearest;
  return n_rows >= min_columns &&
         std::abs(plan.in_strides[nearest]) < std::abs(plan.in_strides[plan.ndim - 1]);
}

/// About the root of the number of tiles: so a tile reads the totals of as many groups before it as of tiles
/// in its own, at the most. With half as many in a group 10^9 float64 took half as long again.
std::uint32_t group_size(std::int64_t n_tiles, int least_log) {
  const int log = std::bit_width(static_cast<std::uint64_t>(n_tiles)) - 1;
  return 1u << std::max(least_log, log / 2);
}

/// A kernel and its blocks. The parameters are filled but for what `share` adds.
struct chosen_kernel {
  scan_kernel which;
  std::int64_t n_blocks;
  std::size_t n_totals = 0;  // that blocks hand to each other
};

chosen_kernel choose_for_rows(scan_params& p, const scan_kernels& kernels, std::size_t element) {
  if (kernels.short_rows && p.n <= scan_short_row(element)) {
    const std::int64_t n_packs = ceil_div(p.n, scan_lanes(element));
    p.log_group = static_cast<std::uint8_t>(std::bit_width(static_cast<std::uint64_t>(n_packs - 1)));
    const std::int64_t rows_of_block = (scan_threads >> p.log_group) * short_rows_in_turn;
    return {scan_kernel::short_rows, ceil_div(p.n_rows, rows_of_block)};
  }
  if (p.n <= scan_middle_row(element))
    return {scan_kernel::middle_rows, ceil_div(p.n_rows, scan_threads / 32)};
  const std::int64_t n_tiles = ceil_div(p.n, scan_tile(element));
  p.n_groups = 0;
  if (n_tiles == 1 || p.n_rows >= enough_rows) return {scan_kernel::tiles, p.n_rows};
  p.n_tiles = static_cast<std::uint32_t>(n_tiles);
  p.tiles_per_group = group_size(n_tiles, 3);
  p.n_groups = static_cast<std::uint32_t>(ceil_div(n_tiles, p.tiles_per_group));
  return {scan_kernel::tiles, p.n_rows * n_tiles,
          static_cast<std::size_t>(p.n_rows) * (p.n_tiles + p.n_groups)};
}

chosen_kernel choose_for_columns(scan_params& p, const scan_kernels& kernels, std::size_t element) {
  if (kernels.columns && (p.n <= short_column || p.n_rows >= enough_columns))
    return {scan_kernel::columns, ceil_div(p.n_rows, scan_threads)};
  p.log_group = static_cast<std::uint8_t>(
      std::min(5, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(p.n_rows - 1)))));
  p.column_tiles = static_cast<std::uint32_t>(ceil_div(p.n_rows, std::int64_t{1} << p.log_group));
  const std::int64_t n_tiles = ceil_div(p.n, (scan_threads >> p.log_group) * scan_depth(element));
  p.n_tiles = static_cast<std::uint32_t>(n_tiles);
  p.n_groups = 0;
  chosen_kernel chosen{scan_kernel::column_tiles, p.column_tiles * n_tiles};
  if (n_tiles > 1) {
    p.tiles_per_group = group_size(n_tiles, 4);
    p.n_groups = static_cast<std::uint32_t>(ceil_div(n_tiles, p.tiles_per_group));
    const std::size_t lines = static_cast<std::size_t>(p.column_tiles) << p.log_group;
    chosen.n_totals = lines * (p.n_tiles + p.n_groups);
  }
  return chosen;
}

/// Zeros through which blocks hand each other totals.
void share(scan_params& p, const scan_kernels& kernels, const chosen_kernel& chosen, scratch& own, queue q,
           counter_store& counters) {
  if (chosen.n_totals == 0) return;
  const std::size_t words = chosen.n_totals * kernels.words;
  p.counters = counters.get(2 + 2 * words, q.stream, own);
  p.clears = !own.data();
  p.published = reinterpret_cast<std::uint64_t*>(p.counters + 2);
  p.n_words = p.clears ? static_cast<std::uint32_t>(words) : 0;
}

chosen_kernel choose(const scan_plan& plan, scan_params& p, const scan_kernels& kernels) {
  const std::size_t element = itemsize(plan.type);
  return are_columns(plan, p.n_rows) ? choose_for_columns(p, kernels, element)
                                     : choose_for_rows(p, kernels, element);
}

/// What does not depend on where the elements are. The output is the nest's first operand.
scan_params params_of(const scan_plan& plan, const loop_nest& rows) {
  scan_params p;
  p.out = static_cast<char*>(plan.out);
  p.n = plan.shape[plan.ndim - 1];
  p.out_stride = plan.out_strides[plan.ndim - 1];
  p.side_by_side = p.out_stride == static_cast<std::int64_t>(itemsize(plan.type));
  p.n_rows = static_cast<std::uint32_t>(rows.size);
  p.rows.ndim = rows.ndim;
  for (int d = 0; d < rows.ndim; ++d) {
    p.rows.shape[d] = fast_divisor(static_cast<std::uint32_t>(rows.shape[d]));
    p.out_strides[d] = rows.strides[0][d];
  }
  return p;
}

/// The same of elements that are in no memory, in a nest whose last dimension is that of the scan.
scan_params params_of_computed(const scan_plan& plan, loop_nest rows) {
  rows.size /= rows.shape[--rows.ndim];
  scan_params p = params_of(plan, rows);
  p.in = nullptr;
  p.in_stride = 0;
  for (int d = 0; d < rows.ndim; ++d) p.rows.strides[d] = 0;
  return p;
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

  scan_params p = params_of(plan, rows);
  p.in = static_cast<const char*>(plan.in);
  p.in_stride = plan.in_strides[last];
  p.side_by_side = p.side_by_side && p.in_stride == static_cast<std::int64_t>(itemsize(plan.type));
  for (int d = 0; d < rows.ndim; ++d) p.rows.strides[d] = rows.strides[1][d];
  if (is_for_cub(plan, p))
    return run_cub("cub::DeviceScan", operation, q, pool, [&](cub_storage& storage) {
      return cub_sum(storage, static_cast<const std::uint64_t*>(plan.in),
                     static_cast<std::uint64_t*>(plan.out), p.n, stream_of(q.stream));
    });
  const scan_kernels kernels = find_scan_kernels(plan.op, plan.type);
  const chosen_kernel chosen = choose(plan, p, kernels);
  scratch own;
  share(p, kernels, chosen, own, q, counters);
  launch(operation, kernels.of(chosen.which), chosen.n_blocks, scan_threads, p, q);
}

bool run_computed_scan(const scan_plan& plan, const map_plan& elements, queue q, counter_store& counters) {
  fused_reduction generated;
  if (jit_mode() == jit::off || is_exact(plan.op) || !plan_scan(plan, elements, q.device, generated.plan))
    return false;
  scan_params p = params_of_computed(plan, generated.plan.nest);
  const scan_kernels kernels = find_scan_kernels(plan.op, plan.type);
  const chosen_kernel chosen = choose(plan, p, kernels);
  generated.map = &elements;
  set_scan_kernel(elements, chosen.which, generated.plan);
  if (!find_fused_reduction(generated, q)) return false;
  scratch own;
  share(p, kernels, chosen, own, q, counters);
  launch_fused(generated, p, {}, chosen.n_blocks, q);
  return true;
}

bool takes_scanned(const scan_plan& plan) {
  if (jit_mode() == jit::off || (plan.op != scan::sum && plan.op != scan::prod)) return false;
  std::int64_t n_rows = 1;
  for (int d = 0; d + 1 < plan.ndim; ++d) n_rows *= plan.shape[d];
  if (n_rows > max_launch_size) return false;
  scan_params p;
  p.n = plan.shape[plan.ndim - 1];
  p.n_rows = static_cast<std::uint32_t>(n_rows);
  return choose(plan, p, find_scan_kernels(plan.op, plan.type)).which == scan_kernel::columns;
}

bool run_scanned_reduction(const reduce_plan& plan, int scanned, queue q) {
  constexpr std::size_t widest = 8;  // of an element and a state: a thread has several
  const map_plan& map = plan.map;
  if (jit_mode() == jit::off || map.ndim != plan.n_kept + 1 || itemsize(plan.element) > widest ||
      find_reduce_kernels(plan.op, plan.element).state_bytes > widest)
    return false;
  // Whose order of additions is that of the kernel. Columns that are short, or so many, have one split.
  jumping_plan ordered;
  if (form_of(plan, make_source(plan, ordered)) != kernel_form::columns ||
      log_lanes_of_columns(plan, plan.n_out) != log_column_lanes)
    return false;
  fused_reduction generated;
  generated.map = &map;
  if (!plan_scanned(plan, scanned, q.device, generated.plan) || !find_fused_reduction(generated, q))
    return false;
  scan_params p = params_of_computed(lines_of(plan), generated.plan.nest);
  launch_fused(generated, p, {}, ceil_div(p.n_rows, scan_threads), q);
  return true;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
