#include "radix_sorter.hpp"

#include <gparray/error.hpp>

#include "launch.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

void check_sort_size(std::int64_t size) {
  if (size > largest_sort) throw value_error("sorting more than 2^31 elements is not supported on a GPU");
}

radix_sorter::radix_sorter(const char* operation, std::uint32_t size, bool wide, bool with_numbers, queue q,
                           memory_pool& pool)
    : operation_(operation),
      size_(size),
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

void radix_sorter::sort(const radix_kernels& kernels, scratch (&keys)[2], int bits, bool count) {
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
    launch(operation_, kernels.count, n_tiles_, order_threads, p, q_);
    launch(operation_, kernels.offsets, n_digits, order_threads, p, q_);
    launch(operation_, kernels.scatter, n_tiles_, order_threads, p, q_);
    current_ = 1 - current_;
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
