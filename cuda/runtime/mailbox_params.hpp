// What the kernel that posts a few bytes to the host is given.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// One thread for every four bytes.
struct post_params {
  const char* from;
  std::uint64_t* words;  // in mapped host memory: four bytes and, above them, the stamp
  std::uint32_t bytes, stamp;
};

const void* find_post_kernel();

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
