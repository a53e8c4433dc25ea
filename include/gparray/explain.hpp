// How expressions are carried out: fused kernels and the tiers below them, and a text that says what happens.
#pragma once
#include <gparray/ndarray.hpp>

#include <concepts>
#include <string>

GPARRAY_BEGIN_NAMESPACE

/// When a GPU runs an expression of several operations as one generated kernel. The results are the same to
/// the last bit.
enum class jit : std::uint8_t {
  async,  ///< the first time step by step, while a background thread compiles the kernel; fused from then on
  sync,   ///< the first time waits for the compiler
  off     ///< always step by step
};

/// Begins as the environment variable GPARRAY_JIT says: async (the default), sync or off.
GPARRAY_API jit jit_mode() noexcept;
/// For all threads, from their next expression on.
GPARRAY_API void set_jit_mode(jit mode) noexcept;

/// Returns when the background thread has nothing left to compile; for benchmarks and tests.
GPARRAY_API void wait_for_kernels();

namespace detail {
GPARRAY_API void begin_recording();
/// The text of what was recorded since; recordings nest.
GPARRAY_API std::string end_recording() noexcept;
GPARRAY_API std::string explain(const any_array& a);
}  // namespace detail

/// What a pending expression will do, without computing it: the plan (operands with dtype, shape, strides and
/// how they are read; steps; result), the tier that would run, and the source of the fused kernel. Of a
/// computed array: where it is.
inline std::string explain(const any_array& a) { return detail::explain(a); }

/// Calls `work` and says of every expression and reduction that this thread computed in it which plan it was
/// and which tier ran: gp::explain([&] { return gp::linalg::norm(b - a); }).
template<std::invocable Work>
std::string explain(Work&& work) {
  detail::begin_recording();
  try {
    std::forward<Work>(work)();
  } catch (...) {
    detail::end_recording();
    throw;
  }
  return detail::end_recording();
}

GPARRAY_END_NAMESPACE
