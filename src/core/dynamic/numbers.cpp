#include <algorithm>
#include <cstring>

#include <core/dynamic/numbers.hpp>
#include <plan/convert_scalar.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace dynamic {

namespace {

/// A whole number of any dtype: magnitudes from 2^63 on are of uint64.
struct whole_number {
  std::int64_t as_signed;
  bool is_large;

  explicit whole_number(const detail::argument& number) {
    core::scalar_bits bits;
    std::memcpy(bits.bytes, number.value, sizeof bits.bytes);
    bits = core::convert_scalar(bits, number.type, dtype::int64);
    std::memcpy(&as_signed, bits.bytes, sizeof as_signed);
    is_large = number.type == dtype::uint64 && as_signed < 0;
  }
};

struct bounds {
  std::int64_t least;
  std::uint64_t greatest;

  explicit bounds(dtype type) {
    const int bits = static_cast<int>(8 * itemsize(type)) - (kind(type) == 'i');
    greatest = ~std::uint64_t{0} >> (64 - bits);
    least = kind(type) == 'i' ? -static_cast<std::int64_t>(greatest) - 1 : 0;
  }
  bool hold(const whole_number& n) const {
    if (n.as_signed < 0 && !n.is_large) return n.as_signed >= least;
    return static_cast<std::uint64_t>(n.as_signed) <= greatest;
  }
};

}  // namespace

bool fits(const detail::argument& number, dtype type) { return bounds(type).hold(whole_number(number)); }

bool is_negative(const detail::argument& number) {
  const whole_number n(number);
  return n.as_signed < 0 && !n.is_large;
}

detail::argument number_as(const detail::argument& number, dtype type, bool saturate) {
  if (is_complex(number.type) && !is_complex(type))
    core::fail<type_error>("a complex number is no element of an array of {}", name(type));
  detail::argument from = number;
  if (is_integer(type) && is_integer(number.type) && !fits(number, type)) {
    if (saturate) {
      from = is_negative(number) ? detail::constant(bounds(type).least)
                                 : detail::constant(bounds(type).greatest);
    } else if (const whole_number n(number); n.is_large) {
      detail::throw_out_of_bounds(static_cast<std::uint64_t>(n.as_signed), type);
    } else {
      detail::throw_out_of_bounds(n.as_signed, type);
    }
  }
  core::scalar_bits bits;
  std::memcpy(bits.bytes, from.value, sizeof bits.bytes);
  bits = core::convert_scalar(bits, from.type, type);
  detail::argument result;
  result.type = type;
  std::memcpy(result.value, bits.bytes, sizeof bits.bytes);
  return result;
}

detail::argument value_as(const operand& value, dtype type) {
  return value.is_array() ? core::named(value.array()) : number_as(value.as_argument(), type);
}

}  // namespace dynamic
GPARRAY_END_NAMESPACE
