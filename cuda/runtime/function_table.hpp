// The driver's handles of kernels that were compiled ahead of time.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cuda.h>
#include <mutex>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// By symbol and device, for whatever was launched once. Reading takes no lock and a few nanoseconds.
class function_table {
 public:
  /// Null if the runtime does not know it, if the table is full, and for a device that it cannot hold.
  CUfunction find(const void* symbol, int device) noexcept {
    if (device >> log2_devices != 0) [[unlikely]]
      return nullptr;
    const std::uint64_t key = key_of(symbol, device);
    for (std::size_t at = slot_of(key);; at = next(at)) {
      const std::uint64_t there = slots_[at].key.load(std::memory_order_acquire);
      if (there == key) return slots_[at].function.load(std::memory_order_relaxed);
      if (there == 0) [[unlikely]]
        return ask(symbol, device);
    }
  }

  /// No thread may use the table meanwhile.
  void clear() noexcept;

 private:
  /// Written once, the key last.
  struct slot {
    std::atomic<std::uint64_t> key;  // 0: free, as are all behind it in a search
    std::atomic<CUfunction> function;
  };
  static constexpr int log2_slots = 12, log2_devices = 6;
  static constexpr std::size_t n_slots = std::size_t{1} << log2_slots;
  static constexpr std::size_t most_used = n_slots / 2;  // so that searches are short, and end

  static std::uint64_t key_of(const void* symbol, int device) noexcept {
    return reinterpret_cast<std::uintptr_t>(symbol) << log2_devices | static_cast<unsigned>(device);
  }
  static std::size_t slot_of(std::uint64_t key) noexcept {
    return (key * 0x9e3779b97f4a7c15) >> (64 - log2_slots);
  }
  static std::size_t next(std::size_t at) noexcept { return (at + 1) % n_slots; }
  CUfunction ask(const void* symbol, int device) noexcept;

  slot slots_[n_slots];
  std::atomic<std::size_t> n_used_;
  std::mutex writing_;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
