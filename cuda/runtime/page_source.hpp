// A GPU's memory page by page, at addresses that are reserved before: the driver's virtual memory management.
#pragma once
#include <cstddef>
#include <cuda.h>
#include <vector>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Like the other parts of an upstream it is called by one thread at a time.
class page_source {
 public:
  explicit page_source(int device) noexcept : device_(device) {}

  /// The size of the device's memory; 0 if it has no pages of the pool's size, or GPARRAY_MEMORY_PAGES is
  /// not 1.
  std::size_t range_bytes() const noexcept;
  void* reserve(std::size_t bytes) const;
  void release(void* pointer, std::size_t bytes) const noexcept;
  bool map(void* pointer, std::size_t bytes) const;
  void unmap(void* pointer, std::size_t bytes) const noexcept;

 private:
  struct driver_calls {
    CUresult (*attribute)(int*, CUdevice_attribute, CUdevice);
    CUresult (*granularity)(std::size_t*, const CUmemAllocationProp*, CUmemAllocationGranularity_flags);
    CUresult (*reserve)(CUdeviceptr*, std::size_t, std::size_t, CUdeviceptr, unsigned long long);
    CUresult (*release)(CUdeviceptr, std::size_t);
    CUresult (*create)(CUmemGenericAllocationHandle*, std::size_t, const CUmemAllocationProp*,
                       unsigned long long);
    CUresult (*destroy)(CUmemGenericAllocationHandle);
    CUresult (*map)(CUdeviceptr, std::size_t, std::size_t, CUmemGenericAllocationHandle, unsigned long long);
    CUresult (*unmap)(CUdeviceptr, std::size_t);
    CUresult (*allow)(CUdeviceptr, std::size_t, const CUmemAccessDesc*, std::size_t);
  };

  bool find_calls() const noexcept;
  std::size_t find_range_bytes() const noexcept;
  CUresult map_page(CUdeviceptr address) const noexcept;

  int device_;
  // Found at the first use, which is not when the pool is made: a program may never use this device.
  mutable bool asked_ = false;
  mutable std::size_t range_bytes_ = 0;
  mutable CUmemAllocationProp properties_{};
  mutable std::vector<CUmemAccessDesc> readers_;  // this device, then those that can read its memory
  mutable driver_calls driver_{};
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
