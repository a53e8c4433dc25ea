#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <cuda/runtime/page_source.hpp>
#include <cuda/runtime/runtime.hpp>
#include <memory/sizes.hpp>
#include <support/environment.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr std::size_t page = chunk_granularity;

template<class Call>
bool find(Call*& call, const char* name) noexcept {
  call = reinterpret_cast<Call*>(find_driver_call(name, 12000));
  return call;
}

CUdeviceptr address_of(const void* pointer) noexcept { return reinterpret_cast<CUdeviceptr>(pointer); }

}  // namespace

bool page_source::find_calls() const noexcept {
  return find(driver_.attribute, "cuDeviceGetAttribute") &&
         find(driver_.granularity, "cuMemGetAllocationGranularity") &&
         find(driver_.reserve, "cuMemAddressReserve") && find(driver_.release, "cuMemAddressFree") &&
         find(driver_.create, "cuMemCreate") && find(driver_.destroy, "cuMemRelease") &&
         find(driver_.map, "cuMemMap") && find(driver_.unmap, "cuMemUnmap") &&
         find(driver_.allow, "cuMemSetAccess");
}

std::size_t page_source::range_bytes() const noexcept {
  if (!std::exchange(asked_, true)) range_bytes_ = find_range_bytes();
  return range_bytes_;
}

std::size_t page_source::find_range_bytes() const noexcept {
  const char* wish = environment("GPARRAY_MEMORY_PAGES");
  if (!wish || std::string_view(wish) != "1") return 0;
  if (try_call<&rt::cudaSetDevice>(device_) != cudaSuccess || !find_calls()) return 0;
  const auto has = [this](CUdevice_attribute a) {
    int value = 0;
    return driver_.attribute(&value, a, device_) == CUDA_SUCCESS && value != 0;
  };
  if (!has(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED)) return 0;
  properties_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties_.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device_};
  if (has(CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED))
    properties_.allocFlags.gpuDirectRDMACapable = 1;
  std::size_t granularity = 0, free = 0, total = 0;
  if (driver_.granularity(&granularity, &properties_, CU_MEM_ALLOC_GRANULARITY_MINIMUM) != CUDA_SUCCESS ||
      granularity == 0 || page % granularity != 0)
    return 0;
  if (try_call<&rt::cudaMemGetInfo>(&free, &total) != cudaSuccess) return 0;
  int count = 0;
  try_call<&rt::cudaGetDeviceCount>(&count);
  readers_ = {{.location = properties_.location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE}};
  for (int other = 0; other < count; ++other) {
    int can = 0;
    if (other == device_ || try_call<&rt::cudaDeviceCanAccessPeer>(&can, other, device_) != cudaSuccess ||
        !can)
      continue;
    readers_.push_back(readers_.front());
    readers_.back().location.id = other;
  }
  return round_up(total, page);
}

void* page_source::reserve(std::size_t bytes) const {
  use_device(device_);
  const relaxed_capture relaxed;
  CUdeviceptr address = 0;
  return driver_.reserve(&address, bytes, page, 0, 0) == CUDA_SUCCESS ? reinterpret_cast<void*>(address)
                                                                      : nullptr;
}

void page_source::release(void* pointer, std::size_t bytes) const noexcept {
  if (!is_gone(device_)) driver_.release(address_of(pointer), bytes);
}

/// The page lives as long as it is mapped, so its handle need not be kept.
CUresult page_source::map_page(CUdeviceptr address) const noexcept {
  CUmemGenericAllocationHandle handle;
  CUresult code = driver_.create(&handle, page, &properties_, 0);
  if (code != CUDA_SUCCESS) return code;
  code = driver_.map(address, page, 0, handle, 0);
  driver_.destroy(handle);
  return code;
}

bool page_source::map(void* pointer, std::size_t bytes) const {
  use_device(device_);
  const relaxed_capture relaxed;
  CUresult code = CUDA_SUCCESS;
  std::size_t done = 0;
  while (done < bytes && (code = map_page(address_of(pointer) + done)) == CUDA_SUCCESS) done += page;
  // Every device that could read memory of cudaMalloc after cudaDeviceEnablePeerAccess can read this.
  if (code == CUDA_SUCCESS)
    code = driver_.allow(address_of(pointer), bytes, readers_.data(), readers_.size());
  if (code != CUDA_SUCCESS && done == bytes && readers_.size() > 1) {
    readers_.erase(readers_.begin() + 1,
                   readers_.end());  // the others cannot: copies between devices then go through the host
    code = driver_.allow(address_of(pointer), bytes, readers_.data(), readers_.size());
  }
  if (code == CUDA_SUCCESS) return true;
  unmap(pointer, done);
  if (code == CUDA_ERROR_OUT_OF_MEMORY) return false;
  static_assert(int{CUDA_ERROR_ILLEGAL_ADDRESS} == int{cudaErrorIllegalAddress});
  throw_cuda_error("cuMemMap", static_cast<cudaError_t>(code),
                   fmt::format("mapping {} bytes of cuda:{} memory", bytes, device_).c_str());
}

/// One page after the other: only whole mappings can be undone.
void page_source::unmap(void* pointer, std::size_t bytes) const noexcept {
  if (is_gone(device_)) return;
  const relaxed_capture relaxed;
  for (std::size_t done = 0; done < bytes; done += page) driver_.unmap(address_of(pointer) + done, page);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
