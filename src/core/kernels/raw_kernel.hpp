// The state behind RawKernel.
#pragma once
#include <array>
#include <atomic>

#include <core/kernels/kernel_declaration.hpp>
#include <core/kernels/raw_program.hpp>
#include <gparray/kernels/raw_kernel.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

class raw_kernel {
 public:
  /// Throws value_error if the program has no such kernel.
  raw_kernel(std::shared_ptr<raw_program> program, std::string name);
  ~raw_kernel();

  struct loaded {
    backend* owner;
    kernel_handle kernel;
    std::vector<kernel_parameter> parameters;  // empty if the driver is too old to list them
    std::atomic<int> max_dynamic_shared_bytes;
    kernel_attributes attributes;
  };

  /// Loads it at the first call for a device.
  loaded& on(device d);
  /// Applies to devices where the kernel is, and where it will be.
  void allow_dynamic_shared_bytes(std::size_t bytes);

  const char* name() const { return name_; }
  const std::string& full_name() const { return full_name_; }
  const std::optional<std::vector<declared_parameter>>& declaration() const { return declaration_; }

 private:
  static constexpr std::size_t max_devices = 64;

  void set_dynamic_shared_bytes(loaded& l, int device, std::size_t bytes);

  std::shared_ptr<raw_program> program_;
  std::string full_name_;
  const char* name_;  // lives for ever
  std::optional<std::vector<declared_parameter>> declaration_;
  std::array<std::atomic<loaded*>, max_devices> of_device_{};
  std::mutex lock_;
  std::size_t wanted_shared_bytes_ = 0;
};

}  // namespace core
GPARRAY_END_NAMESPACE
