// The system's number of an open file or folder, closed with its owner.
#pragma once
#include <unistd.h>
#include <utility>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

class file_descriptor {
 public:
  explicit file_descriptor(int number = -1) noexcept : number_(number) {}
  ~file_descriptor() { close(); }
  file_descriptor(file_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  file_descriptor& operator=(file_descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  explicit operator bool() const noexcept { return number_ >= 0; }
  int get() const noexcept { return number_; }
  /// False, with errno, if what was written did not arrive.
  bool close() noexcept {
    const int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
