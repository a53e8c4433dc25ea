// CUB's sort of keys with what belongs to them.
#include <cub/device/device_radix_sort.cuh>

#include <cuda/cub/cub_calls.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

cudaError_t cub_sort_pairs(cub_storage& s, const std::uint32_t* keys, std::uint32_t* sorted_keys,
                           std::size_t item_bytes, const void* items, void* sorted_items, std::uint32_t n,
                           int begin_bit, int end_bit, cudaStream_t stream) {
  const auto sort = [&]<class Item>(Item) {
    return cub::DeviceRadixSort::SortPairs(s.data, s.bytes, keys, sorted_keys,
                                           static_cast<const Item*>(items), static_cast<Item*>(sorted_items),
                                           n, begin_bit, end_bit, stream);
  };
  return item_bytes == 4 ? sort(std::uint32_t{}) : sort(std::uint64_t{});
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
