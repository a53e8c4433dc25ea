// Small matrices on a GPU are solved and factorised in one step, where they are.
#pragma once
#include <array>

#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

// Each returns arrays without elements in memory (no rep) where the matrices are not small, or not on a GPU:
// then nothing was done. The matrices are square.

/// The solutions of a x = b, or, without b, the inverses. The shapes fit. Waits to throw linalg_error for
/// singular matrices if `check` says so.
any_array solved_small(const detail::argument& a, const detail::argument* b, dtype type, bool check);
/// Determinants, or their signs and logarithms.
std::array<any_array, 2> determinants_of_small(const detail::argument& a, dtype type, bool logarithms);
/// Cholesky factors. Waits to throw linalg_error.
any_array cholesky_of_small(const detail::argument& a, dtype type, bool upper);

}  // namespace core
GPARRAY_END_NAMESPACE
