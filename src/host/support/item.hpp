// Elements that are moved and not looked at.
#pragma once
#include <cstddef>
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Aligned as the parts of a complex number are, which is all that memory of a user promises.
struct sixteen_bytes {
  std::uint64_t words[2];
};

/// Calls move(T()) for a type of this size.
template<class Move>
void with_item(std::size_t bytes, Move&& move) {
  switch (bytes) {
    case 1:
      return move(std::uint8_t{});
    case 2:
      return move(std::uint16_t{});
    case 4:
      return move(std::uint32_t{});
    case 8:
      return move(std::uint64_t{});
    default:
      return move(sixteen_bytes{});
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
