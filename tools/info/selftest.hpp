// Whether this machine computes right.
#pragma once
#include <gparray/device.hpp>

namespace info {

/// Computes what has known answers on the CPU and on each GPU, and prints a line for each. What needs a
/// library that is missing is said, and not counted as right. Returns whether nothing was wrong.
bool selftest();

/// What one check found: "" if all was right.
class check_result {
 public:
  /// Notes the first thing that is wrong.
  void expect(bool is_right, const char* what) {
    if (!is_right && !wrong_) wrong_ = what;
  }
  const char* wrong() const { return wrong_; }

 private:
  const char* wrong_ = nullptr;
};

struct named_check {
  const char* name;
  void (*run)(check_result& result);
};

}  // namespace info
