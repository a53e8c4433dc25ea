// Arrays made ready for a linalg_engine, and what came of it.
#pragma once
#include <algorithm>
#include <string_view>

#include <core/array/array_rep.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/runtime/stream_state.hpp>
#include <plan/linalg_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Throws linalg_error with NumPy's texts.
void check_stacked(const any_array& a);
void check_square(const any_array& a);

/// The axes before the matrices. Throws as check_stacked().
dims batch_of(const any_array& a);
dims with_axes(dims batch, std::initializer_list<std::int64_t> sizes);
std::int64_t count_of(const dims& batch);

/// New memory for a batch of matrices in column-major order.
struct work_matrices {
  work_matrices(dtype type, const dims& batch, std::int64_t n_rows, std::int64_t n_columns, device on_device)
      : memory(allocate(type, with_axes(batch, {n_columns, n_rows}), on_device)),
        rows(n_rows),
        columns(n_columns),
        count(count_of(batch)) {}

  any_array memory;  // batch..., columns, rows in C order
  std::int64_t rows, columns, count;

  bool empty() const { return memory.size() == 0; }
  void* data() const { return memory.rep()->data; }
  matrix_stack stack() const { return {data(), rows, columns, count}; }
  /// All matrices side by side as one.
  matrix_stack joined() const { return {data(), rows, columns * count, 1}; }
  /// batch..., rows, columns; a view.
  any_array matrices() const { return detail::matrix_transpose(memory); }
  /// The same in C order.
  any_array in_c_order() const { return detail::in_order(matrices(), order::C); }
};

/// Where an engine says which matrices it failed on.
class factor_info {
 public:
  /// Of no matrices: there is nothing to fail.
  factor_info() = default;
  factor_info(const dims& batch, device on_device);
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

/// The matrices of an argument on their way to an engine: what the memory of all operands and results of a
/// factorisation has in common. It refers to the argument's array.
struct stacked_operand {
  /// Throws linalg_error for less than two axes.
  stacked_operand(const detail::argument& a, dtype factor_type);
  /// Broadcast to `batch`.
  stacked_operand(const detail::argument& a, dtype factor_type, const dims& batch);

  detail::argument source;
  dtype type;  // that the matrices are converted to
  dims batch;
  std::int64_t rows, columns;
  device on_device;
  bool is_transposed = false;  // of the source's matrices

  bool empty() const { return rows == 0 || columns == 0 || std::ranges::find(batch, 0) != batch.end(); }
  /// The transposed matrices: their columns lie as the source's rows do in C order.
  stacked_operand transposed() const;

  /// A converted copy.
  work_matrices column_major() const;
  /// A copy whose lower triangle holds the source's lower triangle, or the conjugate transpose of its upper.
  work_matrices triangle(bool lower) const;

  /// Matrices of these sizes beside them, not initialised, and numbers: so many for each matrix.
  work_matrices new_matrices(std::int64_t n_rows, std::int64_t n_columns) const {
    return {type, batch, n_rows, n_columns, on_device};
  }
  any_array new_numbers(dtype of, std::int64_t count) const {
    return allocate(of, with_axes(batch, {count}), on_device);
  }

  /// Throws device_error.
  linalg_engine& engine() const;
  /// This thread's queue of the device.
  queue where() const { return current_queue(on_device); }
  /// f(info, queue) calls the engine, which writes to `info` what became of each matrix. Without elements
  /// nothing is called.
  template<class F>
  factor_info ask(const F& f) const {
    if (empty()) return {};
    const factor_info info(batch, on_device);
    f(info.data(), where());
    return info;
  }
};

/// a^H, or a^T for real types; converted to `type`; maybe a view.
any_array adjoint(const any_array& a, dtype type);
any_array identity(std::int64_t n, dtype type, device on_device);

/// The matrices that have a NaN: a bool for each.
any_array with_nan(const detail::argument& matrices);

/// " (matrix (1,2) of the batch)", nothing without a batch.
std::string index_in_batch(std::int64_t index, const dims& batch);

}  // namespace core
GPARRAY_END_NAMESPACE
