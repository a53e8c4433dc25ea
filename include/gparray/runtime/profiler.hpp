// CuPy's cupyx.profiler: how long a function takes on the CPU and on the default device, and marks for
// profilers that look at the whole program.
#pragma once
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gparray/stream.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {
/// A clock that never goes back. Out of line, for <chrono> takes the compiler longer than all else here.
GPARRAY_API double seconds();
}  // namespace detail

namespace profiler {

/// CuPy's keyword arguments of benchmark.
struct benchmark_options {
  std::int64_t n_repeat = 10000;  ///< Calls that are timed.
  std::int64_t n_warmup = 10;     ///< Calls before these, which are not timed.
  /// Seconds after which no further call is made.
  double max_duration = std::numeric_limits<double>::infinity();
  /// What the result's text calls the function.
  std::string name = "function";
};

/// Seconds of each call: until it returned, and between events before and behind its work on the device.
struct benchmark_result {
  std::string name;               ///< As in the options.
  std::vector<double> cpu_times;  ///< Seconds until each call returned.
  std::vector<double> gpu_times;  ///< Seconds between the events around each call.

  /// Mean, deviation, least and largest time of both in microseconds, on one line.
  [[nodiscard]] GPARRAY_API std::string str() const;
};

/// Checks the options of benchmark: throws value_error for negative numbers of calls.
GPARRAY_API void check(const benchmark_options& options);

/// Calls f again and again, waiting for the device after each call: benchmark([&] { c = gp::matmul(a, b); }).
/// What f leaves pending is enqueued before the clock is read.
template<class F>
benchmark_result benchmark(F&& f, const benchmark_options& options = {}) {
  check(options);
  const stream_view stream = current_stream();
  const double begin = detail::seconds();
  benchmark_result result{options.name, {}, {}};
  event start, end;
  for (std::int64_t i = 0; i < options.n_warmup; ++i) f();
  stream.synchronize();
  for (std::int64_t i = 0; i < options.n_repeat && detail::seconds() - begin < options.max_duration; ++i) {
    start.record(stream);
    const double called = detail::seconds();
    f();
    end.record(stream);
    result.cpu_times.push_back(detail::seconds() - called);
    end.synchronize();
    result.gpu_times.push_back(elapsed_time(start, end) / 1000);
  }
  return result;
}

/// CuPy's keyword arguments of time_range.
struct time_range_options {
  /// Whether the end waits for the current device, so that the range has the work that was enqueued in it.
  bool sync = false;
};

/// A range of this thread with a name, from here to the end of the scope: in the profilers of NVIDIA (NVTX),
/// and in the file that the variable GPARRAY_TRACE names. Ranges are nested. What is pending is computed
/// when it is looked at, which may be after the range; with .sync at its end. A build without CUDA has no
/// NVTX.
class GPARRAY_API time_range {
 public:
  /// Begins the range.
  explicit time_range(std::string_view message, const time_range_options& options = {});
  /// Ends it.
  ~time_range();
  time_range(const time_range&) = delete;
  time_range& operator=(const time_range&) = delete;

 private:
  std::string message_;
  double begin_ = 0;
  bool sync_;
};

/// Profilers of NVIDIA that wait for it, nsys --capture-range=cudaProfilerApi, record from here to the end of
/// the scope: CuPy's profile(). Nothing without a GPU.
class GPARRAY_API profile {
 public:
  /// Computes what is pending, waits for the device, and begins.
  profile();
  /// Computes what is pending, waits for the device, and ends.
  ~profile();
  profile(const profile&) = delete;
  profile& operator=(const profile&) = delete;
};

}  // namespace profiler
GPARRAY_END_NAMESPACE
