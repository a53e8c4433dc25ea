// Several copies in one launch: a block has a part of one of them.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/map/copy_rows_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct alignas(16) unit_of_16 {
  unsigned long long words[2];
};

template<class Unit>
__device__ __forceinline__ void copy_units(const rows_of_units& c, std::uint32_t first) {
  Unit units[units_of_thread];
  char* to[units_of_thread];
#pragma unroll
  for (int k = 0; k < units_of_thread; ++k) {
    std::uint32_t in_row = first + k * copy_rows_threads;
    to[k] = nullptr;
    if (in_row >= c.units) continue;
    const std::int64_t row = c.per_row.split(in_row);
    const std::int64_t offset = std::int64_t{in_row} * static_cast<std::int64_t>(sizeof(Unit));
    units[k] = *reinterpret_cast<const Unit*>(c.from + row * c.from_step + offset);
    to[k] = c.to + row * c.to_step + offset;
  }
#pragma unroll
  for (int k = 0; k < units_of_thread; ++k)
    if (to[k]) *reinterpret_cast<Unit*>(to[k]) = units[k];
}

__global__ void __launch_bounds__(copy_rows_threads)
    copy_all_rows(const __grid_constant__ copy_rows_params p) {
  wait_for_prior_grids();
  std::uint32_t i = 0, block = blockIdx.x;
  if (p.in_turn) {
    i = block % static_cast<std::uint32_t>(p.n);
    block /= static_cast<std::uint32_t>(p.n);
  } else {
    while (i + 1 < p.n && p.copies[i + 1].first_block <= block) ++i;
    block -= p.copies[i].first_block;
  }
  const rows_of_units& c = p.copies[i];
  const std::uint32_t first = block * (copy_rows_threads * units_of_thread) + threadIdx.x;
  if (c.unit_bytes == 16) copy_units<unit_of_16>(c, first);
  else if (c.unit_bytes == 8) copy_units<unsigned long long>(c, first);
  else copy_units<unsigned>(c, first);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
