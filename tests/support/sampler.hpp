// Fewer of many combinations, for tools under which everything takes much longer.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include <doctest/doctest.h>

/// The n of GPARRAY_TEST_SAMPLE; 1 without it.
inline int wanted_sample() {
  const char* text = std::getenv("GPARRAY_TEST_SAMPLE");
  return std::max(text ? std::atoi(text) : 1, 1);
}

/// Whether to check the next of many combinations: all of them, or every n-th if GPARRAY_TEST_SAMPLE is n.
/// Under a race checker a kernel takes a thousand times as long. `at_least` is the n of a test that is long
/// anyway.
class sampler {
 public:
  explicit sampler(int at_least = 1) : stride_(std::max(at_least, stride_from_environment())) {}
  bool operator()() { return count_++ % stride_ == 0; }

 private:
  static int stride_from_environment() {
    const int stride = wanted_sample();
    if (stride > 1) MESSAGE("every " << stride << "th combination only");
    return stride;
  }
  int count_ = 0;
  const int stride_;
};

/// The same for checks in templates: one sampler for all of their types.
inline bool taken() {
  static sampler of_all;
  return of_all();
}

/// How large an array that threads share is: `fewer` elements do where GPARRAY_TEST_SAMPLE asks for less.
inline std::int64_t shared_size(std::int64_t n, std::int64_t fewer) {
  return wanted_sample() > 1 ? fewer : n;
}
