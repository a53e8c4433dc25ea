// What the library knows of an element-wise function that a program brought with GPARRAY_UFUNC.
#pragma once
#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// The text of the function, for GPUs and for messages.
struct user_function {
  const char* name;        ///< "logistic"
  const char* parameters;  ///< "(x, y)"
  const char* expression;  ///< of the parameters and of T, the type of all of them
  const char* file;        ///< where it is written
  int line, arity;
};

/// Counts handed to user_loop::run are multiples of this: no remainder, so every element runs the same code.
inline constexpr std::int64_t user_loop_block = 64;

/// The function for arguments of one dtype.
struct user_loop {
  const user_function* function;
  dtype type, result;
  /// out[i] = f(args[0][i], ...) for i < n, on the CPU. out may be one of the args exactly.
  void (*run)(const void* const* args, void* out, std::int64_t n);
};

}  // namespace detail
GPARRAY_END_NAMESPACE
