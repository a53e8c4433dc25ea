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

/// Computes what any thread has left pending that calls the function.
GPARRAY_API void forget_user_function(const user_function* function) noexcept;

/// In each library and program that defines the function: when that is unloaded, the function is forgotten
/// before its code is gone.
struct user_function_owner {
  const user_function* function;
  constexpr explicit user_function_owner(const user_function* f) noexcept : function(f) {}
  user_function_owner(const user_function_owner&) = delete;
  user_function_owner& operator=(const user_function_owner&) = delete;
  ~user_function_owner() { forget_user_function(function); }
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
