#include "decimal.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <gparray/dtype/float16.hpp>

#include "big_unsigned.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

double binary_float::magnitude() const { return std::ldexp(static_cast<double>(mantissa), exponent); }

binary_float decode(const float_type& type, const void* element) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, static_cast<std::size_t>(type.item_size()));
  const std::uint64_t implied_one = std::uint64_t{1} << type.mantissa_bits;
  const std::uint64_t fraction = bits & (implied_one - 1);
  const int largest = (1 << type.exponent_bits) - 1, bias = largest / 2;
  const int biased = static_cast<int>(bits >> type.mantissa_bits) & largest;

  using category = binary_float::category;
  const bool negative = bits >> (type.mantissa_bits + type.exponent_bits) != 0;
  const category kind = biased != largest ? category::finite : fraction ? category::nan : category::infinite;
  return {.mantissa = biased ? fraction | implied_one : fraction,
          .exponent = std::max(biased, 1) - bias - type.mantissa_bits,
          .negative = negative,
          .unequal_margins = biased > 1 && fraction == 0,
          .kind = kind};
}

double round_to(const float_type& type, double value) {
  switch (type.code) {
    case 'e':
      return float16(value);
    case 'E':
      return bfloat16(value);
    case 'f':
      return static_cast<float>(value);
    default:
      return value;
  }
}

namespace {

/// value / scale is the number over the power of ten of the next digit; the margins, half the distances to
/// the neighbours, share that scale.
struct digit_generator {
  big_unsigned value, scale, margin_low, margin_high;
  bool even;
  int position;  // power of ten of the next digit

  digit_generator(const binary_float& number, const digit_request& request)
      : value(number.mantissa), scale(1), margin_low(1), margin_high(1), even((number.mantissa & 1) == 0) {
    // One more factor of 2 (of 4 with unequal margins) keeps half a unit in the last place whole.
    const int extra = number.unequal_margins ? 2 : 1;
    const int up = std::max(number.exponent, 0), down = std::max(-number.exponent, 0);
    value.shift_left(up + extra);
    scale.shift_left(down + extra);
    margin_low.shift_left(up);
    margin_high.shift_left(up + extra - 1);

    // floor(log10(2^k)) is the first digit's position or one below it.
    const int log2 = static_cast<int>(std::bit_width(number.mantissa)) - 1 + number.exponent;
    position = static_cast<int>(std::floor(log2 * 0.30102999566398119521));
    // A number that vanishes at the cutoff still yields the one digit there, rounded.
    if (request.counted == cutoff::fraction_digits && request.most >= 0)
      position = static_cast<int>(std::max<std::int64_t>(position, -request.most));
    if (position >= 0) {
      scale.multiply_power_of_ten(position);
    } else {
      for (big_unsigned* scaled : {&value, &margin_low, &margin_high})
        scaled->multiply_power_of_ten(-position);
    }
    big_unsigned ten_scales = scale;
    ten_scales.multiply(10);
    if (value >= ten_scales) {
      scale = ten_scales;
      ++position;
    }
  }

  int take_digit() {
    int digit = 0;
    for (; value >= scale; ++digit) value.subtract(scale);
    return digit;
  }

  /// Is the number truncated here still nearest to itself?
  bool low() const { return even ? value <= margin_low : value < margin_low; }

  /// Is the number rounded up here still nearest to itself?
  bool high() const {
    big_unsigned sum = value;
    sum.add(margin_high);
    return even ? sum >= scale : sum > scale;
  }

  void advance() {
    value.multiply(10);
    // Past one whole unit the margins decide nothing any more, and must not outgrow their storage.
    if (margin_low <= scale) {
      margin_low.multiply(10);
      margin_high.multiply(10);
    }
    --position;
  }

  bool remainder_rounds_down(int digit) {
    value.multiply(2);
    const auto order = value <=> scale;
    return order < 0 || (order == 0 && digit % 2 == 0);
  }
};

void append_rounded_up(decimal& result, int digit) {
  result.digits.push_back(static_cast<char>('0' + digit));
  while (!result.digits.empty() && result.digits.back() == '9') result.digits.pop_back();
  if (result.digits.empty()) {
    result.digits.assign(1, '1');
    ++result.exponent;
  } else {
    ++result.digits.back();
  }
}

}  // namespace

decimal to_decimal(const binary_float& number, const digit_request& request) {
  if (number.mantissa == 0) return {"0", 0};
  digit_generator state(number, request);
  decimal result{"", state.position};

  // Counted from the first digit or from the decimal point, a count of digits ends at this position.
  const std::int64_t origin = request.counted == cutoff::total_digits ? state.position + 1 : 0;
  const std::int64_t may_stop =
      request.least >= 0 ? std::min<std::int64_t>(state.position, origin - request.least) : state.position;
  for (;; state.advance()) {
    const int digit = state.take_digit();
    const bool must_stop = request.most >= 0 && state.position <= origin - request.most;
    const bool low = request.unique && state.low(), high = request.unique && state.high();
    const bool done = request.unique ? (low || high) && state.position <= may_stop : state.value.is_zero();
    if (!done && !must_stop) {
      result.digits.push_back(static_cast<char>('0' + digit));
      continue;
    }
    if (low == high ? state.remainder_rounds_down(digit) : low) {
      result.digits.push_back(static_cast<char>('0' + digit));
    } else {
      append_rounded_up(result, digit);
    }
    return result;
  }
}

}  // namespace core
GPARRAY_END_NAMESPACE
