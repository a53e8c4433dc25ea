// LU factorisations of sparse matrices, which are made in host memory for every device: no CUDA toolkit has
// one.
#pragma once
#include <memory>
#include <vector>

#include <plan/linalg_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Orders of columns that keep the factors sparse, by the library's numbers.
enum class column_order : int { natural, mmd_ata, mmd_at_plus_a, colamd };

/// SciPy's arguments of splu and spilu; 0 is the library's default.
struct lu_request {
  column_order order = column_order::colamd;
  double pivot_threshold = 1;
  int relax = 0, panel_size = 0;
  bool symmetric_mode = false;
  /// Incomplete factors, without what is small.
  bool incomplete = false;
  double drop_tolerance = 1e-4, fill_factor = 10;
  int drop_rule = 0;  // the library's numbers, added up
};

/// A matrix by compressed columns, whose rows are in no order.
struct host_columns {
  std::vector<std::int32_t> starts, rows;
  std::vector<std::byte> values;
};

/// P_r A P_c = L U: row i of A is row row_permutation[i] of L U, column i is column column_permutation[i].
/// Any number of threads may solve with it.
class factored_matrix {
 public:
  virtual ~factored_matrix() = default;
  /// b, in host memory, n rows in column-major order, becomes the solution of op(A) x = b.
  virtual void solve(transposition op, void* b, int columns) const = 0;
  /// Entries of L and U, zeros that are stored included.
  virtual std::int64_t entries() const = 0;
  /// L with its diagonal of ones, or U.
  virtual host_columns triangle(bool lower) const = 0;

  std::vector<std::int32_t> row_permutation, column_permutation;
};

/// Whether rows and columns can be paired so that an entry stands for each pair; without that every matrix of
/// this pattern is singular.
bool has_full_structural_rank(std::int32_t n, const std::int32_t* starts, const std::int32_t* rows);

/// Factorises a square matrix of n >= 1 rows by compressed columns: canonical, in host memory, of float32,
/// float64, complex64 or complex128. Throws library_error; linalg_error "Factor is exactly singular";
/// out_of_memory.
std::unique_ptr<factored_matrix> factorize_sparse(dtype type, std::int32_t n, const std::int32_t* starts,
                                                  const std::int32_t* rows, const void* values,
                                                  const lu_request& request);

}  // namespace core
GPARRAY_END_NAMESPACE
