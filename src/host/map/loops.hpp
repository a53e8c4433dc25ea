// The CPU's element-wise loops: for every row of ufuncs.def and every dtype of its domain one function on
// contiguous memory. Strides, broadcasting and casts of operands are handled by the tile evaluator.
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
/// The elements of this dtype at int64 addresses.
loop find_load(dtype type);
/// The function of a step whose first argument has this dtype.
inline loop find_loop(const core::step& s, dtype first) {
  switch (s.op) {
    case ufunc::cast:
      return find_cast(first, s.loop);
    case ufunc::load:
      return find_load(s.loop);
    case ufunc::user:
      return s.user->run;
    default:
      return find_loop(s.op, s.loop);
  }
}

/// Loops that are not exact run on padded data, so that the vector code computes their tails too.
using gparray::detail::is_exact;

}  // namespace host
GPARRAY_END_NAMESPACE
