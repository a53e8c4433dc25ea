// Converting one element between dtypes.
#pragma once
#include <gparray/dtype.hpp>
#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Converts the bits of one element between dtypes by NumPy's casting rules.
scalar_bits convert_scalar(const scalar_bits& value, dtype from, dtype to);

}  // namespace core
GPARRAY_END_NAMESPACE
