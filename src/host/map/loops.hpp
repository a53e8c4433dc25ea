// The CPU's element-wise loops: for every row of ufuncs.def and every dtype of its domain one function on
// contiguous memory. Strides, broadcasting and casts of operands are the tile evaluator's business.
#pragma once
#include <cstdint>

#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// out[i] = op(args[0][i], ...) for i < n. out may be one of the args exactly if the element sizes agree.
using loop = void (*)(const void* const* args, void* out, std::int64_t n);

/// Counts rounded up to this leave no scalar remainder in any loop, so that every element runs the vector
/// code.
inline constexpr std::int64_t padding = 64;
static_assert(padding % gparray::detail::user_loop_block == 0);

/// Null if the row's domain does not include the dtype.
loop find_loop(ufunc op, dtype type);
loop find_cast(dtype from, dtype to);

/// Whether scalar and vector code of a loop give the same bits: no call of libm, only IEEE operations and
/// integers. A row that is missing here is only padded without need.
constexpr bool is_exact(ufunc op, dtype type) {
  if (op == ufunc::user) return false;
  if (!is_inexact(type)) return op != ufunc::sinc && op != ufunc::i0;
  if (is_complex(type)) return op == ufunc::add || op == ufunc::subtract || op == ufunc::cast;
  switch (op) {
    case ufunc::add:
    case ufunc::subtract:
    case ufunc::multiply:
    case ufunc::divide:
    case ufunc::negative:
    case ufunc::positive:
    case ufunc::absolute:
    case ufunc::fabs:
    case ufunc::square:
    case ufunc::reciprocal:
    case ufunc::sqrt:
    case ufunc::rint:
    case ufunc::round:
    case ufunc::floor:
    case ufunc::ceil:
    case ufunc::trunc:
    case ufunc::equal:
    case ufunc::not_equal:
    case ufunc::less:
    case ufunc::less_equal:
    case ufunc::greater:
    case ufunc::greater_equal:
    case ufunc::logical_and:
    case ufunc::logical_or:
    case ufunc::logical_xor:
    case ufunc::logical_not:
    case ufunc::maximum:
    case ufunc::minimum:
    case ufunc::fmax:
    case ufunc::fmin:
    case ufunc::where:
    case ufunc::clip:
    case ufunc::isfinite:
    case ufunc::isinf:
    case ufunc::isnan:
    case ufunc::signbit:
    case ufunc::copysign:
    case ufunc::ldexp:
    case ufunc::frexp_mantissa:
    case ufunc::frexp_exponent:
    case ufunc::nan_to_num:
    case ufunc::cast:
      return true;
    default:
      return false;
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
