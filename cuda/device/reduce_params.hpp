// The parameter blocks of the reduction kernels: filled by launch code, read by kernels.
#pragma once
#include <cuda/device/division.hpp>
#include <gparray/dtype.hpp>
#include <plan/plan_elements.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int reduce_threads = 256;
inline constexpr int log_reduce_threads = 8;
/// A column kernel's block is 32 threads along the columns by 8 along the rows; of few columns fewer by more.
inline constexpr int log_column_lanes = 5;
inline constexpr int column_lanes = 1 << log_column_lanes;
inline constexpr int column_rows = reduce_threads / column_lanes;

/// Elements of one access, 16 bytes' worth, and accesses in flight.
constexpr int reduce_lanes(std::size_t size) { return size <= 2 ? 8 : static_cast<int>(16 / size); }
/// Columns of one thread of a column kernel: each has a state in registers, up to 32 bytes of it.
constexpr int columns_per_thread(std::size_t size) { return size <= 4 ? 4 : reduce_lanes(size); }
constexpr int reduce_unroll(std::size_t size) { return size <= 2 ? 2 : 4; }

/// Warps, a power of two of them, whose threads have one of so many states each; a block's if they are more.
constexpr int warps_of_splits(std::uint32_t n_splits) { return n_splits <= 32 ? 1 : n_splits <= 128 ? 4 : 8; }

/// An index space with strides in bytes; the last dimension varies fastest.
struct index_space {
  int ndim;
  fast_divisor shape[max_ndim];
  std::int64_t strides[max_ndim];

  GPARRAY_FN std::int64_t offset(std::uint32_t index) const {
    std::int64_t bytes = 0;
    // Unrolled as compilers like it, loops over a few dimensions make kernels twice as large to compile.
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int d = ndim - 1; d > 0; --d) {
      std::uint32_t along = index;
      index = shape[d].split(along);
      bytes += along * strides[d];
    }
    return ndim > 0 ? bytes + index * strides[0] : 0;
  }
};

/// What blocks share that reduce parts of the same output: their partial states, and how many of them are
/// done.
struct split_reduction {
  void* partials;      // states, [output or column tile][split]
  unsigned* counters;  // zero before and after every launch
  std::uint32_t n_splits;
};

/// The splits of a column kernel are merged in groups of so many if they are more than two of them: one block
/// would read the states of all for longer than the others take.
inline constexpr std::uint32_t splits_of_group = 32;
constexpr std::uint32_t groups_of_splits(std::uint32_t n_splits) {
  return n_splits <= 2 * splits_of_group ? 1 : (n_splits + splits_of_group - 1) / splits_of_group;
}
/// One for each group, and one for the groups.
constexpr std::uint32_t counters_of_splits(std::uint32_t n_splits) {
  const std::uint32_t groups = groups_of_splits(n_splits);
  return groups > 1 ? groups + 1 : 1;
}

/// One row of n_inner elements that all go into one result: all that the kernel of such a reduction reads of
/// its parameters, for each cache line of them that a launch touches first is waited for.
struct whole_params {
  const char* in;
  char* out;
  std::int64_t n_inner;  // elements along the innermost reduced dimension; below 2^31 if there are others
  std::int64_t n_packs;  // of all reduced elements of one output; below 2^31 if there are other dimensions
  std::uint32_t packs_per_split, packs_per_chunk;
  std::int64_t n_reduced;
  double ddof;
  split_reduction split;
};

/// Reduces packs of elements along the innermost reduced dimension, in chunks whose states are then merged:
/// rounding errors stay as small as a tree's. 2^log_group threads share an output, up to the whole block;
/// only then may there be several splits.
struct inner_params : whole_params {
  std::int64_t inner_stride;  // bytes between elements of a pack
  std::uint32_t n_outputs;
  fast_divisor packs_per_row;  // ceil(n_inner / lanes)
  dtype in_type;
  bool contiguous;  // inner_stride is the element size and in_type the kernel's own
  std::uint8_t log_group;
  index_space reduced;  // the reduced dimensions but the innermost
  index_space kept;     // strides in the input
  std::int64_t out_strides[max_ndim];
};

/// The same for the kernel of rows whose packs are side by side and aligned: contiguous, no other reduced
/// dimension. A kernel of its own, because the loads of any other layout would cost it registers.
struct dense_params : inner_params {};

/// Reduces rows of contiguous columns, which are kept.
struct column_params {
  const char* in;
  char* out;
  std::int64_t out_stride;  // bytes between the results of neighbouring columns
  std::uint32_t n_columns, n_rows;
  std::uint32_t rows_per_chunk;  // the chunks go round the splits
  std::uint32_t log_lanes;       // of the threads that stand along the columns
  fast_divisor column_tiles;
  double ddof;
  split_reduction split;
  index_space reduced;
  index_space kept;  // the kept dimensions but the columns
  std::int64_t out_strides[max_ndim];
};

/// The reductions that one kernel joins at most.
inline constexpr int max_joined = 8;
/// The bytes of states that a thread may hold, of all its columns: with more it would have too few registers,
/// and a block, which keeps half of them in shared memory, too little of that.
inline constexpr std::size_t max_joined_states = 256;

/// Where the results of joined reductions go, and with which ddof, in the order of the reductions.
struct joined_results {
  char* outs[max_joined];
  double ddofs[max_joined];
};

/// The block of a kernel that joins reductions. out_stride and out_strides count results; `out` and `ddof`
/// mean nothing.
template<class Base>
struct joined_params : Base, joined_results {};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
