// Contiguous copies between spaces.
#pragma once
#include <cuda/runtime/device_state.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// backend::copy. Pageable host memory goes through the device's pinned buffers.
void copy_bytes(void* to, const void* from, std::size_t bytes, queue q, device_state& state,
                peer_access& peers);
/// backend::read.
void read_bytes(void* to, const void* from, std::size_t bytes, queue q, device_state& state,
                peer_access& peers);

/// backend::copy_pitched.
void run_pitched_copy(const pitched_copy& c, queue q);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
