// CUB's radix sorts, of keys and of keys with their numbers.
#include <cub/device/device_radix_sort.cuh>

#include "cub_calls.hpp"
#include "cub_check.cuh"

namespace bench {
namespace {

__global__ void write_numbers(std::uint32_t* numbers, std::uint32_t n) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) numbers[i] = i;
}

__global__ void widen_numbers(const std::uint32_t* numbers, std::int64_t* order, std::uint32_t n) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) order[i] = numbers[i];
}

unsigned blocks_for(std::int64_t n) { return static_cast<unsigned>((n + 255) / 256); }

}  // namespace

template<class K>
void cub_sort(cub_scratch& s, const K* in, K* out, std::int64_t n) {
  check(cub::DeviceRadixSort::SortKeys(s.data, s.bytes, in, out, static_cast<std::uint32_t>(n)), "SortKeys");
}
template void cub_sort<float>(cub_scratch&, const float*, float*, std::int64_t);
template void cub_sort<double>(cub_scratch&, const double*, double*, std::int64_t);
template void cub_sort<std::int32_t>(cub_scratch&, const std::int32_t*, std::int32_t*, std::int64_t);
template void cub_sort<std::int64_t>(cub_scratch&, const std::int64_t*, std::int64_t*, std::int64_t);
template void cub_sort<std::int16_t>(cub_scratch&, const std::int16_t*, std::int16_t*, std::int64_t);
template void cub_sort<std::uint8_t>(cub_scratch&, const std::uint8_t*, std::uint8_t*, std::int64_t);

template<class K>
void cub_argsort(cub_scratch& s, const K* in, K* keys, std::uint32_t* numbers, std::int64_t* order,
                 std::int64_t n) {
  const auto size = static_cast<std::uint32_t>(n);
  if (s.data) write_numbers<<<blocks_for(n), 256>>>(numbers, size);
  check(cub::DeviceRadixSort::SortPairs(s.data, s.bytes, in, keys, numbers, numbers + n, size), "SortPairs");
  if (s.data) widen_numbers<<<blocks_for(n), 256>>>(numbers + n, order, size);
}
#define BENCH_ARGSORT(K) \
  template void cub_argsort<K>(cub_scratch&, const K*, K*, std::uint32_t*, std::int64_t*, std::int64_t);
BENCH_ARGSORT(float)
BENCH_ARGSORT(std::int32_t)
BENCH_ARGSORT(double)
BENCH_ARGSORT(std::int64_t)

}  // namespace bench
