// Free blocks sorted by size: best fit in constant time, without malloc.
#pragma once
#include <array>
#include <cstdint>

#include "block.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Every block size is a multiple of this; it is also the alignment of a block.
inline constexpr std::size_t block_granularity = 512;

/// Lists of free blocks, one for each 1/16 of a power of two, found through two levels of bitmaps
/// (Masmano et al., "TLSF: a new dynamic memory allocator for real-time systems", 2004). Below 8 KiB each
/// size has a list of its own.
class size_bins {
 public:
  void insert(block* b) noexcept;
  void remove(block* b) noexcept;
  /// The smallest block of at least `bytes` among the first few of the first list that has one; null if none.
  block* find(std::size_t bytes) const noexcept;

 private:
  static constexpr unsigned n_columns = 16;
  static constexpr unsigned n_rows = 52;  // enough for 2^64 bytes
  struct bin {
    unsigned row, column;
  };
  static bin bin_of(std::size_t bytes) noexcept;
  static block* smallest(block* list, std::size_t bytes) noexcept;

  std::uint64_t rows_ = 0;
  std::array<std::uint16_t, n_rows> columns_{};
  std::array<std::array<block*, n_columns>, n_rows> lists_{};
};

}  // namespace core
GPARRAY_END_NAMESPACE
