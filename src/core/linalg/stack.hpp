// Arrays made ready for a linalg_engine, and what came of it.
#pragma once
#include <string_view>

#include <core/array/array_rep.hpp>
#include <plan/linalg_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Throws linalg_error with NumPy's texts.
void check_stacked(const any_array& a);
void check_square(const any_array& a);

/// The axes before the matrices.
dims batch_of(const any_array& a);
dims with_axes(dims batch, std::initializer_list<std::int64_t> sizes);
std::int64_t count_of(const dims& batch);

/// New memory for a batch of matrices in column-major order.
struct work_matrices {
  work_matrices(dtype type, const dims& batch, std::int64_t n_rows, std::int64_t n_columns, device place);

  any_array memory;  // batch..., columns, rows in C order
  std::int64_t rows, columns, count;

  bool empty() const { return memory.size() == 0; }
  void* data() const { return memory.rep()->data; }
  matrix_stack stack() const { return {data(), rows, columns, count}; }
  /// All matrices side by side as one.
  matrix_stack joined() const { return {data(), rows, columns * count, 1}; }
  /// batch..., rows, columns; a view.
  any_array matrices() const;
  /// The same in C order.
  any_array in_c_order() const;
};

/// A copy of matrices converted to `type` and broadcast to `batch`.
work_matrices column_major(const detail::argument& a, dtype type, const dims& batch);
work_matrices column_major(const detail::argument& a, dtype type);
/// A copy of the transposed matrices: their rows lie side by side as they do in C order.
work_matrices column_major_transposed(const detail::argument& a, dtype type);
/// A copy whose lower triangle holds the lower triangle of `a`, or the conjugate transpose of the upper.
work_matrices lower_triangle(const detail::argument& a, dtype type, const dims& batch, bool lower);

/// a^H, or a^T for real types; converted to `type`; maybe a view.
any_array adjoint(const any_array& a, dtype type);
any_array identity(std::int64_t n, dtype type, device place);

/// The engine of a device. Throws device_error.
linalg_engine& engine_of(device place);

/// Where an engine says which matrices it failed on.
class factor_info {
 public:
  factor_info(const dims& batch, device place);
  std::int32_t* data() const;
  /// Flags of matrices that failed: a bool for each.
  void fail_where(const any_array& flags);
  /// A matrix of `a` that has an infinity or a NaN failed: cuSOLVER does not say so.
  void fail_where_not_finite(const detail::argument& a);
  /// Waits for the device. Throws linalg_error with the text, and the index of the first matrix in the batch
  /// that failed.
  void check(std::string_view text) const;

 private:
  any_array values_;
};

/// The matrices that have a NaN: a bool for each.
any_array with_nan(const detail::argument& matrices);

/// " (matrix (1,2) of the batch)", nothing without a batch.
std::string place_in_batch(std::int64_t index, const dims& batch);

}  // namespace core
GPARRAY_END_NAMESPACE
