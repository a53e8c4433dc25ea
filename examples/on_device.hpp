// For examples that run on every device: which one, how far they are, and how long it took.
#pragma once
#include <chrono>
#include <cstdio>
#include <unistd.h>

#include <gparray/gparray.hpp>

#include "options.hpp"

/// The device that --device names, as the default device.
inline gparray::device device_of(command_line& options) {
  const std::string name = options.value("-d/--device", gparray::default_device().str(), "cpu or cuda:0");
  options.finish();
  const gparray::device device(name);
  gparray::set_default_device(device);
  return device;
}

/// Shows how far a program is, a few times a second and only to people.
class progress_line {
 public:
  explicit progress_line(bool quiet = false) : shown_(!quiet && isatty(STDERR_FILENO)) {}
  ~progress_line() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  template<class... Values>
  void update(fmt::format_string<Values...> text, Values&&... values) {
    const auto now = std::chrono::steady_clock::now();
    if (!shown_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    fmt::print(stderr, "\r{}", fmt::format(text, std::forward<Values>(values)...));
  }

 private:
  bool shown_;
  std::chrono::steady_clock::time_point next_;
};

/// Seconds since it was made, when all work on the default device is done.
class stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    gparray::synchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};
