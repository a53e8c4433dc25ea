// The parameter blocks of maps whose operands are not evenly spaced, or not aligned as the output is.
#pragma once
#include <cuda/device/map_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Dimensions of a plan that jumps, which runs as one kernel.
inline constexpr int max_jump_dims = 1 + max_outer;
/// Elements of a row from one of a thread's to its next: what a warp reads of them lies side by side.
inline constexpr int interleave_distance = 32;
/// Bytes behind those of a thread that are loaded with them, if a word of memory has some of both.
inline constexpr int bytes_behind = 3;
/// Elements of a thread of jumping_map, where there are many: those of a block go on behind the first of all
/// its threads.
inline constexpr int jumping_lanes = 4;

/// Outside [begin, begin + count) elements lie so many bytes further on.
struct jump_range {
  std::uint32_t begin, count;
  std::int64_t bytes;
};

/// How operands jump along each dimension, counted from the innermost one, and the columns in which none
/// does, nor, of bytes, the words that they are in.
template<int Slots>
struct jump_ranges {
  jump_range jumps[Slots][max_jump_dims];
  std::int32_t even_begin, even_end;
};

/// vector_params or strided_params, whose dimensions are counted from the innermost one, as those of the
/// jumps are. The generated function says which of these there are.
template<class Base>
struct jump_params : Base, jump_ranges<Base::slots> {
  std::uint32_t turns;  // how often a thread goes on; without rows at most jumping_lanes
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
