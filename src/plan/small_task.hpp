// Factorisations of many small matrices, or of one, in one step.
#pragma once
#include <cstdint>

#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Matrices of one size: strides in elements from a matrix, a row and a column to the next. That of the
/// matrices is 0 if there is one for all.
struct strided_stack {
  const void* data;
  std::int64_t matrix, row, column;
};

enum class small_operation : std::uint8_t { solve, determinants, cholesky };

/// Of matrices of n rows and columns. Results are new memory in C order.
struct small_task {
  small_operation what;
  bool upper;  // cholesky: from the upper triangle, to the upper factor
  dtype type;  // of the matrices: float32, float64, complex64 or complex128
  std::int32_t n, columns;
  std::int32_t count;
  strided_stack a;
  strided_stack b;  // solve: the right sides, of `columns` columns; without data identity matrices
  /// The solutions, the determinants (their signs if there are logarithms), or the factors.
  void* out;
  void* logarithms;  // of the determinants' magnitudes, or null
  /// If not null: receives 0, or count - i for the first matrix i that has no answer. Zero before, if there
  /// are several matrices; may be memory of slot_for_result if there is one.
  std::int32_t* failed;
};

}  // namespace core
GPARRAY_END_NAMESPACE
