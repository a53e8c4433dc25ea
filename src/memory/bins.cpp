#include "bins.hpp"

#include <bit>

GPARRAY_BEGIN_NAMESPACE
namespace core {

size_bins::bin size_bins::bin_of(std::size_t bytes) noexcept {
  const std::size_t units = bytes / block_granularity;
  if (units < n_columns) return {0, static_cast<unsigned>(units)};
  const unsigned log = static_cast<unsigned>(std::bit_width(units)) - 1;
  return {log - 3, static_cast<unsigned>(units >> (log - 4)) - n_columns};
}

void size_bins::insert(block* b) noexcept {
  const auto [row, column] = bin_of(b->bytes);
  block*& head = lists_[row][column];
  b->previous_free = nullptr;
  b->next_free = head;
  if (head) head->previous_free = b;
  head = b;  // last in, first out: the caches still hold it
  columns_[row] = static_cast<std::uint16_t>(columns_[row] | 1u << column);
  rows_ |= std::uint64_t{1} << row;
}

void size_bins::remove(block* b) noexcept {
  const auto [row, column] = bin_of(b->bytes);
  if (b->next_free) b->next_free->previous_free = b->previous_free;
  if (b->previous_free) {
    b->previous_free->next_free = b->next_free;
  } else if (lists_[row][column] = b->next_free; !b->next_free) {
    columns_[row] = static_cast<std::uint16_t>(columns_[row] & ~(1u << column));
    if (!columns_[row]) rows_ &= ~(std::uint64_t{1} << row);
  }
}

block* size_bins::smallest(block* list, std::size_t bytes) noexcept {
  // A list spans 6 % of size: looking further than this gains less than the walk costs.
  constexpr int farthest = 64;
  block* best = nullptr;
  for (int i = 0; list && i < farthest; ++i, list = list->next_free) {
    if (list->bytes == bytes) return list;
    if (list->bytes > bytes && (!best || list->bytes < best->bytes)) best = list;
  }
  return best;
}

block* size_bins::find(std::size_t bytes) const noexcept {
  auto [row, column] = bin_of(bytes);
  if (block* b = smallest(lists_[row][column], bytes)) return b;
  // Every block of a later list is large enough. (2u << 15 leaves no column, 2 << 63 no row.)
  unsigned columns = columns_[row] & ~((2u << column) - 1);
  if (!columns) {
    const std::uint64_t rows = rows_ & ~((std::uint64_t{2} << row) - 1);
    if (!rows) return nullptr;
    row = static_cast<unsigned>(std::countr_zero(rows));
    columns = columns_[row];
  }
  return smallest(lists_[row][static_cast<unsigned>(std::countr_zero(columns))], bytes);
}

}  // namespace core
GPARRAY_END_NAMESPACE
