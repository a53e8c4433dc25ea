// Complex numbers as words that a sort of integers puts in order, and what such sorts leave.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sorting/order_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<class T>
__global__ void __launch_bounds__(order_threads) complex_keys(const __grid_constant__ complex_key_params p) {
  wait_for_prior_grids();
  const std::uint32_t i = blockIdx.x * order_threads + threadIdx.x;
  if (i >= p.size) return;
  std::uint32_t in_row = i;
  p.n.split(in_row);
  const std::uint32_t at = p.order ? i - in_row + static_cast<std::uint32_t>(p.order[i]) : i;
  const auto key = kernel::tie_key(static_cast<const T*>(p.elements)[at]);
  if (p.numbers) p.numbers[i] = in_row;
  if constexpr (sizeof(key.high) == 4) p.keys[i] = kernel::joined(key);
  else if (p.numbers) reinterpret_cast<kernel::complex_key<unsigned long>*>(p.keys)[i] = key;
  else p.keys[i] = p.high ? key.high : key.low;
}

template<class T>
__global__ void __launch_bounds__(order_threads) pick_complex(const __grid_constant__ complex_pick_params p) {
  wait_for_prior_grids();
  const std::uint32_t i = blockIdx.x * order_threads + threadIdx.x;
  if (i >= p.size) return;
  std::uint32_t in_row = i;
  p.n.split(in_row);
  const std::uint32_t row = i - in_row;
  const std::int64_t number = p.first[p.second ? row + static_cast<std::uint32_t>(p.second[i]) : i];
  if (p.order) p.order[i] = number;
  else
    static_cast<T*>(p.sorted)[i] =
        static_cast<const T*>(p.elements)[row + static_cast<std::uint32_t>(number)];
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
