// Functions of two results, as divmod: each is an operation of its own, and both are computed by one kernel,
// which reads their arguments once.
#pragma once
#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The pending array that is the other result of a function with two, of the same arguments as this pending
/// one: a remainder beside its quotient, an exponent beside its mantissa, what is before the point beside
/// what is behind it. Its evaluation is held, as that of `rep` is by the caller. No array if the program has
/// no such name, or if one kernel would not compute both sooner.
any_array other_result(const array_rep* rep);

}  // namespace core
GPARRAY_END_NAMESPACE
