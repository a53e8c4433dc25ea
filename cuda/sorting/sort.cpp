#include <algorithm>
#include <bit>

#include <cuda/cub/cub_calls.hpp>
#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/scratch.hpp>
#include <cuda/sorting/order_params.hpp>
#include <cuda/sorting/radix_sorter.hpp>
#include <cuda/sorting/sort.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* operation = "sort";
// A row this long is worth launches of its own, which spare the passes that put rows in order.
constexpr std::int64_t long_row = 1 << 20;
// Short rows share a block once there are more blocks than a GPU runs at the same time.
constexpr std::int64_t enough_blocks = 512;
// From here on CUB sorts keys faster: elements of one row; and many rows of so many (docs/decisions/sort.md).
constexpr std::int64_t cub_row = 1 << 23, cub_rows_of = 1 << 14, cub_rows = 512;

int bits_below(std::int64_t n) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1))); }

key_source source_of(const sort_plan& plan) {
  key_source s{};
  s.items = plan.in;
  s.item_bytes = static_cast<int>(itemsize(plan.type));
  s.element_bits = 8 * s.item_bytes;
  s.encodes = true;
  s.stable = plan.order != nullptr;
  s.rule = rule_of(plan.type);
  s.flip = plan.descending ? s.rule.all : 0;
  s.n = fast_divisor(static_cast<std::uint32_t>(plan.n));
  return s;
}

key_result result_of(const sort_plan& plan, const key_source& source) {
  key_result r{};
  r.items = plan.sorted;
  r.item_bytes = source.item_bytes;
  r.decodes = true;
  r.rule = source.rule;
  r.order = plan.order;
  r.n = source.n;
  return r;
}

void sort_in_blocks(const sort_plan& plan, queue q) {
  const std::int64_t rows_at_once =
      std::min(ceil_div(plan.rows, enough_blocks), std::int64_t{row_shape::tile} / plan.n);
  row_params p{};
  p.source = source_of(plan);
  p.result = result_of(plan, p.source);
  p.size = static_cast<std::uint32_t>(plan.rows * plan.n);
  p.per_block = static_cast<std::uint32_t>(rows_at_once * plan.n);
  p.bits = p.source.element_bits;
  p.row_bits = bits_below(rows_at_once);
  launch(operation, find_row_kernel(p.source.item_bytes == 8, plan.order || rows_at_once > 1),
         ceil_div(plan.rows, rows_at_once), row_shape::threads, p, q);
}

/// Keys of eight bytes have no room for rows: numbers are sorted by key, and then by row.
void sort_in_two_steps(const sort_plan& plan, radix_task task, queue q, memory_pool& pool) {
  const auto numbers_of = [&] { return scratch(pool, task.size * sizeof(std::uint32_t), q.stream); };
  const scratch by_key = numbers_of(), rows = numbers_of(), by_row = numbers_of();
  const key_result wanted = task.result;
  task.with_numbers = true;
  task.result.items = nullptr;
  task.result.order = nullptr;
  task.result.numbers = static_cast<std::uint32_t*>(by_key.data());
  radix_sort(task, q, pool);

  number_params numbers{
      task.result.numbers, plan.in, rows.data(), task.size, static_cast<std::uint32_t>(plan.n),
      task.source.rule};
  const auto for_each = [&](const void* kernel) {
    launch(operation, kernel, ceil_div(task.size, order_threads), order_threads, numbers, q);
  };
  for_each(rows_of_numbers_kernel());
  task.numbers = task.result.numbers;
  task.source.items = rows.data();
  task.source.item_bytes = sizeof(std::uint32_t);
  task.source.encodes = false;
  task.bits = bits_below(plan.rows);
  task.keys_are_64_bit = false;
  task.result.numbers = plan.order ? nullptr : static_cast<std::uint32_t*>(by_row.data());
  task.result.order = wanted.order;
  radix_sort(task, q, pool);
  if (plan.order) return;
  numbers.numbers = task.result.numbers;
  numbers.out = wanted.items;
  for_each(pick_numbered_kernel());
}

/// What CUB leaves: each NaN with its own bits.
void canonicalize_nan_tail(const sort_plan& plan, queue q) {
  const kernel::sort_rule rule = rule_of(plan.type);
  if (!rule.floating) return;
  nan_tail_params p{};
  p.items = plan.sorted;
  p.item_bytes = static_cast<int>(itemsize(plan.type));
  p.sign = rule.sign;
  p.infinity = rule.infinity;
  p.nan = kernel::bits_of_key(rule.all, rule);
  p.n = plan.n;
  p.one_row = plan.rows == 1;
  launch(operation, nan_tail_kernel(), p.one_row ? nan_tail_blocks : plan.rows, nan_tail_threads, p, q);
}

bool is_for_cub(const sort_plan& plan) {
  if (plan.order || !has_cub()) return false;
  if (plan.rows == 1) return plan.n >= cub_row;
  return plan.n >= cub_rows_of && plan.rows >= cub_rows && plan.rows * plan.n < largest_sort &&
         (plan.type == dtype::float32 || plan.type == dtype::int32);
}

void sort_by_cub(const sort_plan& plan, queue q, memory_pool& pool) {
  const cudaStream_t stream = stream_of(q.stream);
  const auto size = static_cast<std::uint32_t>(plan.rows * plan.n);
  const bool in_place = plan.sorted == plan.in;
  scratch other;
  if (in_place) other = scratch(pool, size * itemsize(plan.type), q.stream);
  const auto copy = [&](void* to, const void* from) {
    call<&rt::cudaMemcpyAsync>(operation, to, from, size * itemsize(plan.type), cudaMemcpyDeviceToDevice,
                               stream);
  };
  if (plan.rows > 1) {
    if (in_place) copy(other.data(), plan.in);
    run_cub("cub::DeviceSegmentedRadixSort", operation, q, pool, [&](cub_storage& storage) {
      return cub_sort_rows(storage, plan.type, in_place ? other.data() : plan.in, plan.sorted,
                           static_cast<std::uint32_t>(plan.rows), static_cast<std::uint32_t>(plan.n), stream);
    });
  } else if (in_place) {
    cub_keys keys{plan.sorted, other.data()};
    run_cub("cub::DeviceRadixSort", operation, q, pool,
            [&](cub_storage& storage) { return cub_sort(storage, plan.type, keys, size, stream); });
    if (keys.keys != plan.sorted) copy(plan.sorted, keys.keys);
  } else {
    run_cub("cub::DeviceRadixSort", operation, q, pool, [&](cub_storage& storage) {
      return cub_sort(storage, plan.type, plan.in, plan.sorted, size, stream);
    });
  }
  canonicalize_nan_tail(plan, q);
}

/// Random words by their first bits, of which there are so many that few words agree in them.
void order_spread(const sort_plan& plan, queue q, memory_pool& pool) {
  const auto size = static_cast<std::uint32_t>(plan.rows * plan.n);
  const auto numbers_of = [&] { return scratch(pool, size * sizeof(std::uint32_t), q.stream); };
  const scratch keys = numbers_of(), numbers = numbers_of();
  const int row_bits = bits_below(plan.rows), spare_bits = 4;
  radix_task task{};
  task.operation = operation;
  task.size = size;
  task.bits = std::min(32, n_passes(row_bits + bits_below(plan.n) + spare_bits) * digit_bits);
  task.keys_are_64_bit = false;
  task.with_numbers = true;
  task.source.items = plan.in;
  task.source.item_bytes = sizeof(std::uint64_t);
  task.source.element_bits = task.bits - row_bits;
  task.source.dropped_bits = 64 - task.source.element_bits;
  task.source.encodes = task.source.has_rows = plan.rows > 1;
  task.source.rule = rule_of(dtype::uint32);
  task.source.n = fast_divisor(static_cast<std::uint32_t>(plan.n));
  task.result.items = keys.data();
  task.result.item_bytes = sizeof(std::uint32_t);
  task.result.numbers = static_cast<std::uint32_t*>(numbers.data());
  radix_sort(task, q, pool);
  const tie_params p{static_cast<const std::uint64_t*>(plan.in),
                     static_cast<const std::uint32_t*>(keys.data()),
                     task.result.numbers,
                     plan.order,
                     size,
                     task.source.n};
  launch(operation, ties_kernel(), ceil_div(size, order_threads), order_threads, p, q);
}

/// Up to largest_sort elements. Rows become the upper bits of the keys.
void sort_rows(const sort_plan& plan, queue q, memory_pool& pool) {
  radix_task task{};
  task.operation = operation;
  task.size = static_cast<std::uint32_t>(plan.rows * plan.n);
  task.source = source_of(plan);
  task.source.has_rows = plan.rows > 1;
  task.bits = task.source.element_bits + bits_below(plan.rows);
  task.keys_are_64_bit = task.bits > 32;
  task.with_numbers = plan.order != nullptr;
  task.result = result_of(plan, task.source);
  const bool in_two_steps = task.bits > 64;
  scratch copy;  // where the result takes the place of what is still read
  if (plan.sorted == plan.in && (in_two_steps || n_passes(task.bits) == 1)) {
    const std::size_t bytes = task.size * itemsize(plan.type);
    copy = scratch(pool, bytes, q.stream);
    call<&rt::cudaMemcpyAsync>(operation, copy.data(), plan.in, bytes, cudaMemcpyDeviceToDevice,
                               stream_of(q.stream));
    task.source.items = copy.data();
  }
  if (!in_two_steps) return radix_sort(task, q, pool);
  task.source.has_rows = false;
  task.bits = task.source.element_bits;
  sort_plan of_copy = plan;
  of_copy.in = task.source.items;
  sort_in_two_steps(of_copy, task, q, pool);
}

}  // namespace

void run_sort(const sort_plan& plan, queue q, memory_pool& pool) {
  if (plan.rows == 0 || plan.n == 0) return;
  if (plan.merges()) return run_merge(plan, q, pool);
  check_sort_size(plan.n);
  const std::int64_t rows_at_once = plan.n < long_row ? largest_sort / plan.n : 1;
  for (std::int64_t row = 0; row < plan.rows; row += rows_at_once) {
    sort_plan part = plan;
    const auto bytes = static_cast<std::int64_t>(itemsize(plan.type)) * row * plan.n;
    part.rows = std::min(rows_at_once, plan.rows - row);
    part.in = static_cast<const char*>(plan.in) + bytes;
    if (plan.sorted) part.sorted = static_cast<char*>(plan.sorted) + bytes;
    if (plan.order) part.order = plan.order + row * plan.n;
    if (is_complex(plan.type)) run_complex_sort(part, q, pool);
    else if (plan.n <= row_shape::tile) sort_in_blocks(part, q);
    else if (plan.spread) order_spread(part, q, pool);
    else if (is_for_cub(part)) sort_by_cub(part, q, pool);
    else sort_rows(part, q, pool);
  }
}

void run_search(const search_plan& plan, queue q) {
  if (plan.count == 0) return;
  const search_params p{plan.sorted, plan.values, plan.out, plan.found, plan.n, plan.count, plan.right};
  launch("searchsorted", find_search_kernel(plan.type), ceil_div(plan.count, order_threads), order_threads, p,
         q);
}

void run_reduce_runs(const run_plan& plan, queue q) {
  const run_params p{plan.values, plan.begins,           plan.ends, plan.out, plan.n,
                     plan.count,  plan.rows * plan.count};
  if (p.n_out == 0) return;
  launch("reduction of runs", find_run_kernel(plan.op, plan.type), ceil_div(p.n_out, order_threads / 32),
         order_threads, p, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
