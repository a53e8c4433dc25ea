// Parameter blocks of the kernels that select by digits, the first ones first.
#pragma once
#include <cuda/sorting/radix_params.hpp>
#include <plan/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int select_threads = n_digits;
inline constexpr int most_selected = selection_plan::most_positions;

/// What is known of the keys that belong at some positions of a row. Those whose digits are the same so far
/// are one group.
struct selection_state {
  std::uint64_t prefixes[most_selected];  // [group]: the digits so far, zeros behind them; ascending
  std::uint32_t ranks[most_selected];     // [position]: among the keys of its group
  std::uint32_t groups[most_selected];    // [position]
  std::uint32_t n_groups;
  std::uint32_t number;  // of a top: the digits so far of the last number that has the key
  bool is_done;          // of a top: what is left of the group belongs to it
  bool stores, stored;   // the next pass keeps the keys of the groups; and passes after it read no others
};

/// One digit of all rows: blocks count how often each of its values occurs in each group, and the last block
/// of a row finds out which one each position has.
struct select_params {
  key_source source;  // its first row
  selection_state* states;
  std::uint32_t* counts;  // [row][group][digit]; zero before and after
  unsigned* counters;     // [row]: of blocks that are done; zero before and after
  // Keys of the groups, which each block keeps where its part of the keys would lie, and how many.
  void* kept;
  std::uint32_t* n_kept;  // [block]
  std::uint32_t n, per_block, blocks_per_row;
  int n_positions;
  std::uint32_t positions[most_selected];
  int shift;  // of the digit
  bool is_first;
  bool is_top;     // of one position, up to which elements are wanted; equal keys count by their numbers
  bool by_number;  // the digit is one of the number
  // What belongs at the positions, with the last digit; of a top null.
  void* out;
};

/// Which elements belong to the tops of their rows.
struct mark_params {
  key_source source;
  const selection_state* states;
  bool* marks;
  std::uint32_t n, per_block, blocks_per_row;
};

const void* find_select_kernel(bool keys_are_64_bit);
const void* find_mark_kernel(bool keys_are_64_bit);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
