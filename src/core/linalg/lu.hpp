// LU factorisations in the core.
#pragma once
#include <core/linalg/stack.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// L and U in one matrix, and the row exchanges; see linalg_engine::lu.
struct lu_factors {
  work_matrices factors;
  any_array pivots;  // int32, batch..., min(rows, columns); from 1
  factor_info info;

  std::int32_t* exchanges() const { return reinterpret_cast<std::int32_t*>(pivots.rep()->data); }
};

/// Nothing is checked.
lu_factors factor_lu(const stacked_operand& a);

/// The inverses; unchecked, those of singular matrices are infinities and NaNs.
any_array inverse(const detail::argument& a, dtype type, bool check);
/// Solutions of systems of which nothing is checked, shapes included.
any_array solve_unchecked(const detail::argument& a, const detail::argument& b, dtype type);

}  // namespace core
GPARRAY_END_NAMESPACE
