// The parameter blocks of the kernels that pick elements by number or by mask.
#pragma once
#include <cuda/device/division.hpp>
#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int index_threads = 256;

/// The dimensions of one launch with the strides of N operands; the last varies fastest.
template<int N>
struct operand_space {
  int ndim;
  fast_divisor shape[max_ndim];
  std::int64_t strides[N][max_ndim];

  GPARRAY_FN void offsets(std::uint32_t element, std::int64_t (&result)[N]) const {
    for (int k = 0; k < N; ++k) result[k] = 0;
    for (int d = ndim - 1; d >= 0; --d) {
      std::uint32_t along = element;
      element = shape[d].split(along);
      for (int k = 0; k < N; ++k) result[k] += along * strides[k][d];
    }
  }
};

/// Whether all numbers that a launch picks by are in [first, first + count): with null counters that is
/// known.
struct number_check {
  std::int64_t first, count;
  unsigned* counters;         // of blocks that are done, and whether one found a number outside; zero before
  std::int32_t* any_outside;  // written by the last block, which leaves zero counters; null: others follow
};

/// to[i] = from[i] with one of the two shifted by an index. `winners` (null: no two elements go to one place)
/// has for each number the rank, from 1, of the last element that goes there; the others are not written.
struct index_params {
  char* to;
  const char* from;
  const char* index;
  std::int64_t wrap, stride, rank;
  const unsigned* winners;
  number_check check;  // of a gather
  std::uint32_t size;
  operand_space<4> space;  // to, from, index, rank
};

/// to[i] = from at index[i], where to and index are contiguous.
struct line_params {
  void* to;
  const char* from;
  const std::int64_t* index;
  std::int64_t wrap, stride;
  number_check check;
  std::uint32_t size;
};
/// Elements of a thread.
inline constexpr int line_items = 8;

/// Finds the winners: rank is the position in the space.
struct winner_params {
  const char* index;
  std::int64_t wrap, first;
  unsigned* winners;
  std::uint32_t size;
  operand_space<1> space;  // of a line, whose numbers lie side by side, nothing
};

/// Writes from[winner - 1] to each of `size` places that has one.
struct placing_params {
  char* to;
  const char* from;
  std::int64_t to_stride, from_stride;
  const unsigned* winners;
  std::uint32_t size;
};

/// Both kernels of a compaction cut the elements into chunks alike; those of earlier launches come first.
struct compact_params {
  const char* mask;
  const char* in;      // null: the input is an iota
  std::int64_t first;  // of the iota
  char* out;
  std::int64_t* counts;  // [chunk] over all launches
  std::uint32_t first_chunk, per_chunk, size;
  operand_space<2> space;  // mask, in
};

/// By the size of an element: 1, 2, 4, 8 or 16 bytes, and 0 for gathers that only check their numbers.
const void* find_index_kernel(std::size_t item_bytes, bool scatters);
const void* find_line_kernel(std::size_t item_bytes);
const void* find_compact_kernel(std::size_t item_bytes);
const void* find_placing_kernel(std::size_t item_bytes);
const void* winner_kernel();
const void* line_winner_kernel();
const void* count_kernel();

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
