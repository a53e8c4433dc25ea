#include <fmt/format.h>

#include <gparray/runtime/show_config.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE

std::string show_config() {
  std::string text =
      fmt::format("gparray {}.{}.{}\n", GPARRAY_VERSION_MAJOR, GPARRAY_VERSION_MINOR, GPARRAY_VERSION_PATCH);
  text += "cpu: " + core::host_backend().device_name(0) + "\n";
  if (core::backend* gpu = core::cuda_backend())
    for (int i = 0; i < gpu->device_count(); ++i)
      text += fmt::format("cuda:{}: {}\n", i, gpu->device_name(i));
  else text += "cuda: " + core::cuda_missing_reason() + "\n";
  return text;
}

GPARRAY_END_NAMESPACE
