// The text of a benchmark.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <gparray/runtime/profiler.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
double detail::seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

namespace profiler {

namespace {

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

}  // namespace profiler
GPARRAY_END_NAMESPACE
