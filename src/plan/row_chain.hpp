// Plans that feed each other row by row: reductions along rows, and element-wise steps that use their
// results.
#pragma once
#include <vector>

#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// How a backend takes a chain.
enum class row_use : std::uint8_t {
  none,      ///< not at all: stage by stage is as good
  computes,  ///< row by row; what several stages need is computed in each
  keeps      ///< row by row, and scratch values cost next to nothing
};

/// A reduction of each row, or what is computed of its elements.
struct row_stage {
  bool reduces;
  reduce_plan plan;  // without `reduces`, its map alone
};

/// Stages in an order in which each reads, of a row, only what earlier ones have made of the same row. Each
/// is a plan of its own whose first dimension are all rows: a map of (rows, columns) or of (rows), or a
/// reduction of (rows, columns) along the columns. So any block of rows may go through all stages before the
/// next.
struct row_chain {
  static constexpr std::size_t most_stages = 24;

  std::int64_t rows, columns;
  std::int64_t row_bytes;   // of a row of all arrays of (rows, columns) that are read and written
  std::int64_t item_bytes;  // of an element of each of them, or 0 if they differ
  std::vector<row_stage> stages;
  /// Values of (rows, columns) that nothing but later stages read, and that have no memory: elements of so
  /// many bytes, in C order. In a plan, the address of marks[k] stands for the first element of value k.
  int n_scratch = 0;
  std::size_t scratch_items[most_stages];
  std::byte marks[most_stages];

  row_chain() {}  // NOLINT: filled in by its maker, in place: plans have addresses of marks
  row_chain(const row_chain&) = delete;
  row_chain& operator=(const row_chain&) = delete;

  /// The scratch value that an address in a plan stands for, or -1.
  int scratch_of(const void* address) const {
    const auto k = static_cast<const std::byte*>(address) - marks;
    return k >= 0 && k < n_scratch ? static_cast<int>(k) : -1;
  }
};

}  // namespace core
GPARRAY_END_NAMESPACE
