// Sums of products along an array: what crosses the boundary between the core and a backend.
#pragma once
#include <cstdint>

#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// out[k] = sum over i of x[k - before + i] * w[i], for 0 <= k < count, over the elements of x that there
/// are, and there is at least one; w[i] is weights[i], or, if they are reversed, weights[width - 1 - i]. All
/// are contiguous.
struct correlation_plan {
  dtype type{};  // of all three; no half
  const void *x = nullptr, *weights = nullptr;
  void* out = nullptr;
  std::int64_t size = 0, width = 0, before = 0, count = 0;
  bool reversed = false;
};

}  // namespace core
GPARRAY_END_NAMESPACE
