#include <cuda.h>
#include <sys/auxv.h>
#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define GPARRAY_HAS_NVTX 1
#endif

#include <cuda/runtime/runtime.hpp>
#include <plan/profiler_ranges.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// NVTX loads the library that a variable of the environment names.
[[maybe_unused]] bool may_load() noexcept {
  static const bool answer = getauxval(AT_SECURE) == 0;
  return answer;
}

void call_driver(const char* name) noexcept {
  constexpr unsigned since = 4000;
  if (const auto call = reinterpret_cast<CUresult (*)()>(cuda::find_driver_call(name, since))) call();
}

}  // namespace

void push_range([[maybe_unused]] const char* name) noexcept {
#if GPARRAY_HAS_NVTX
  if (may_load()) nvtxRangePushA(name);
#endif
}

void pop_range() noexcept {
#if GPARRAY_HAS_NVTX
  if (may_load()) nvtxRangePop();
#endif
}

void start_profiler() noexcept { call_driver("cuProfilerStart"); }
void stop_profiler() noexcept { call_driver("cuProfilerStop"); }

}  // namespace core
GPARRAY_END_NAMESPACE
