// Bits are put into bytes and taken out of them: eight bytes are a word, which a thread loads or stores at
// once.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/map/bits_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

using eight_bits = unsigned long long;

/// Where eight bytes of 0 or 1, times this, have their bits in order in the uppermost byte, as on the CPU
/// (src/host/map/bits.cpp); and the bit that each of eight bytes has of the same one.
__device__ __forceinline__ eight_bits bits_in_order(bool little) {
  return little ? 0x0102040810204080ull : 0x8040201008040201ull;
}

__device__ __forceinline__ eight_bits load_flags(const unsigned char* from, std::int64_t n) {
  if (n >= 8 && reinterpret_cast<std::uintptr_t>(from) % 8 == 0)
    return *reinterpret_cast<const eight_bits*>(from);
  eight_bits word = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k)
    if (k < n) word |= static_cast<eight_bits>(from[k]) << (8 * k);
  return word;
}

__device__ __forceinline__ void store_flags(unsigned char* to, eight_bits word, std::int64_t n) {
  if (n >= 8 && reinterpret_cast<std::uintptr_t>(to) % 8 == 0) {
    *reinterpret_cast<eight_bits*>(to) = word;
    return;
  }
#pragma unroll
  for (int k = 0; k < 8; ++k)
    if (k < n) to[k] = static_cast<unsigned char>(word >> (8 * k));
}

__device__ __forceinline__ unsigned char packed(eight_bits flags, bool little) {
  return static_cast<unsigned char>(flags * bits_in_order(little) >> 56);
}

/// Each byte has its bit of `byte` alone, and what is not 0 is made 1.
__device__ __forceinline__ eight_bits unpacked(unsigned char byte, bool little) {
  constexpr eight_bits ones = 0x0101010101010101ull;
  const eight_bits separate = byte * ones & bits_in_order(!little);
  return (separate + 0x7f * ones) >> 7 & ones;
}

/// Each thread first issues all of its loads.
template<bool Packs>
__global__ void __launch_bounds__(bit_threads) move_bits(const __grid_constant__ bit_params p) {
  wait_for_prior_grids();
  const std::uint32_t first = blockIdx.x * (bit_threads * groups_of_thread) + threadIdx.x;
  eight_bits words[groups_of_thread];
  std::int64_t rows[groups_of_thread], columns[groups_of_thread];
#pragma unroll
  for (int k = 0; k < groups_of_thread; ++k) {
    std::uint32_t column = first + k * bit_threads;
    words[k] = 0;
    rows[k] = -1;
    if (column >= p.groups) continue;
    rows[k] = p.per_row.split(column);
    columns[k] = column;
    if constexpr (Packs)
      words[k] = load_flags(p.in + rows[k] * p.n_bits + 8 * columns[k], p.n_bits - 8 * columns[k]);
    else if (columns[k] < p.n_bytes) words[k] = p.in[rows[k] * p.n_bytes + columns[k]];
  }
#pragma unroll
  for (int k = 0; k < groups_of_thread; ++k) {
    if (rows[k] < 0) continue;
    if constexpr (Packs) p.out[rows[k] * p.n_bytes + columns[k]] = packed(words[k], p.little);
    else
      store_flags(p.out + rows[k] * p.n_bits + 8 * columns[k],
                  unpacked(static_cast<unsigned char>(words[k]), p.little), p.n_bits - 8 * columns[k]);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
