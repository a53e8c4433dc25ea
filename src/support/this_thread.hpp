// What tells a thread from all others that run.
#pragma once

#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// An address that is no other living thread's: that of its control block, which a register holds. The
/// address of a thread_local variable would do, too, but in a shared library that is a call.
inline const void* this_thread() noexcept {
#if defined(__has_builtin) && (defined(__x86_64__) || defined(__aarch64__))
#if __has_builtin(__builtin_thread_pointer)
#define GPARRAY_HAS_THREAD_POINTER
#endif
#endif
#ifdef GPARRAY_HAS_THREAD_POINTER
#undef GPARRAY_HAS_THREAD_POINTER
  return __builtin_thread_pointer();
#else
  static thread_local constinit lasting<char> its_own = 0;
  return &its_own;
#endif
}

}  // namespace core
GPARRAY_END_NAMESPACE
