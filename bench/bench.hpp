// Timing as peers.py does it: what a call costs in a queue of calls, and what it costs alone.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace bench {

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Whether `only`, names separated by commas, asks for a case: it contains one of them.
inline bool asks_for(std::string_view only, std::string_view name) {
  for (std::size_t begin = 0;;) {
    const std::size_t end = only.find(',', begin);
    if (name.find(only.substr(begin, end - begin)) != std::string_view::npos) return true;
    if (end == std::string_view::npos) return false;
    begin = end + 1;
  }
}

struct timing {
  double us;  ///< median microseconds of a call, calls queued back to back and one synchronisation at the end
  double us_sync;  ///< median microseconds of a call that is followed by a synchronisation
};

template<class Call, class Synchronize>
timing clock(Call&& call, Synchronize&& synchronize, double budget_seconds = 0.25) {
  call();
  call();
  synchronize();
  const auto timed = [&](int calls) {
    const double start = seconds_now();
    for (int i = 0; i < calls; ++i) call();
    synchronize();
    return (seconds_now() - start) / calls * 1e6;
  };
  const double one = timed(1);
  const int calls = std::clamp(static_cast<int>(budget_seconds / 5 / std::max(one * 1e-6, 1e-7)), 1, 1000);
  std::vector<double> batches, singles;
  for (int i = 0; i < 5; ++i) batches.push_back(timed(calls));
  for (int i = 0; i < std::min(calls, 30); ++i) singles.push_back(timed(1));
  return {median(batches), median(singles)};
}

/// One line of JSON, as peers.py prints it. A residual says how accurate the result is that was timed.
inline void emit(std::string_view peer, std::string_view name, timing t,
                 std::optional<double> residual = std::nullopt) {
  fmt::print("{{\"peer\": \"{}\", \"case\": \"{}\", \"us\": {:.3f}, \"us_sync\": {:.3f}{}}}\n", peer, name,
             t.us, t.us_sync, residual ? fmt::format(", \"residual\": {:.2e}", *residual) : "");
  std::fflush(stdout);
}

}  // namespace bench
