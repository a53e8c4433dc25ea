// The arguments of a step side by side in one word, to look at all of them at once.
#pragma once
#include <cstring>

#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Lanes of 16 bits, for numbers below 2^15.
inline constexpr std::uint64_t lanes = 0x0001000100010001, top_bits = lanes << 15;

/// The first four of five arguments. Those beyond the arity are 0 wherever plans are made.
inline std::uint64_t first_arguments(const step& s) {
  std::uint64_t word;
  std::memcpy(&word, s.args.data(), sizeof word);
  return word;
}
inline void set_first_arguments(step& s, std::uint64_t word) {
  std::memcpy(s.args.data(), &word, sizeof word);
}
static_assert(max_arity == sizeof(std::uint64_t) / sizeof(std::uint16_t) + 1);

/// The top bit of each lane of x that is not less than a number.
inline std::uint64_t not_less(std::uint64_t x, std::uint64_t number) {
  return ((x | top_bits) - lanes * number) & top_bits;
}

}  // namespace core
GPARRAY_END_NAMESPACE
