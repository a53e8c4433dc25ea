// CUB's selections: by a mask, of first elements of runs, and lengths of runs.
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

#include "cub_calls.hpp"
#include "cub_check.cuh"

namespace bench {

template<class T>
std::int64_t cub_select(cub_scratch& s, const T* in, const bool* mask, T* out, std::int64_t* count,
                        std::int64_t n) {
  check(cub::DeviceSelect::Flagged(s.data, s.bytes, in, mask, out, count, n), "DeviceSelect::Flagged");
  return s.data ? read_count(count) : 0;
}
template std::int64_t cub_select<float>(cub_scratch&, const float*, const bool*, float*, std::int64_t*,
                                        std::int64_t);
template std::int64_t cub_select<double>(cub_scratch&, const double*, const bool*, double*, std::int64_t*,
                                         std::int64_t);

std::int64_t cub_nonzero(cub_scratch& s, const bool* mask, std::int64_t* out, std::int64_t* count,
                         std::int64_t n) {
  const thrust::counting_iterator<std::int64_t> numbers(0);
  check(cub::DeviceSelect::Flagged(s.data, s.bytes, numbers, mask, out, count, n), "DeviceSelect::Flagged");
  return s.data ? read_count(count) : 0;
}

template<class T>
std::int64_t cub_unique(cub_scratch& s, const T* sorted, T* out, std::int64_t* count, std::int64_t n) {
  check(cub::DeviceSelect::Unique(s.data, s.bytes, sorted, out, count, n), "DeviceSelect::Unique");
  return s.data ? read_count(count) : 0;
}

template<class T>
std::int64_t cub_run_lengths(cub_scratch& s, const T* sorted, T* out, std::int64_t* lengths,
                             std::int64_t* count, std::int64_t n) {
  check(cub::DeviceRunLengthEncode::Encode(s.data, s.bytes, sorted, out, lengths, count, static_cast<int>(n)),
        "DeviceRunLengthEncode::Encode");
  return s.data ? read_count(count) : 0;
}

#define BENCH_RUNS(T)                                                                                \
  template std::int64_t cub_unique<T>(cub_scratch&, const T*, T*, std::int64_t*, std::int64_t);      \
  template std::int64_t cub_run_lengths<T>(cub_scratch&, const T*, T*, std::int64_t*, std::int64_t*, \
                                           std::int64_t);
BENCH_RUNS(float)
BENCH_RUNS(std::int32_t)
BENCH_RUNS(std::int64_t)

}  // namespace bench
