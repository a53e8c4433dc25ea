// The factors behind SuperLU<V>, and substitution on any device.
#pragma once
#include <mutex>

#include <core/sparse/sparse.hpp>
#include <gparray/sparse/linalg/direct.hpp>
#include <plan/sparse_lu.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace core {

/// Throws value_error, device_error.
void check_right_side(const char* operation, std::int64_t n, device on_device, const any_array& b);
std::int64_t width_of(const any_array& b);

/// Triangles of one matrix made ready for solving, of which the last few are kept: by part, operation, number
/// of right-hand sides and stream. One thread at a time uses them.
class triangle_cache {
 public:
  /// x, in C order, becomes the solution with a triangle of a canonical matrix by rows. False if the device
  /// has no routine.
  bool solve(const detail::sparse_parts& a, triangle_use use, const any_array& x);

 private:
  struct entry {
    triangle_use use;
    std::int64_t width;
    queue where;
    std::unique_ptr<prepared_triangle> triangle;
  };
  std::mutex lock_;
  std::vector<entry> entries_;
};

}  // namespace core

namespace detail {

class sparse_lu {
 public:
  sparse_lu(const sparse_parts& a, const core::lu_request& request);

  any_array solve(const any_array& b, core::transposition op) const;
  std::int64_t entries() const { return factors_ ? factors_->entries() : 0; }
  any_array permutation(bool rows) const;
  /// L or U on the matrix's device.
  sparse_parts triangle(bool lower, sparse::format format) const;

 private:
  /// What solving on the matrix's own device needs, made when it first happens.
  struct device_factors {
    sparse_parts lower, upper;  // csr
    any_array row_permutation, column_permutation, row_order, column_order;
    core::triangle_cache lower_cache, upper_cache;
  };
  /// False if the device has no routine.
  bool solve_there(const any_array& b, core::transposition op, any_array& x) const;

  std::int64_t n_;
  gparray::dtype type_;
  gparray::device device_;
  std::unique_ptr<core::factored_matrix> factors_;  // null for no rows
  mutable std::once_flag made_;
  mutable std::unique_ptr<device_factors> there_;
};

}  // namespace detail

GPARRAY_END_NAMESPACE
