// Devices and memory spaces.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

/// Where memory lives, and which processors can access it. host, pinned and mapped arrays are computed on by
/// the CPU; device and managed arrays by the GPU.
enum class memory_space : std::uint8_t { host, pinned, mapped, device, managed };

/// The name of a memory space: "pinned".
[[nodiscard]] GPARRAY_API std::string_view name(memory_space space);

/// A processor that arrays live on: the CPU or one GPU.
class GPARRAY_API device {
 public:
  enum class kind_type : std::uint8_t { cpu, cuda };

  /// The CPU.
  constexpr device() = default;
  /// A device of this kind and number; it need not exist.
  constexpr device(kind_type kind, int index) : kind_(kind), index_(static_cast<std::int16_t>(index)) {}
  /// "cpu", "cuda" or "cuda:1". Throws value_error for other text; the device need not exist.
  explicit device(std::string_view text);

  /// The CPU.
  static constexpr device cpu() { return {}; }
  /// The GPU of this number; it need not exist.
  static constexpr device cuda(int index = 0) { return {kind_type::cuda, index}; }

  /// Whether it is the CPU or a GPU, as an enumerator.
  [[nodiscard]] constexpr kind_type kind() const { return kind_; }
  /// The number of the GPU; 0 for the CPU.
  [[nodiscard]] constexpr int index() const { return index_; }
  /// Whether it is the CPU.
  [[nodiscard]] constexpr bool is_cpu() const { return kind_ == kind_type::cpu; }
  /// Whether it is a GPU.
  [[nodiscard]] constexpr bool is_cuda() const { return kind_ == kind_type::cuda; }
  /// "cpu" or "cuda:0".
  [[nodiscard]] std::string str() const;

  /// The processor's name, for example "NVIDIA H100 80GB HBM3". Throws device_error if there is no such
  /// device.
  [[nodiscard]] std::string name() const;
  /// {major, minor} of a GPU; {0, 0} for the CPU.
  [[nodiscard]] std::pair<int, int> compute_capability() const;
  /// {free, total} bytes of the device's memory.
  [[nodiscard]] std::pair<std::size_t, std::size_t> memory_info() const;
  /// Waits for all work on all streams of this device.
  void synchronize() const;

  friend constexpr bool operator==(device, device) = default;
  /// The CPU, then GPUs by their numbers.
  friend constexpr std::strong_ordering operator<=>(device, device) = default;

 private:
  kind_type kind_ = kind_type::cpu;
  std::int16_t index_ = 0;
};

/// The number of GPUs that can be used; 0 without a driver or without the CUDA backend.
[[nodiscard]] GPARRAY_API int device_count();

/// Where new arrays of this thread are made. Initially the first GPU if there is one, else the CPU; the
/// environment variable GPARRAY_DEVICE ("cpu", "cuda:0") overrides that.
[[nodiscard]] GPARRAY_API device default_device();
/// Sets default_device() of this thread. Throws device_error if the device does not exist.
GPARRAY_API void set_default_device(device d);

/// Makes d the default device of this thread for the guard's lifetime.
class GPARRAY_API device_guard {
 public:
  /// Makes d the default device. Throws device_error if it does not exist.
  explicit device_guard(device d);
  /// Makes the default device the one that it was.
  ~device_guard();
  device_guard(const device_guard&) = delete;
  device_guard& operator=(const device_guard&) = delete;

 private:
  device previous_;
};

GPARRAY_END_NAMESPACE

template<>
struct std::hash<gparray::device> {
  std::size_t operator()(gparray::device d) const noexcept {
    return static_cast<std::size_t>(d.kind()) << 16 | static_cast<std::uint16_t>(d.index());
  }
};
