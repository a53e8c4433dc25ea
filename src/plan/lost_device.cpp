#include <map>
#include <mutex>

#include <plan/lost_device.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

constinit std::atomic<std::uint64_t> lost_devices{0};

namespace {

struct fault_list {
  std::mutex lock;
  std::map<int, device_fault> of_device;
};

fault_list& faults() {
  static fault_list& list = *new fault_list;  // destructors of static objects ask, too
  return list;
}

}  // namespace

void remember_fault(const device_fault& fault) {
  const int index = fault.device().index();
  if (index < 0 || index >= 64) return;
  const device_fault::notice noticed{fault.operation(), index, fault.stream(), fault.kernel()};
  const device_fault again(fmt::format("{} was lost to a fault, which was noticed earlier: {}",
                                       fault.device().str(), fault.what()),
                           fault.code(), noticed);
  fault_list& list = faults();
  const std::lock_guard guard(list.lock);
  list.of_device.erase(index);
  list.of_device.emplace(index, again);
  lost_devices.fetch_or(std::uint64_t{1} << index, std::memory_order_release);
}

void throw_lost(int device) {
  fault_list& list = faults();
  const std::lock_guard guard(list.lock);
  throw list.of_device.at(device);  // NOLINT: a copy is thrown
}

void forget_lost_devices() noexcept {
  fault_list& list = faults();
  const std::lock_guard guard(list.lock);
  list.of_device.clear();
  lost_devices.store(0);
}

}  // namespace core

gparray::device device_fault::device() const noexcept { return gparray::device::cuda(noticed_->device); }

GPARRAY_END_NAMESPACE
