// CUB's histograms and prefix sums.
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>

#include "cub_calls.hpp"
#include "cub_check.cuh"

namespace bench {
namespace {

template<class A>
struct converted {
  template<class T>
  __host__ __device__ A operator()(T x) const {
    return static_cast<A>(x);
  }
};

}  // namespace

template<class T>
void cub_histogram(cub_scratch& s, const T* in, std::int64_t* counts, int n_bins, T low, T high,
                   std::int64_t n) {
  check(cub::DeviceHistogram::HistogramEven(
            s.data, s.bytes, in, reinterpret_cast<unsigned long long*>(counts), n_bins + 1, low, high, n),
        "DeviceHistogram::HistogramEven");
}
template void cub_histogram<float>(cub_scratch&, const float*, std::int64_t*, int, float, float,
                                   std::int64_t);
template void cub_histogram<std::int64_t>(cub_scratch&, const std::int64_t*, std::int64_t*, int, std::int64_t,
                                          std::int64_t, std::int64_t);

template<class T, class A>
void cub_inclusive_sum(cub_scratch& s, const T* in, A* out, std::int64_t n) {
  // A sum has the type of what it adds up.
  const auto terms = [&] {
    if constexpr (sizeof(T) == sizeof(A)) return in;
    else return thrust::make_transform_iterator(in, converted<A>{});
  }();
  check(cub::DeviceScan::InclusiveSum(s.data, s.bytes, terms, out, n), "DeviceScan::InclusiveSum");
}
template void cub_inclusive_sum(cub_scratch&, const float*, float*, std::int64_t);
template void cub_inclusive_sum(cub_scratch&, const double*, double*, std::int64_t);
template void cub_inclusive_sum(cub_scratch&, const std::int64_t*, std::int64_t*, std::int64_t);
template void cub_inclusive_sum(cub_scratch&, const std::int32_t*, std::int64_t*, std::int64_t);

}  // namespace bench
