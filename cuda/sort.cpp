#include "sort.hpp"

#include <algorithm>
#include <bit>
#include <gparray/error.hpp>

#include "launch.hpp"
#include "order_params.hpp"
#include "scratch.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr const char* operation = "sort";
/// Elements that are sorted at once; more rows than fit take turns.
constexpr std::int64_t largest_sort = std::int64_t{1} << 31;

template<class Params>
void launch_for_each(const void* kernel, const Params& p, std::uint32_t size, queue q) {
  launch(operation, kernel, ceil_div(size, order_threads), order_threads, p, q);
}

/// Keys, and perhaps the numbers of the elements they belong to, in two buffers each.
class radix_sorter {
 public:
  radix_sorter(std::uint32_t size, bool wide, bool with_numbers, queue q, memory_pool& pool)
      : size_(size),
        n_tiles_(static_cast<std::uint32_t>(ceil_div(size, sort_tile))),
        wide_(wide),
        with_numbers_(with_numbers),
        q_(q) {
    const std::size_t n = size;
    for (int i = 0; i < 2; ++i) {
      keys_[i] = scratch(pool, n * (wide ? 8 : 4), q.stream);
      if (with_numbers) numbers_[i] = scratch(pool, n * sizeof(std::uint32_t), q.stream);
    }
    counts_ = scratch(pool, (std::size_t{n_tiles_} + 1) * n_digits * sizeof(std::uint32_t), q.stream);
  }

  void* keys() const { return keys_[current_].data(); }
  std::uint32_t* numbers() const { return static_cast<std::uint32_t*>(numbers_[current_].data()); }

  /// By the lowest `bits` bits; stable. `count`: the elements are numbered as they lie now.
  void sort(int bits, bool count) { sort(find_radix_kernels(wide_), keys_, bits, count); }
  /// The numbers, by 32-bit keys of their own.
  void sort_numbers_by(scratch (&keys)[2], int bits) { sort(find_radix_kernels(false), keys, bits, false); }
  /// Which of the two buffers of keys holds them.
  int current() const { return current_; }

 private:
  void sort(const radix_kernels& kernels, scratch (&keys)[2], int bits, bool count) {
    radix_params p;
    p.counts = static_cast<std::uint32_t*>(counts_.data());
    p.totals = p.counts + static_cast<std::size_t>(n_tiles_) * n_digits;
    p.size = size_;
    p.n_tiles = n_tiles_;
    for (p.shift = 0; p.shift < bits || p.shift == 0; p.shift += digit_bits) {
      p.keys = keys[current_].data();
      p.sorted_keys = keys[1 - current_].data();
      p.numbers = with_numbers_ ? numbers() : nullptr;
      p.sorted_numbers = with_numbers_ ? static_cast<std::uint32_t*>(numbers_[1 - current_].data()) : nullptr;
      p.first = count && p.shift == 0;
      launch(operation, kernels.count, n_tiles_, order_threads, p, q_);
      launch(operation, kernels.offsets, n_digits, order_threads, p, q_);
      launch(operation, kernels.scatter, n_tiles_, order_threads, p, q_);
      current_ = 1 - current_;
    }
  }

  scratch keys_[2], numbers_[2], counts_;
  std::uint32_t size_, n_tiles_;
  bool wide_, with_numbers_;
  int current_ = 0;
  queue q_;
};

/// Up to largest_sort elements. Rows become the upper bits of the keys. Where these are full, the numbers are
/// sorted by key and then by row.
void sort_rows(const sort_plan& plan, queue q, memory_pool& pool) {
  const auto size = static_cast<std::uint32_t>(plan.rows * plan.n), n = static_cast<std::uint32_t>(plan.n);
  const int key_bits = 8 * static_cast<int>(itemsize(plan.type));
  const int row_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(plan.rows - 1)));
  const bool rows_fit = key_bits + row_bits <= 64, wide = key_bits + row_bits > 32;
  const bool with_numbers = plan.order || !rows_fit;
  radix_sorter sorter(size, wide, with_numbers, q, pool);

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
  if (plan.n > largest_sort) throw value_error("sorting more than 2^31 elements is not supported on a GPU");
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
  search_params p;
  p.sorted = plan.sorted;
  p.values = plan.values;
  p.out = plan.out;
  p.n = plan.n;
  p.count = plan.count;
  p.right = plan.right;
  launch("searchsorted", find_search_kernel(plan.type), ceil_div(plan.count, order_threads), order_threads, p,
         q);
}

void run_reduce_runs(const run_plan& plan, queue q) {
  run_params p;
  p.values = plan.values;
  p.begins = plan.begins;
  p.ends = plan.ends;
  p.out = plan.out;
  p.n = plan.n;
  p.count = plan.count;
  p.n_out = plan.rows * plan.count;
  if (p.n_out == 0) return;
  launch("reduction of runs", find_run_kernel(plan.op, plan.type), ceil_div(p.n_out, order_threads / 32),
         order_threads, p, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
