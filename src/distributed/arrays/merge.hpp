// Partial results of ranks, put together.
#pragma once
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

/// One array as an argument that may fuse.
gd::argument operand(const any_array& a);
any_array folded(const partial& how, const any_array& a, const any_array& b);
/// Over these axes, which stay with size 1, or over all for null.
any_array reduced_here(const partial& how, const any_array& a, const dims* axes);

/// Partial results of all ranks along a line of the mesh as a tree over the ranks, without those that had no
/// elements. The same on all of them.
any_array merged_by_rank(const partial& how, const any_array& mine, const communicator& line,
                         const std::vector<bool>& had_elements);

/// The reduction of axis 0 of n elements, of which this rank has those of `x`, between its cuts: as a tree
/// over blocks of 2048, so independent of the cuts, and on the CPU equal to the reduction by one rank. x has
/// one dimension, or the cuts are at whole blocks.
any_array merged_by_block(const partial& how, const any_array& x, const std::vector<std::int64_t>& cuts,
                          const communicator& line);
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
class carry {
 public:
  explicit carry(const partial& how) : how_(how) {}
  void push(subtree node, any_array state);
  /// At least one must have come.
  any_array root();

 private:
  struct entry {
    subtree where;
    any_array state;
  };
  void merge_last();

  const partial& how_;
  std::vector<entry> nodes_;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
