// Whether products of float32 matrices may use TF32: GPARRAY_TF32 and allow_tf32().
#include <atomic>
#include <cstdlib>
#include <string_view>

#include <gparray/runtime/tf32.hpp>
#include <support/environment.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

bool allowed_by_environment() {
  const char* text = core::environment("GPARRAY_TF32");
  return text && std::string_view(text) == "1";
}

std::atomic<bool>& tf32_flag() {
  static std::atomic<bool> allowed{allowed_by_environment()};
  return allowed;
}

}  // namespace
}  // namespace core

bool tf32_allowed() noexcept { return core::tf32_flag().load(std::memory_order_relaxed); }

void allow_tf32(bool allow) noexcept { core::tf32_flag().store(allow, std::memory_order_relaxed); }

GPARRAY_END_NAMESPACE
