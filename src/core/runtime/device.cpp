// Devices: their text, their properties, the default device of a thread, and the backend of each.
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <optional>

#include <core/runtime/debug.hpp>
#include <core/runtime/pending.hpp>
#include <plan/backend.hpp>
#include <support/environment.hpp>
#include <support/errors.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE

std::string_view name(memory_space space) {
  static constexpr std::string_view names[] = {"host", "pinned", "mapped", "device", "managed"};
  return names[static_cast<int>(space)];
}

device::device(std::string_view text) {
  if (text == "cpu") return;
  std::string_view rest = text;
  int index = 0;
  bool valid = rest.starts_with("cuda");
  if (valid) rest.remove_prefix(4);
  if (valid && !rest.empty()) {
    valid = rest.starts_with(':') && rest.size() > 1;
    if (valid) {
      const auto [end, status] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), index);
      valid = status == std::errc() && end == rest.data() + rest.size() && index >= 0 && index < 32768;
    }
  }
  if (!valid) core::fail<value_error>("\"{}\" is not a device; write \"cpu\", \"cuda\" or \"cuda:0\"", text);
  *this = cuda(index);
}

std::string device::str() const { return is_cpu() ? "cpu" : fmt::format("cuda:{}", index_); }
std::string device::name() const { return core::backend_of(*this).device_name(index_); }
std::pair<int, int> device::compute_capability() const {
  return core::backend_of(*this).compute_capability(index_);
}
std::pair<std::size_t, std::size_t> device::memory_info() const {
  return core::backend_of(*this).memory_info(index_);
}

void device::synchronize() const {
  core::backend& b = core::backend_of(*this);
  core::effect_of_waiting();
  core::compute_left_on(*this);
  b.synchronize_device(index_);
}

int device_count() {
  core::backend* cuda = core::gpu_backend();
  return cuda ? cuda->device_count() : 0;
}

namespace {

using core::lasting;

device initial_device() {
  if (const char* text = core::environment("GPARRAY_DEVICE"); text && *text) {
    try {
      const device d(text);
      core::backend_of(d);
      return d;
    } catch (const value_error& e) {
      core::fail<value_error>("GPARRAY_DEVICE: {}", e.what());
    } catch (const device_error& e) {
      core::fail<device_error>("GPARRAY_DEVICE: {}", e.what());
    }
  }
  return device_count() > 0 ? device::cuda(0) : device::cpu();
}

thread_local constinit lasting<std::optional<device>> thread_device;

}  // namespace

device default_device() {
  if (!thread_device) {
    static const device initial = initial_device();
    thread_device = initial;
  }
  return *thread_device;
}

void set_default_device(device d) {
  core::backend_of(d);
  core::effect();
  thread_device = d;
}

device_guard::device_guard(device d) : previous_(default_device()) { set_default_device(d); }
device_guard::~device_guard() { thread_device = previous_; }

namespace core {

#if !GPARRAY_HAS_CUDA
backend* cuda_backend() { return nullptr; }
const std::string& cuda_missing_reason() {
  static const auto& reason = *new std::string(
      "this build of gparray has no CUDA backend; build it with the CUDA toolkit installed "
      "(GPARRAY_WITH_CUDA=ON)");
  return reason;
}
#endif

namespace {
constinit std::atomic<backend*> substitute{nullptr};
}

backend* gpu_backend() {
  backend* b = substitute.load(std::memory_order_acquire);
  if (b) return b;
  b = cuda_backend();
  if (!b || !debug().any()) [[likely]]
    return b;
  // Never destroyed, as is what it looks at.
  static backend* const looked_at = debugged(*b, debug(), false).release();
  return looked_at;
}

backend* exchange_gpu_backend(backend* b) noexcept {
  return substitute.exchange(b, std::memory_order_acq_rel);
}

backend& backend_of(device d) {
  if (d.is_cpu()) {
    if (!debug().any()) [[likely]]
      return host_backend();
    static backend& looked_at = *debugged(host_backend(), debug(), true).release();
    return looked_at;
  }
  backend* cuda = gpu_backend();
  if (!cuda) fail<device_error>("{} cannot be used: {}", d.str(), cuda_missing_reason());
  if (d.index() >= cuda->device_count())
    fail<device_error>("{} does not exist: this machine has {} GPU(s)", d.str(), cuda->device_count());
  return *cuda;
}

}  // namespace core
GPARRAY_END_NAMESPACE
