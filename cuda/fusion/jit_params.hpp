// The parameter blocks of generated kernels that have none of their own among the ahead-of-time ones.
#pragma once
#include <cuda/device/jump_params.hpp>
#include <cuda/device/reduce_params.hpp>
#include <cuda/device/scan_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Dimensions of the operands of a reduction after collapsing; plans with more are materialised first. With
/// max_operands of them the whole block stays below the 4 KB that every GPU takes.
inline constexpr int max_operand_dims = 8;

/// Operands of one row, which stand for the elements of a contiguous array that is never materialised. `in`
/// and `constants` are as in vector_params.
template<int Slots>
struct row_operands {
  static constexpr int slots = Slots;
  const char* in[Slots];
  scalar_bits constants[Slots];
};

/// The same of any number of dimensions, the inner one being the row.
template<int Slots>
struct operand_block : row_operands<Slots> {
  std::int64_t strides[Slots][max_operand_dims];  // bytes, or units of an iota; of the outer dimensions
  fast_divisor shape[max_operand_dims];           // the last one is the inner dimension
  std::uint32_t ndim;  // a flat expression has at most one, and may have more than 2^31 elements
};

/// What neighbouring rows of an operand have to do with each other.
enum class row_sharing : std::uint8_t {
  none,
  same,         ///< they are one row, or one element
  interleaved,  ///< the elements of all of them in turn, side by side
  component     ///< they are one row, which is one of another operand's that are interleaved
};
/// Which operand's, and which of its rows.
struct row_component {
  int operand, row;
};

/// The same of rows whose elements are all reduced or scanned, or of one of several neighbouring rows; the
/// dimensions are those of the results, the first one that of neighbours, or those of scan_params::rows.
template<int Slots>
struct row_blocks : row_operands<Slots> {
  std::int64_t strides[Slots][max_operand_dims];
};

/// Each thread reduces rows of n_reduced elements for several results that are neighbours along the first
/// dimension; 2^log_group threads share them. Tiles of neighbours stand in the first dimension's place.
struct neighbour_params {
  char* out;
  std::int64_t n_reduced;  // below 2^31
  double ddof;
  std::uint32_t n_packs, packs_per_chunk;
  std::uint32_t n_beside, n_tiles;  // results along the first dimension; tiles of all
  std::uint32_t ndim;
  std::uint32_t log_group;
  bool backwards;                        // the first block takes the last rows
  fast_divisor shape[max_operand_dims];  // but the first
  std::int64_t out_strides[max_operand_dims];
};

/// inner_params of an expression whose operands jump. Packs do not reach over the ends of its rows.
struct jumping_inner_params : inner_params {};

/// Neighbouring bytes that a thread adds up by words before it looks for the rows of the next.
inline constexpr int bytes_of_run = 32;

/// Of few dimensions, of which the last one is the row.
template<int Slots>
struct jumping_block : row_operands<Slots>, jump_ranges<Slots> {
  std::int64_t strides[Slots][max_outer];
  fast_divisor shape[max_jump_dims];
  std::uint32_t ndim;
};

/// Rows that a thread of a column kernel adds up before it merges their state into that of all before, and
/// those of all thread rows of a block of many columns.
inline constexpr int steps_of_chunk = 64;
inline constexpr int rows_of_chunk = steps_of_chunk * column_rows;
/// Rows that a thread of reduce_scanned has at once: a tile of each of the threads that such a kernel has for
/// a column.
inline constexpr int scanned_rows = 4 * column_rows;

template<class Base, int Slots>
struct operands_of {
  using type = operand_block<Slots>;
};
template<int Slots>
struct operands_of<whole_params, Slots> {
  using type = row_operands<Slots>;
};
template<int Slots>
struct operands_of<jumping_inner_params, Slots> {
  using type = jumping_block<Slots>;
};
template<int Slots>
struct operands_of<neighbour_params, Slots> {
  using type = row_blocks<Slots>;
};
template<int Slots>
struct operands_of<scan_params, Slots> {
  using type = row_blocks<Slots>;
};

/// The block of a reduction kernel (inner_params, whole_params, neighbour_params or column_params) or of a
/// scan's, whose `in`, if it has one, is the offset in the array that is not there, and the operands it is
/// computed from.
template<class Base, int Slots>
struct computed_params : Base {
  typename operands_of<Base, Slots>::type operands;
};

/// The same for the device's eyes: with the expression.
template<class Base, class Expression>
struct expression_params : computed_params<Base, Expression::slots> {
  using expression = Expression;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
