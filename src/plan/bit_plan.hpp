// Bits of bytes, put together and taken apart.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Rows of n_bits bytes that are 0 or 1, and rows of n_bytes bytes that hold eight of them each, both in C
/// order: the one is made from the other. Bits that a row does not have are 0.
struct bit_plan {
  bool packs;   // else bytes are taken apart
  bool little;  // the first bit is the lowest of its byte
  std::int64_t rows, n_bits, n_bytes;
  const void* in;
  void* out;
};

}  // namespace core
GPARRAY_END_NAMESPACE
