// What the library keeps of the functions that a program brought.
#pragma once
#include <gparray/ufunc/user_loop.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The texts and types of a function, the same object for the same function, which outlives the library that
/// the function is in. It has no code for the CPU. What is kept for longer than a plan must hold this one:
/// another function may be loaded to the address of one that is gone.
const detail::user_loop* kept_text(const detail::user_loop& loop);

}  // namespace core
GPARRAY_END_NAMESPACE
