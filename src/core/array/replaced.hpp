// Pending arrays of which some elements are replaced: what a(i, j) = x leaves of an expression.
#pragma once
#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A pending array of these elements, in C order, but for the values where `where` says; `by` computes it.
any_array replaced_later(const any_array& elements, const any_array& values, const computation* by,
                         const std::shared_ptr<const selection>& where);
/// Makes a rep such an array.
void become_replaced(array_rep* rep, const any_array& elements, const any_array& values,
                     const computation* by, const std::shared_ptr<const selection>& where);

}  // namespace core
GPARRAY_END_NAMESPACE
