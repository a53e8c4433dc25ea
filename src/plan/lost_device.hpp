// GPUs that a fault has taken from this process: a kernel did what it must not, and CUDA ended the context.
#pragma once
#include <atomic>
#include <cstdint>

#include <gparray/config.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

extern std::atomic<std::uint64_t> lost_devices;  // one bit each; a 65th GPU is asked every time

/// Nothing of CUDA is asked about such a device any more, not even to give back what it has.
inline bool is_lost(int device) noexcept {
  const auto bit = static_cast<unsigned>(device);
  return bit < 64 && (lost_devices.load(std::memory_order_acquire) >> bit & 1) != 0;
}

/// From now on throw_lost throws it for its device.
void remember_fault(const device_fault& fault);

/// The fault again, whose members are those of the call that noticed it.
[[noreturn]] void throw_lost(int device);

/// For tests, whose devices come back.
void forget_lost_devices() noexcept;

}  // namespace core
GPARRAY_END_NAMESPACE
