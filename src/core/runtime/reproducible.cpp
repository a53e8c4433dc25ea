// Whether sums at indices may depend on the order of threads: GPARRAY_REPRODUCIBLE and set_reproducible().
#include <atomic>
#include <string_view>

#include <gparray/runtime/reproducible.hpp>
#include <support/environment.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

bool wanted_by_environment() {
  const char* text = core::environment("GPARRAY_REPRODUCIBLE");
  return !text || std::string_view(text) != "0";
}

std::atomic<bool>& reproducible_flag() {
  static std::atomic<bool> always{wanted_by_environment()};
  return always;
}

}  // namespace
}  // namespace core

bool reproducible() noexcept { return core::reproducible_flag().load(std::memory_order_relaxed); }

void set_reproducible(bool always) noexcept {
  core::reproducible_flag().store(always, std::memory_order_relaxed);
}

GPARRAY_END_NAMESPACE
