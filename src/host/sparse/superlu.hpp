// SuperLU, loaded at first use: LU factorisations of sparse matrices.
#pragma once
#include <cstddef>

#include <plan/sparse_lu.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

// SuperLU's structures, as versions 5 to 7 have them with indices of 32 bits, which is how distributions
// build it. What only SuperLU looks into is room enough for any of these versions.

struct superlu_matrix {
  int storage, element, kind;
  int rows, columns;
  void* store;
};

/// The store of compressed columns.
struct superlu_columns {
  int count;
  void* values;
  int *rows, *starts;
};

/// The store of L: columns with the same rows below the diagonal, "supernodes", share one list of them. Their
/// blocks on the diagonal hold U's elements too.
struct superlu_supernodes {
  int count, last_supernode;
  void* values;
  int *value_starts, *rows, *row_starts;  // for each column
  int *supernode_of_column, *first_column;
};

struct superlu_dense {
  int leading_dimension;
  void* values;
};

struct superlu_options {
  int factored, equilibrate, column_order, transposition, refinement;
  double pivot_threshold;
  int symmetric_mode, pivot_growth, condition_number, row_order;
  int drop_rule;  // of incomplete factors, as the next two
  double drop_tolerance, fill_factor;
  std::byte others[256];
};
struct superlu_statistics {
  alignas(16) std::byte content[256];
};
struct superlu_workspace {
  alignas(16) std::byte content[1024];
};

/// Loads the library. Returns the address of a function of it; throws library_error.
const void* load_superlu();

/// Its factors of one matrix.
class superlu_factors final : public core::factored_matrix {
 public:
  superlu_factors(dtype type, int n, int* starts, int* rows, void* values, const core::lu_request& request);
  ~superlu_factors() override;
  superlu_factors(const superlu_factors&) = delete;
  superlu_factors& operator=(const superlu_factors&) = delete;

  void solve(core::transposition op, void* b, int columns) const override;
  std::int64_t entries() const override;
  core::host_columns triangle(bool lower) const override;

 private:
  dtype type_;
  int n_;
  superlu_matrix lower_{}, upper_{};
};

}  // namespace host
GPARRAY_END_NAMESPACE
