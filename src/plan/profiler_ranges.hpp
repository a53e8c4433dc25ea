// Marks for profilers of NVIDIA: NVTX ranges, and what they record.
#pragma once
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A range of this thread begins; it ends with pop_range(). They are nested, cost nanoseconds where no
/// profiler listens, and are nothing in builds without CUDA and in set-uid programs, which a profiler may not
/// enter.
void push_range(const char* name) noexcept;
void pop_range() noexcept;

/// A profiler that waits for it (nsys --capture-range=cudaProfilerApi) records from now on, or no more.
void start_profiler() noexcept;
void stop_profiler() noexcept;

}  // namespace core
GPARRAY_END_NAMESPACE
