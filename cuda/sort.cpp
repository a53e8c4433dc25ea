#include "sort.hpp"

#include <algorithm>
#include <bit>

#include "launch.hpp"
#include "order_params.hpp"
#include "radix_sorter.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* operation = "sort";
template<class Params>
void launch_for_each(const void* kernel, const Params& p, std::uint32_t size, queue q) {
  launch(operation, kernel, ceil_div(size, order_threads), order_threads, p, q);
}

/// Up to largest_sort elements. Rows become the upper bits of the keys. Where these are full, the numbers are
/// sorted by key and then by row.
void sort_rows(const sort_plan& plan, queue q, memory_pool& pool) {
  const auto size = static_cast<std::uint32_t>(plan.rows * plan.n), n = static_cast<std::uint32_t>(plan.n);
  const int key_bits = 8 * static_cast<int>(itemsize(plan.type));
  const int row_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(plan.rows - 1)));
  const bool rows_fit = key_bits + row_bits <= 64, wide = key_bits + row_bits > 32;
  const bool with_numbers = plan.order || !rows_fit;
  radix_sorter sorter(operation, size, wide, with_numbers, q, pool);

  key_params keys;
  keys.elements = plan.in;
  keys.out = plan.sorted;
  keys.keys = sorter.keys();
  keys.size = size;
  keys.n = rows_fit ? n : size;
  keys.key_bits = key_bits;
  keys.stable = plan.order != nullptr;
  launch_for_each(make_keys_kernel(plan.type, wide), keys, size, q);
  sorter.sort(key_bits + (rows_fit ? row_bits : 0), true);
  keys.keys = sorter.keys();
  if (!with_numbers) return launch_for_each(take_elements_kernel(plan.type, wide), keys, size, q);

  number_params numbers;
  numbers.size = size;
  numbers.n = n;
  if (!rows_fit) {
    scratch rows[2];
    for (scratch& r : rows) r = scratch(pool, size * sizeof(std::uint32_t), q.stream);
    numbers.numbers = sorter.numbers();
    numbers.out = rows[sorter.current()].data();
    launch_for_each(rows_of_numbers_kernel(), numbers, size, q);
    sorter.sort_numbers_by(rows, row_bits);
  }
  numbers.numbers = sorter.numbers();
  numbers.elements = plan.in;
  scratch elements;  // where the result takes the place of what is picked from
  const std::size_t bytes = size * itemsize(plan.type);
  if (!plan.order && plan.sorted == plan.in) {
    elements = scratch(pool, bytes, q.stream);
    numbers.elements = elements.data();
    call<&rt::cudaMemcpyAsync>(operation, elements.data(), plan.in, bytes, cudaMemcpyDeviceToDevice,
                               stream_of(q.stream));
  }
  numbers.out = plan.order ? static_cast<void*>(plan.order) : plan.sorted;
  launch_for_each(plan.order ? numbers_in_rows_kernel() : pick_numbered_kernel(itemsize(plan.type)), numbers,
                  size, q);
}

}  // namespace

void run_sort(const sort_plan& plan, queue q, memory_pool& pool) {
  if (plan.rows == 0 || plan.n == 0) return;
  check_sort_size(plan.n);
  const std::int64_t rows_at_once = largest_sort / plan.n;
  for (std::int64_t row = 0; row < plan.rows; row += rows_at_once) {
    sort_plan part = plan;
    const auto bytes = static_cast<std::int64_t>(itemsize(plan.type)) * row * plan.n;
    part.rows = std::min(rows_at_once, plan.rows - row);
    part.in = static_cast<const char*>(plan.in) + bytes;
    if (plan.sorted) part.sorted = static_cast<char*>(plan.sorted) + bytes;
    if (plan.order) part.order = plan.order + row * plan.n;
    sort_rows(part, q, pool);
  }
}

void run_count_bins(const bin_plan& plan, queue q) {
  const char* const what = "counting numbers";
  call<&rt::cudaMemsetAsync>(what, plan.out, 0, static_cast<std::size_t>(plan.n_bins) * 8,
                             stream_of(q.stream));
  if (plan.n == 0) return;
  bin_params p;
  p.numbers = plan.numbers;
  p.counts = static_cast<unsigned long long*>(plan.out);
  p.n = plan.n;
  const bool few = plan.n_bins <= few_bins;
  p.n_bins = few ? static_cast<std::uint32_t>(plan.n_bins) : 0;
  launch(what, find_bin_kernel(few), ceil_div(plan.n, numbers_per_block), order_threads, p, q);
}

void run_search(const search_plan& plan, queue q) {
  if (plan.count == 0) return;
  const search_params p{plan.sorted, plan.values, plan.out, plan.n, plan.count, plan.right};
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
