// The binary tree over blocks, and how a reduction is cut into units of work along it.
#pragma once
#include <memory>
#include <span>

#include <host/map/tile_program.hpp>
#include <host/reduction/reduce_kernels.hpp>
#include <support/checked_numbers.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// A subtree of 32 blocks: the unit of work where one result has many elements.
inline constexpr std::int64_t reduce_chunk = 32 * reduce_block;

/// Merges leaves pushed from left to right as a balanced tree: a leaf is merged upwards as often as its
/// number is even. A group of any power of two leaves forms one subtree, so chunks merged by a second tree
/// give the same bits.
class merge_tree {
 public:
  static constexpr int max_depth = 48;

  merge_tree() {}  // NOLINT: one of many, most of which are not used
  /// `levels` holds max_depth rows of `count` states (fewer if fewer leaves come).
  merge_tree(const reduce_kernel& kernel, char* levels, std::int64_t count)
      : kernel_(&kernel), levels_(levels), count_(count), depth_(0), leaves_(0) {}

  /// Where the next leaf's states are to be written before push().
  char* next() { return level(depth_); }

  void push() {
    ++depth_;
    for (std::uint64_t n = ++leaves_; n % 2 == 0; n /= 2) merge_last();
  }

  /// The root; at least one leaf must have come.
  char* root() {
    while (depth_ > 1) merge_last();
    return levels_;
  }

  /// Rows that a number of leaves needs.
  static std::int64_t depth(std::int64_t leaves) {
    std::int64_t rows = 2;
    for (; leaves > 1; leaves /= 2) ++rows;
    return rows;
  }

 private:
  char* level(int d) { return levels_ + d * count_ * static_cast<std::int64_t>(kernel_->state_size); }
  void merge_last() {
    --depth_;
    kernel_->merge(level(depth_ - 1), level(depth_), count_);
  }

  const reduce_kernel* kernel_;
  char* levels_;
  std::int64_t count_;
  int depth_;
  std::uint64_t leaves_;
};

/// Reductions of the same elements, in one pass over them: a block is in the cache while all take it in, each
/// in the order that it has alone. Where states are alike (of sum and mean, of var and std), there is one.
class reduce_job {
 public:
  static constexpr std::size_t capacity = 8;
  struct result {
    const core::reduce_plan* plan;
    const reduce_kernel* kernel;
    std::size_t state;
  };

  /// At least one plan and at most `capacity`.
  explicit reduce_job(std::span<const core::reduce_plan* const> plans);

  /// The elements, which are those of all plans.
  const core::reduce_plan& plan() const { return *results_[0].plan; }
  std::span<const result> results() const { return {results_, n_results_}; }
  /// The kernels that make the states.
  std::span<const reduce_kernel* const> states() const { return {states_, n_states_}; }

  std::int64_t chunks() const { return core::ceil_quotient(plan().n_reduced, reduce_chunk); }

 private:
  std::size_t n_results_ = 0, n_states_ = 0;
  result results_[capacity];
  const reduce_kernel* states_[capacity];
};

/// Partial states of every chunk of every result, for each kind of state.
class chunk_states {
 public:
  explicit chunk_states(const reduce_job& job);

  char* at(std::size_t state, std::int64_t chunk, std::int64_t number) const {
    return begins_[state] + (chunk * n_out_ + number) * sizes_[state];
  }

 private:
  std::int64_t n_out_, sizes_[reduce_job::capacity];
  std::unique_ptr<std::max_align_t[]> memory_;
  char* begins_[reduce_job::capacity];
};

/// The plan's map with its dimensions in the order given; a plan of no dimensions gets one of size 1.
core::map_plan reordered(const core::map_plan& map, const int* dimensions, int count);

/// Whether a map's values are elements of an array, side by side along the last dimension and aligned.
bool are_stored(const core::map_plan& map);

/// Each result from its own elements, one after the other.
void reduce_rows(const reduce_job& job);
/// Results side by side: kept dimension `columns` runs fastest.
void reduce_columns_of(const reduce_job& job, int columns);

/// Merges partial states, chunk by chunk, and writes the results.
void finish_chunks(const reduce_job& job, const chunk_states& partials);

/// Byte offset of a result, numbered in C order of the kept dimensions.
std::int64_t result_offset(const core::reduce_plan& plan, std::int64_t number);

}  // namespace host
GPARRAY_END_NAMESPACE
