// A map plan prepared for evaluation tile by tile: where each value lives, which loop makes it.
#pragma once
#include <host/map/loops.hpp>
#include <host/map/rows.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// A rectangle of a row_space.
struct tile {
  std::int64_t row, rows, column, columns;
  std::int64_t size() const { return rows * columns; }
};

/// Evaluates the value of a plan on tiles. Inputs that are contiguous on a tile are read in place; others are
/// gathered into slots of the thread's scratch, where steps leave their values too. Slots are reused as
/// values die, so that all that is live stays in the first-level cache. The bits of an element do not depend
/// on its tile. Refers to the plan, which must outlive it.
class tile_program {
 public:
  explicit tile_program(const core::map_plan& plan);

  const row_space& space() const { return space_; }
  /// The most elements a tile may have.
  std::int64_t tile_size() const { return tile_size_; }
  std::size_t result_size() const { return result_size_; }
  /// No step needs more than a few instructions for a vector: memory decides how fast the plan is.
  bool exact() const { return exact_; }
  /// Whether what is stored is more than stays in the caches, and is cheap to compute: stores that bypass the
  /// caches made functions of libm up to twice as slow.
  bool streamed() const { return streamed_; }
  /// Picoseconds an element: loading, the steps, and storing what is stored beside the result.
  std::int64_t cost() const { return cost_; }

  /// The calling thread's scratch, constants in place. Valid for run() until the thread prepares another
  /// program.
  char* prepare() const;

  /// Stores what the plan stores beside its value, and leaves
  /// the tile's values in C order: at `target` if it is given, else wherever they are: in the input, or in
  /// scratch. Up to `padding` - 1 elements after the tile's are overwritten only in scratch, never at
  /// `target`.
  const void* run(const tile& t, char* scratch, void* target) const;

 private:
  struct operation {
    loop function;
    std::uint16_t arity, args[max_arity];
  };

  void choose_slots();
  /// Where the tile's part of a value is stored, or null.
  char* stored(int value, const tile& t) const;
  const void* load(int input, const tile& t, char* scratch, std::int64_t padded) const;
  char* slot(char* scratch, int value) const { return scratch + slots_[value] * slot_bytes_; }

  const core::map_plan& plan_;
  row_space space_;
  bool exact_ = true;  // no step needs padding
  bool streamed_;
  std::int64_t tile_size_;
  std::int64_t slot_bytes_;
  std::int64_t cost_ = 0;
  int slot_count_ = 0;
  std::size_t result_size_;
  std::uint16_t slots_[core::max_inputs + core::max_steps];
  std::uint8_t sizes_[core::max_inputs + core::max_steps];
  bool dense_[core::max_inputs];
  bool filled_[core::max_inputs];  // one number for all elements: its slot is filled once
  operation operations_[core::max_steps];
};

}  // namespace host
GPARRAY_END_NAMESPACE
