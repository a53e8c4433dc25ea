// A fixed-size unsigned integer, wide enough for any double times or over a power of ten.
#pragma once
#include <array>
#include <compare>
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// 1280 bits: the largest operand in decimal conversion is 40 times 2^1076 (a subnormal double's scale).
class big_unsigned {
 public:
  big_unsigned() = default;
  explicit big_unsigned(std::uint64_t value) : size_(value != 0) { limbs_[0] = value; }

  bool is_zero() const { return size_ == 0; }
  void multiply(std::uint64_t factor);
  void multiply_power_of_ten(int exponent);
  void shift_left(int bits);
  void add(const big_unsigned& other);
  /// Needs *this >= other.
  void subtract(const big_unsigned& other);
  friend std::strong_ordering operator<=>(const big_unsigned& a, const big_unsigned& b);
  friend bool operator==(const big_unsigned& a, const big_unsigned& b) { return (a <=> b) == 0; }

 private:
  static constexpr int capacity = 20;
  std::array<std::uint64_t, capacity> limbs_{};  // little-endian; limbs from size_ on are zero
  int size_ = 0;
};

}  // namespace core
GPARRAY_END_NAMESPACE
