// The parameters of maps along rows of a few elements, as vectors and colours are.
#pragma once
#include <cuda/device/map_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Columns of the output, elements of an operand's row that lie side by side, and rows of a thread: whose
/// elements are packs of so many, too.
inline constexpr int most_short_columns = 4, short_rows_per_thread = 4;

/// Where an operand's elements are: of each row of the output at these places of `width` elements, which rows
/// have one after the other, and which are loaded for the operand number `leader`. Of width 0: in one row
/// that all rows of the output have.
struct short_row_operand {
  std::uint8_t leader, width, places[most_short_columns];
};

/// The address of a leader is where the first row begins. The bits of an operand of width 0 are the distance
/// of its elements, if it is no constant.
template<int Slots>
struct short_row_params {
  static constexpr int slots = Slots;
  char* out;
  const char* in[Slots];
  std::uint32_t n_rows;
  scalar_bits constants[Slots];
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
