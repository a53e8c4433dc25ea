// How functions of the CPU backend are timed beside those of NumPy and SciPy, under the same names. Prints
// one JSON object a line:
//   us      least microseconds of a call
//   cpu_us  least microseconds of processor time that a call took, of all threads together
#pragma once
#include <ctime>
#include <functional>

#include <gparray/gparray.hpp>

#include "bench.hpp"

namespace bench {

namespace gp = gparray;

inline double processor_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

struct function_suite {
  std::string only, size;

  template<class Call>
  void add(const std::string& what, Call&& call) const {
    const std::string name = what + "_" + size;
    if (!asks_for(only, name)) return;
    call();
    double start = seconds_now();
    call();
    const double once = seconds_now() - start;
    // Short calls are timed in batches that the clock can see.
    const int batch = std::max(1, static_cast<int>(2e-4 / std::max(once, 1e-8))),
              rounds = std::clamp(static_cast<int>(0.4 / (once * batch)), 3, 100);
    double wall = 1e9, processor = 1e9;
    for (int round = 0; round < rounds; ++round) {
      const double processor_start = processor_seconds();
      start = seconds_now();
      for (int i = 0; i < batch; ++i) call();
      wall = std::min(wall, (seconds_now() - start) / batch);
      processor = std::min(processor, (processor_seconds() - processor_start) / batch);
    }
    fmt::print("{{\"peer\": \"gparray-cpu\", \"case\": \"{}\", \"us\": {:.3f}, \"cpu_us\": {:.3f}}}\n", name,
               wall * 1e6, processor * 1e6);
    std::fflush(stdout);
  }
};

/// Numbers spread over [0, 1) in no order.
template<class V>
gp::ndarray<V> numbers(std::int64_t n) {
  return gp::remainder(0.6180339887498949 * gp::arange<double>(n), 1.0).template astype<V>();
}

}  // namespace bench
