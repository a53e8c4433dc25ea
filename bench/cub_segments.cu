// CUB's segmented sorts, of the rows of a matrix.
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "cub_calls.hpp"
#include "cub_check.cuh"

namespace bench {
namespace {

struct times {
  std::int64_t n;
  __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row * n; }
};

auto begins_of_rows(std::int64_t n) {
  return thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), times{n});
}

}  // namespace

template<class K>
void cub_segmented_sort(cub_scratch& s, const K* in, K* out, std::int64_t rows, std::int64_t n) {
  const auto begins = begins_of_rows(n);
  check(cub::DeviceSegmentedSort::SortKeys(s.data, s.bytes, in, out, rows * n, rows, begins, begins + 1),
        "DeviceSegmentedSort::SortKeys");
}

template<class K>
void cub_segmented_radix_sort(cub_scratch& s, const K* in, K* out, std::int64_t rows, std::int64_t n) {
  const auto begins = begins_of_rows(n);
  check(cub::DeviceSegmentedRadixSort::SortKeys(s.data, s.bytes, in, out, rows * n, rows, begins, begins + 1),
        "DeviceSegmentedRadixSort::SortKeys");
}

#define BENCH_SEGMENTS(K)                                                                      \
  template void cub_segmented_sort<K>(cub_scratch&, const K*, K*, std::int64_t, std::int64_t); \
  template void cub_segmented_radix_sort<K>(cub_scratch&, const K*, K*, std::int64_t, std::int64_t);
BENCH_SEGMENTS(float)
BENCH_SEGMENTS(std::int64_t)

}  // namespace bench
