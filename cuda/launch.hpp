// Enqueues a kernel through the runtime table.
#pragma once
#include <core/backend.hpp>
#include <string_view>

#include "runtime.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

[[noreturn]] void throw_launch_error(const char* call, std::string_view operation, cudaError_t code);

/// One-dimensional launch of a kernel of ours, which begins with wait_for_earlier_work(), and so may be
/// started while what is in front of it ends: that spares a microsecond, on the host too. Not into a graph:
/// whoever asks a recorded stream what it waits for does not expect such edges. The device must be current.
void launch_own(std::string_view operation, const void* kernel, std::int64_t n_blocks, int n_threads,
                void** arguments, queue q);

/// The same of a kernel that takes one parameter block. `operation` names it in an error.
template<class Params>
void launch(std::string_view operation, const void* kernel, std::int64_t n_blocks, int n_threads,
            const Params& params, queue q) {
  void* arguments[] = {const_cast<Params*>(&params)};
  launch_own(operation, kernel, n_blocks, n_threads, arguments, q);
}

/// Lets tests put other devices in place of those that were asked what they can do.
void forget_devices() noexcept;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
