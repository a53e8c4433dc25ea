#include "big_unsigned.hpp"

#include <algorithm>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {
__extension__ typedef unsigned __int128 double_limb;
}

void big_unsigned::multiply(std::uint64_t factor) {
  std::uint64_t carry = 0;
  for (int i = 0; i < size_; ++i) {
    const double_limb product = static_cast<double_limb>(limbs_[i]) * factor + carry;
    limbs_[i] = static_cast<std::uint64_t>(product);
    carry = static_cast<std::uint64_t>(product >> 64);
  }
  if (carry != 0) limbs_.at(size_++) = carry;
}

void big_unsigned::multiply_power_of_ten(int exponent) {
  constexpr std::uint64_t ten_to_19 = 10'000'000'000'000'000'000u;
  for (; exponent >= 19; exponent -= 19) multiply(ten_to_19);
  for (; exponent > 0; --exponent) multiply(10);
}

void big_unsigned::shift_left(int bits) {
  if (size_ == 0) return;
  for (; bits >= 64; bits -= 64) {
    limbs_.at(size_) = 0;  // throws rather than overrun
    std::copy_backward(limbs_.begin(), limbs_.begin() + size_, limbs_.begin() + size_ + 1);
    limbs_[0] = 0;
    ++size_;
  }
  multiply(std::uint64_t{1} << bits);
}

void big_unsigned::add(const big_unsigned& other) {
  size_ = std::max(size_, other.size_);
  double_limb carry = 0;
  for (int i = 0; i < size_; ++i) {
    carry += static_cast<double_limb>(limbs_[i]) + other.limbs_[i];
    limbs_[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  if (carry != 0) limbs_.at(size_++) = static_cast<std::uint64_t>(carry);
}

void big_unsigned::subtract(const big_unsigned& other) {
  bool borrow = false;
  for (int i = 0; i < size_; ++i) {
    const std::uint64_t left = limbs_[i], right = other.limbs_[i];
    limbs_[i] = left - right - borrow;
    borrow = left < right || (left == right && borrow);
  }
  while (size_ > 0 && limbs_[size_ - 1] == 0) --size_;
}

std::strong_ordering operator<=>(const big_unsigned& a, const big_unsigned& b) {
  if (a.size_ != b.size_) return a.size_ <=> b.size_;
  for (int i = a.size_ - 1; i >= 0; --i)
    if (a.limbs_[i] != b.limbs_[i]) return a.limbs_[i] <=> b.limbs_[i];
  return std::strong_ordering::equal;
}

}  // namespace core
GPARRAY_END_NAMESPACE
