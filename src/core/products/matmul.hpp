// The products that broadcast their leading axes. Operands are arrays on one device; all else is checked
// here.
#pragma once
#include <core/array/array_rep.hpp>
#include <plan/epilogue.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

any_array matmul(const detail::argument& a, const detail::argument& b, dtype type);
/// Of matrices; an array without a rep if the backend has no routine for product and epilogue together.
any_array matmul(const detail::argument& a, const detail::argument& b, const epilogue& after);
any_array matvec(const detail::argument& a, const detail::argument& b, dtype type);
any_array vecmat(const detail::argument& a, const detail::argument& b, dtype type);

}  // namespace core
GPARRAY_END_NAMESPACE
