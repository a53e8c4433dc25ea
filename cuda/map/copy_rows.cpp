#include <algorithm>
#include <cstdint>

#include <cuda/device/loop_nest.hpp>
#include <cuda/map/copy_rows.hpp>
#include <cuda/map/copy_rows_params.hpp>
#include <cuda/runtime/launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

// On average; beyond it a launch for each, and the driver's copy, lose nothing.
constexpr std::int64_t large_copy = std::int64_t{64} << 20;
constexpr std::int64_t per_block = copy_rows_threads * units_of_thread;

/// The largest unit of which both sides, their steps and the rows are multiples.
std::int64_t unit_of(const row_copy& c) {
  std::uint64_t bits = reinterpret_cast<std::uintptr_t>(c.from) | reinterpret_cast<std::uintptr_t>(c.to) |
                       static_cast<std::uint64_t>(c.bytes);
  if (c.rows > 1) bits |= static_cast<std::uint64_t>(c.from_step) | static_cast<std::uint64_t>(c.to_step);
  return static_cast<std::int64_t>(std::min<std::uint64_t>(bits & (~bits + 1), 16));
}

}  // namespace

bool run_copy_rows(std::span<const row_copy> copies, queue q) {
  std::int64_t total = 0;
  for (const row_copy& c : copies) {
    const std::int64_t bytes = c.rows * c.bytes, unit = bytes == 0 ? 4 : unit_of(c);
    if (unit < 4 || bytes / unit > max_launch_size) return false;
    total += bytes;
  }
  if (total > large_copy * static_cast<std::int64_t>(copies.size())) return false;
  copy_rows_params p;
  p.n = 0;
  std::int64_t n_blocks = 0;
  const auto run = [&] {
    // Short rows of several arrays share a sector, which is written once if all come at about the same time.
    constexpr std::int64_t sector = 32;
    const auto is_as_first = [&](const rows_of_units& c) {
      return c.units == p.copies[0].units && c.unit_bytes == p.copies[0].unit_bytes && c.to_step < 2 * sector;
    };
    p.in_turn = std::all_of(p.copies, p.copies + p.n, is_as_first);
    if (p.n > 0) launch("copying several arrays", copy_rows_kernel(), n_blocks, copy_rows_threads, p, q);
    p.n = 0;
    n_blocks = 0;
  };
  for (const row_copy& c : copies) {
    if (c.rows * c.bytes == 0) continue;
    if (p.n == most_row_copies) run();
    const std::int64_t unit = unit_of(c), units = c.rows * c.bytes / unit;
    p.copies[p.n++] = {static_cast<const char*>(c.from),
                       static_cast<char*>(c.to),
                       c.from_step,
                       c.to_step,
                       fast_divisor(static_cast<std::uint32_t>(c.bytes / unit)),
                       static_cast<std::uint32_t>(units),
                       static_cast<std::uint32_t>(n_blocks),
                       static_cast<std::int32_t>(unit)};
    n_blocks += ceil_div(units, per_block);
  }
  run();
  return true;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
