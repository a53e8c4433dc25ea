#include <cuda/runtime/function_table.hpp>
#include <cuda/runtime/runtime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

CUfunction function_table::ask(const void* symbol, int device) noexcept {
  if (n_used_.load(std::memory_order_relaxed) >= most_used) return nullptr;
  cudaFunction_t function = nullptr;
  {
    const relaxed_capture allowed;  // the runtime may have to load it
    if (try_call<&rt::cudaSetDevice>(device) != cudaSuccess ||
        try_call<&rt::cudaGetFuncBySymbol>(&function, symbol) != cudaSuccess)
      return nullptr;
  }
  const std::lock_guard guard(writing_);
  if (n_used_.load(std::memory_order_relaxed) >= most_used) return nullptr;
  const std::uint64_t key = key_of(symbol, device);
  std::size_t at = slot_of(key);
  for (std::uint64_t there; (there = slots_[at].key.load(std::memory_order_relaxed)) != 0; at = next(at))
    if (there == key) return function;
  slots_[at].function.store(function, std::memory_order_relaxed);
  slots_[at].key.store(key, std::memory_order_release);
  n_used_.fetch_add(1, std::memory_order_relaxed);
  return function;
}

void function_table::clear() noexcept {
  for (slot& each : slots_) each.key.store(0, std::memory_order_relaxed);
  n_used_.store(0, std::memory_order_relaxed);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
