// How the work of a ReductionKernel is divided: by sizes alone, so that results are reproducible.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct reduction_geometry {
  std::int64_t threads;  ///< of a block, a power of two
  std::int64_t
      log_lanes;        ///< a block works on 2^log_lanes results side by side, the other threads on elements
  std::int64_t blocks;  ///< that share the results
  std::int64_t
      chunks;  ///< that share the elements of a result; each leaves a partial one if there are several
  std::int64_t chunk;  ///< elements of a chunk
};

namespace detail_geometry {

inline constexpr std::int64_t most_threads = 256, shared_bytes = 48 << 10, enough_blocks = 512;
inline constexpr std::int64_t elements_per_thread = 16, most_blocks = 0x7fffffff, most_chunks = 65535;

inline std::int64_t threads_for(std::size_t value_bytes) {
  const auto fitting = static_cast<std::uint64_t>(shared_bytes) / std::max<std::size_t>(value_bytes, 1);
  return std::min<std::int64_t>(
      most_threads, static_cast<std::int64_t>(std::bit_floor(std::max<std::uint64_t>(fitting, 1))));
}

inline std::int64_t power_above(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1))));
}

inline reduction_geometry with_lanes(std::int64_t lanes, std::int64_t length, std::int64_t outputs,
                                     std::int64_t threads) {
  reduction_geometry g;
  g.threads = threads;
  g.log_lanes = std::countr_zero(static_cast<std::uint64_t>(lanes));
  g.blocks = std::min((outputs + lanes - 1) / lanes, most_blocks);
  g.chunks = 1;
  g.chunk = length;
  return g;
}

}  // namespace detail_geometry

/// `columns`: neighbours in memory belong to neighbouring results.
inline reduction_geometry first_pass(std::int64_t length, std::int64_t outputs, bool columns,
                                     std::size_t value_bytes) {
  using namespace detail_geometry;
  const std::int64_t threads = threads_for(value_bytes);
  // Threads that a result has no elements for work on other results.
  std::int64_t lanes = threads / std::min(threads, power_above(length));
  if (columns) lanes = std::max(lanes, std::min({std::int64_t{32}, power_above(outputs), threads}));
  reduction_geometry g = with_lanes(lanes, length, outputs, threads);
  const std::int64_t rows = threads / lanes, least = rows * elements_per_thread;
  const std::int64_t wanted = (enough_blocks + g.blocks - 1) / g.blocks;
  const std::int64_t possible = std::min({(length + least - 1) / least, wanted, most_chunks});
  if (possible > 1) {
    g.chunk = ((length + possible - 1) / possible + rows - 1) / rows * rows;
    g.chunks = (length + g.chunk - 1) / g.chunk;
  }
  return g;
}

/// Partial results lie side by side for neighbouring results.
inline reduction_geometry second_pass(std::int64_t chunks, std::int64_t outputs, std::size_t value_bytes) {
  using namespace detail_geometry;
  const std::int64_t threads = threads_for(value_bytes);
  const std::int64_t spare = threads / std::min(threads, power_above(chunks));
  const std::int64_t lanes = std::max(spare, std::min({std::int64_t{32}, power_above(outputs), threads}));
  return with_lanes(lanes, chunks, outputs, threads);
}

}  // namespace core
GPARRAY_END_NAMESPACE
