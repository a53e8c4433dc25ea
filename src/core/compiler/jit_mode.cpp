// Whether fused kernels are compiled, and waited for: GPARRAY_JIT and set_jit_mode().
#include <atomic>
#include <cstdlib>
#include <string_view>

#include <gparray/runtime/jit.hpp>
#include <support/background.hpp>
#include <support/environment.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

jit mode_from_environment() {
  const char* text = core::environment("GPARRAY_JIT");
  const std::string_view mode = text ? text : "";
  if (mode == "off") return jit::off;
  return mode == "sync" ? jit::sync : jit::async;
}

std::atomic<jit>& current_mode() {
  static std::atomic<jit> mode{mode_from_environment()};
  return mode;
}

}  // namespace
}  // namespace core

jit jit_mode() noexcept { return core::current_mode().load(std::memory_order_relaxed); }

void set_jit_mode(jit mode) noexcept { core::current_mode().store(mode, std::memory_order_relaxed); }

void wait_for_kernels() { core::kernel_worker().wait_idle(); }

GPARRAY_END_NAMESPACE
