// Rows of a sparse matrix, and what a rank needs of the vectors that it is multiplied with.
#pragma once
#include <vector>

#include <distributed/arrays/node.hpp>

#include <gparray/distributed/sparse.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// Which elements of a vector come from and go to other ranks of a line of the mesh.
struct csr_exchange {
  any_array wanted;  // numbers of the elements of others that are needed here, int64, ascending
  any_array asked;   // places in the own block of what others need, int64, in the order of ranks
  std::vector<std::int64_t> wanted_cuts, asked_cuts;  // of the ranks of the line
  std::int64_t before = 0;                            // how many of the wanted lie before the own block

  std::int64_t behind() const { return wanted.size() - before; }
};

struct csr_state {
  std::shared_ptr<const placement> rows, columns;  // of vectors
  /// This rank's rows. Columns are numbered as what is needed of a vector lies here: elements before the own
  /// block, the block, elements behind it. Their order stays what it was.
  sparse_parts part;
  std::int64_t entries;  // of all ranks
  std::shared_ptr<const csr_exchange> needs;

  const communicator& line() const;
  /// What is needed of a vector, or of the rows of a matrix, of which this rank has `own`. All ranks of the
  /// line must call it.
  any_array gathered_needs(const any_array& own, const dims& shape) const;
};

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
