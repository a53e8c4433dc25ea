// Programs that run on the device that GPARRAY_DEVICE names.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

#include <gparray/device.hpp>

namespace wanted {

inline constexpr int status_of_skip = 77;

inline bool on_gpu() {
  const char* const text = std::getenv("GPARRAY_DEVICE");
  return text && std::string_view(text).starts_with("cuda");
}

/// Whether it is a GPU and there is none; says so. A child looks: the children of a process that has asked
/// CUDA cannot use it.
inline bool is_missing() {
  if (!on_gpu()) return false;
  const pid_t child = fork();
  if (child == 0) _exit(gparray::device_count() > 0 ? 0 : status_of_skip);
  int status = 0;
  if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) return false;
  std::printf("%s skipped: no GPU\n", std::getenv("GPARRAY_DEVICE"));
  return true;
}

}  // namespace wanted
