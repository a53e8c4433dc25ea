// Errors of CUB's calls.
#pragma once
#include <cuda_runtime_api.h>
#include <stdexcept>
#include <string>

namespace bench {

inline void check(cudaError_t code, const char* what) {
  if (code != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code));
}

/// The number that an algorithm has left in device memory.
inline std::int64_t read_count(const std::int64_t* count) {
  std::int64_t value = 0;
  check(cudaMemcpy(&value, count, sizeof value, cudaMemcpyDeviceToHost), "reading a count");
  return value;
}

}  // namespace bench
