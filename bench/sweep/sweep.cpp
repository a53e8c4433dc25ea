#include "sweep.hpp"

#include <cmath>

namespace bench {

void digest::note(double value, double weight) {
  if (!std::isfinite(value)) return;
  ++finite_;
  sum_ += weight * value;
  magnitude_ += weight * std::abs(value);
}

std::string digest::text(std::string_view compared) const {
  std::string result = fmt::format(", \"size\": {}", size_);
  if (compared == "_SIZE") return result;
  // A hundred roundings of each element, and what a condition of a thousand makes of them.
  result += fmt::format(", \"finite\": {}, \"magnitude\": {:.17g}, \"tolerance\": {}", finite_, magnitude_,
                        single_ ? 6e-3 : 1e-8);
  return compared.empty() ? result + fmt::format(", \"sum\": {:.17g}", sum_) : result;
}

void sweep::report(const std::string& name, const std::function<void()>& call,
                   const std::function<std::string()>& result) const {
  const auto timed = [&](int calls) {
    const double start = seconds_now();
    for (int k = 0; k < calls; ++k) call();
    device_.synchronize();
    return (seconds_now() - start) / calls;
  };
  const char* peer = device_.is_cpu() ? "gparray-cpu" : "gparray";
  try {
    const std::string compared = result();
    gp::wait_for_kernels();
    timed(1);
    double least = timed(1);
    // Short calls are timed in batches that the clock can see.
    const int batch = std::max(1, static_cast<int>(1e-4 / std::max(least, 1e-8))),
              rounds = std::clamp(static_cast<int>(seconds_ / (least * batch)), 2, 100);
    for (int round = 0; round < rounds; ++round) least = std::min(least, timed(batch));
    fmt::print("{{\"peer\": \"{}\", \"case\": \"{}\", \"us\": {:.3f}{}}}\n", peer, name, least * 1e6,
               compared);
  } catch (const std::exception& error) {
    std::string text = error.what();
    for (char& c : text)
      if (c == '"' || c == '\\' || c == '\n') c = '\'';
    fmt::print("{{\"peer\": \"{}\", \"case\": \"{}\", \"error\": \"{}\"}}\n", peer, name, text);
  }
  std::fflush(stdout);
}

}  // namespace bench
