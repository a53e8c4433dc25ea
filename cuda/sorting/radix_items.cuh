// Elements become keys as a sort reads them, and keys elements as it writes them.
#pragma once
#include <cuda/sorting/radix_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

namespace detail {

template<class Item, class K, int Items>
__device__ __forceinline__ void load_items(const void* items, K (&keys)[Items], std::uint32_t first,
                                           std::uint32_t step, std::uint32_t end, int n_used) {
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const std::uint32_t i = first + k * step;
    keys[k] =
        k < n_used && i < end ? static_cast<K>(static_cast<const Item*>(items)[i]) : static_cast<K>(~K(0));
  }
}

/// The first bits of words.
template<int Items>
__device__ __forceinline__ void load_first_bits(const key_source& s, std::uint32_t (&keys)[Items],
                                                std::uint32_t first, std::uint32_t step, std::uint32_t end,
                                                int n_used) {
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const std::uint32_t i = first + k * step;
    keys[k] = ~std::uint32_t(0);
    if (k < n_used && i < end)
      keys[k] = static_cast<std::uint32_t>(static_cast<const std::uint64_t*>(s.items)[i] >> s.dropped_bits);
  }
}

template<class Item, class K, int Items, class Position, class IsThere>
__device__ __forceinline__ void store_items(void* items, const K (&keys)[Items], Position position,
                                            IsThere is_there) {
#pragma unroll
  for (int k = 0; k < Items; ++k)
    if (is_there(k)) static_cast<Item*>(items)[position(k)] = static_cast<Item>(keys[k]);
}

}  // namespace detail

/// keys[k] = the key of item first + k * step. Those from `end` on, and from k = n_used on, come last.
template<class K, int Items>
__device__ __forceinline__ void load_keys(const key_source& s, K (&keys)[Items], std::uint32_t first,
                                          std::uint32_t step, std::uint32_t end, int n_used) {
  if (s.item_bytes == 4) detail::load_items<std::uint32_t>(s.items, keys, first, step, end, n_used);
  else if (s.item_bytes == 1) detail::load_items<std::uint8_t>(s.items, keys, first, step, end, n_used);
  else if (s.item_bytes == 2) detail::load_items<std::uint16_t>(s.items, keys, first, step, end, n_used);
  else if constexpr (sizeof(K) == 8)
    detail::load_items<std::uint64_t>(s.items, keys, first, step, end, n_used);
  else detail::load_first_bits(s, keys, first, step, end, n_used);
  if (!s.encodes) return;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    const std::uint32_t i = first + k * step;
    K key = s.stable ? kernel::tie_key_of_bits(keys[k], s.rule) : kernel::key_of_bits(keys[k], s.rule);
    key ^= static_cast<K>(s.flip);
    // Shifted only where there is room for rows: a shift by all bits would be undefined.
    if (s.has_rows) key |= static_cast<K>(s.n.divide(i)) << s.element_bits;
    if (k < n_used && i < end) keys[k] = key;
  }
}

/// Item position(k) of the result is that of keys[k], if is_there(k).
template<class K, int Items, class Position, class IsThere>
__device__ __forceinline__ void store_keys(const key_result& r, K (&keys)[Items], Position position,
                                           IsThere is_there) {
  if (!r.items) return;
  if (r.decodes)
#pragma unroll
    for (int k = 0; k < Items; ++k) keys[k] = kernel::bits_of_key(keys[k], r.rule);
  if (r.item_bytes == 4) detail::store_items<std::uint32_t>(r.items, keys, position, is_there);
  else if (r.item_bytes == 1) detail::store_items<std::uint8_t>(r.items, keys, position, is_there);
  else if (r.item_bytes == 2) detail::store_items<std::uint16_t>(r.items, keys, position, is_there);
  else if constexpr (sizeof(K) == 8) detail::store_items<std::uint64_t>(r.items, keys, position, is_there);
}

template<int Items, class Position, class IsThere>
__device__ __forceinline__ void store_numbers(const key_result& r, const std::uint32_t (&numbers)[Items],
                                              Position position, IsThere is_there) {
  if (r.numbers) detail::store_items<std::uint32_t>(r.numbers, numbers, position, is_there);
  if (!r.order) return;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    std::uint32_t in_row = numbers[k];
    r.n.split(in_row);
    if (is_there(k)) r.order[position(k)] = in_row;
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
