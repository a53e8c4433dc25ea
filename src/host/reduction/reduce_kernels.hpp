// The typed parts of a reduction, for every row of reductions.def and every dtype of its domain: functions on
// states, for code that knows no types. reduce_blocks.hpp makes them, from the loops of reduce_lanes.hpp and
// the arithmetic of kernel/reductions.hpp.
//
// The order of additions is a tree that depends on nothing but the number of elements: blocks of
// `reduce_block` elements; within a block, element i belongs to lane i % L (L is fixed for each kernel),
// lanes add in order and are then folded by halves; blocks are merged as the leaves of a binary tree. Lanes
// are vectors when rows are reduced and sets of rows when columns are, so both ways, any number of threads
// and any memory layout give the same bits.
#pragma once
#include <cstddef>
#include <cstdint>

#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

inline constexpr std::int64_t reduce_block = 2048;
/// The most columns that one call of reduce_kernel::columns takes.
inline constexpr std::int64_t reduce_columns = 8192;
/// No state is larger.
inline constexpr std::size_t max_state_size = 48;

struct reduce_kernel {
  std::size_t state_size = 0;
  /// block() extends the state it is given instead of replacing it; for reductions whose order does not
  /// matter.
  bool running = false;
  void (*identity)(void* states, std::int64_t count) = nullptr;
  /// The state of n <= reduce_block contiguous elements, the first of which has index `first`.
  void (*block)(void* state, const void* elements, std::int64_t n, std::int64_t first) = nullptr;
  /// The states of `count` rows of n <= reduce_block contiguous elements each, which begin `step` bytes
  /// apart; null if block() is all there is.
  void (*rows)(void* states, const void* elements, std::int64_t step, std::int64_t count,
               std::int64_t n) = nullptr;
  /// The states of `columns` columns of n <= reduce_block rows.
  void (*columns)(void* states, const void* const* rows, std::int64_t n, std::int64_t columns,
                  std::int64_t first) = nullptr;
  void (*merge)(void* into, const void* from, std::int64_t count) = nullptr;
  /// Writes results `stride` bytes apart; n is the number of elements reduced.
  void (*finish)(const void* states, std::int64_t count, std::int64_t n, double ddof, void* out,
                 std::int64_t stride) = nullptr;
  /// Whether no further element can change the state, nor an earlier one if block() replaces it; null if
  /// there is no such state.
  bool (*decided)(const void* state) = nullptr;
};

const reduce_kernel& find_reduction(reduction op, dtype element);

}  // namespace host
GPARRAY_END_NAMESPACE
