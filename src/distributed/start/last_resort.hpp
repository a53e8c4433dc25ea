// Calls of a library that wait for other ranks and know no deadline.
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// Ends the process if this object outlives the timeout: a thread that is inside such a call cannot throw.
/// What started the ranks then ends the others. `text` is written to the standard error before.
class last_resort {
 public:
  last_resort(std::string text, std::chrono::milliseconds timeout);
  ~last_resort();
  last_resort(const last_resort&) = delete;
  last_resort& operator=(const last_resort&) = delete;

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread watch_;
};

/// Writes a line to the standard error, in one piece, so that lines of several ranks stay whole.
void say(const std::string& text) noexcept;

/// Writes the text to the standard error and ends the process with status 1, without destructors, which could
/// wait for other ranks.
[[noreturn]] void end_process(const std::string& text) noexcept;

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
