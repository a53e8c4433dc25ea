// The text of a benchmark, and ranges.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <core/runtime/debug.hpp>
#include <core/runtime/pending.hpp>
#include <core/runtime/timeline.hpp>
#include <gparray/runtime/profiler.hpp>
#include <plan/profiler_ranges.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
double detail::seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

namespace core {
#if !GPARRAY_HAS_CUDA
void push_range(const char*) noexcept {}
void pop_range() noexcept {}
void start_profiler() noexcept {}
void stop_profiler() noexcept {}
#endif
}  // namespace core

namespace profiler {

namespace {

/// At the ends of ranges, which are destructors: a device that is lost is not waited for.
void finish_work() noexcept {
  try {
    core::effect();
    default_device().synchronize();
  } catch (...) {  // the next call of the device throws it
  }
}

std::string summary(const char* what, const std::vector<double>& seconds) {
  if (seconds.empty()) return fmt::format("{}: no calls", what);
  const auto n = static_cast<double>(seconds.size());
  const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / n;
  double squares = 0;
  for (const double s : seconds) squares += (s - mean) * (s - mean);
  const auto [least, largest] = std::ranges::minmax(seconds);
  return fmt::format("{}: {:.3f} us +/- {:.3f} (min: {:.3f} / max: {:.3f}) us", what, mean * 1e6,
                     std::sqrt(squares / n) * 1e6, least * 1e6, largest * 1e6);
}

}  // namespace

void check(const benchmark_options& options) {
  if (options.n_repeat < 0 || options.n_warmup < 0)
    core::fail<value_error>("benchmark: n_repeat and n_warmup must not be negative, but are {} and {}",
                            options.n_repeat, options.n_warmup);
}

std::string benchmark_result::str() const {
  return fmt::format("{:<20}: {}   {}", name, summary("CPU", cpu_times), summary("GPU", gpu_times));
}

time_range::time_range(std::string_view message, const time_range_options& options)
    : message_(message), sync_(options.sync) {
  core::push_range(message_.c_str());
  if (const auto* trace = core::debug().trace) begin_ = trace->now();
}

time_range::~time_range() {
  if (sync_) finish_work();
  if (auto* trace = core::debug().trace) trace->add(message_, -1, begin_, trace->now());
  core::pop_range();
}

profile::profile() {
  finish_work();
  if (device_count() > 0) core::start_profiler();
}

profile::~profile() {
  finish_work();
  if (device_count() > 0) core::stop_profiler();
}

}  // namespace profiler
GPARRAY_END_NAMESPACE
