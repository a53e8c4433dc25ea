// Partial results of ranks, put together.
#pragma once
#include <functional>

#include <distributed/arrays/node.hpp>
#include <distributed/collectives/moved.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// What is reduced along one axis of the part of each rank, and how two results become one.
struct partial {
  reduction by;
  dtype element;  // to which elements are converted first
  ufunc fold;
  dtype state;  // of results
};

any_array folded(const partial& how, const any_array& a, const any_array& b);
/// Over these axes, which stay with size 1, or over all for null.
any_array reduced_here(const partial& how, const any_array& a, const dims* axes);

/// Partial results of all ranks along a line of the mesh as a tree over the ranks, without those that had no
/// elements. The same on all of them.
any_array merged_by_rank(const partial& how, const any_array& mine, const communicator& line,
                         const std::vector<bool>& had_elements);

/// Blocks of n elements, of which [begin, end) are here.
struct division {
  std::int64_t n, begin, end, block;

  /// Blocks that are here alone; the last of all may be short.
  std::int64_t first_whole() const { return (begin + block - 1) / block; }
  std::int64_t last_whole() const {
    const std::int64_t last = end == n ? (n + block - 1) / block : end / block;
    return std::max(last, first_whole());
  }
  /// Elements before and behind those.
  range head() const { return {begin, std::min(end, first_whole() * block)}; }
  range tail() const { return range{std::max(head().end, std::min(end, last_whole() * block)), end}; }
  std::int64_t pieces() const { return head().size() + tail().size(); }
};

/// The reduction of axis 0 of n elements, in host memory and of the dtype that they are reduced in, of which
/// this rank has those of `x`, between its cuts: as a tree over blocks, so independent of the cuts and with
/// the bits of one rank. x has one dimension, or two and the cuts are at whole blocks; the result has one
/// less.
any_array merged_by_block(reduction r, double ddof, const any_array& x, const std::vector<std::int64_t>& cuts,
                          const communicator& line);
/// Where a part of a window has its elements, of n; each times so many.
std::vector<std::int64_t> own_cuts(const axis_place& place, std::int64_t n, std::int64_t times = 1);
/// Whether all cuts are at whole blocks.
bool at_blocks(const std::vector<std::int64_t>& cuts);

/// A complete subtree of 2^level leaves, the first of which is a multiple of as many.
struct subtree {
  std::int64_t first;
  int level;
};
/// Leaves [begin, end) as few subtrees.
std::vector<subtree> subtrees(std::int64_t begin, std::int64_t end);

/// Subtrees that come from left to right, and become one as their leaves would have.
template<class State>
class carry {
 public:
  using merging = std::function<void(State& left, State& right)>;
  /// merge puts the states of two subtrees of one size into the first.
  explicit carry(merging merge) : merge_(std::move(merge)) {}

  void push(subtree where, State state) {
    nodes_.push_back({where, std::move(state)});
    while (nodes_.size() > 1 && (nodes_.back().where.first >> nodes_.back().where.level) % 2 == 1)
      merge_last();
  }
  /// At least one must have come.
  State root() {
    while (nodes_.size() > 1) merge_last();
    return std::move(nodes_[0].state);
  }

 private:
  struct entry {
    subtree where;
    State state;
  };
  void merge_last() {
    State right = std::move(nodes_.back().state);
    nodes_.pop_back();
    merge_(nodes_.back().state, right);
    ++nodes_.back().where.level;
  }

  merging merge_;
  std::vector<entry> nodes_;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
