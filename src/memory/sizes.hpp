// How a memory pool rounds requests and sizes its chunks.
#pragma once
#include <cstddef>
#include <limits>

#include "bins.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Requests up to this share small chunks, so that they do not cut up the large ones.
inline constexpr std::size_t small_request = std::size_t{1} << 20;
/// The size of a small chunk, and what large chunks are rounded to: the page size of a GPU and of huge pages.
inline constexpr std::size_t chunk_granularity = std::size_t{2} << 20;
/// No array is larger than a signed 64-bit offset reaches; rounding cannot overflow below this.
inline constexpr std::size_t largest_request =
    std::numeric_limits<std::size_t>::max() / 2 - chunk_granularity;

constexpr std::size_t round_up(std::size_t bytes, std::size_t granularity) noexcept {
  return (bytes + granularity - 1) / granularity * granularity;
}
constexpr bool is_small(std::size_t rounded) noexcept { return rounded <= small_request; }

}  // namespace core
GPARRAY_END_NAMESPACE
