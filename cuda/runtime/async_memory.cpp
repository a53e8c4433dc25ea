#include <fmt/format.h>

#include <cuda/runtime/async_memory.hpp>
#include <cuda/runtime/runtime.hpp>
#include <memory/error.hpp>
#include <plan/lost_device.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// What the driver's pool holds; zeros where the driver has no such figures.
statistics driver_pool_stats(int device) {
  statistics counts;
  cudaMemPool_t pool = nullptr;
  std::uint64_t used = 0, reserved = 0;
  if (try_call<&rt::cudaDeviceGetDefaultMemPool>(&pool, device) != cudaSuccess) return counts;
  void *to_used = &used, *to_reserved = &reserved;
  if (try_call<&rt::cudaMemPoolGetAttribute>(pool, cudaMemPoolAttrUsedMemCurrent, to_used) != cudaSuccess)
    return counts;
  if (try_call<&rt::cudaMemPoolGetAttribute>(pool, cudaMemPoolAttrReservedMemCurrent, to_reserved) !=
      cudaSuccess)
    return counts;
  counts.used_bytes = used;
  counts.total_bytes = reserved;
  counts.free_bytes = reserved - used;
  return counts;
}

}  // namespace

void* allocate_async(std::size_t bytes, queue q) {
  void* pointer = nullptr;
  const cudaError_t code = try_call<&rt::cudaMallocAsync>(&pointer, bytes, stream_of(q.stream));
  if (code == cudaSuccess) return pointer;
  if (code != cudaErrorMemoryAllocation)
    throw_cuda_error(
        "cudaMallocAsync", code,
        fmt::format("allocating {} bytes of cuda:{}'s stream-ordered memory", bytes, q.device).c_str(),
        stream_of(q.stream));
  const std::string memory = fmt::format("cuda:{} (the driver's stream-ordered pool)", q.device);
  memory_shortage shortage;
  shortage.memory = memory.c_str();
  shortage.asked = bytes;
  shortage.counts = driver_pool_stats(q.device);
  std::size_t free = 0, total = 0;
  if (try_call<&rt::cudaMemGetInfo>(&free, &total) == cudaSuccess) shortage.available = free;
  throw_out_of_memory(shortage);
}

void free_async(void* pointer, queue q) noexcept {
  // At exit the driver may be gone already, and the memory with it.
  if (pointer && !is_lost(q.device)) try_call<&rt::cudaFreeAsync>(pointer, stream_of(q.stream));
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
