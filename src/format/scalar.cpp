// str() of one element, which unlike an array's elements is shown to its full precision.
#include <cmath>

#include <fmt/format.h>

#include "array.hpp"
#include "dtype.hpp"
#include "float.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

std::string float_str(const float_type& type, const binary_float& number, char trim) {
  // A double is positional up to 1e16, NumPy's other types only where all digits are significant.
  const double limit = type.code == float64_type.code ? 1e16 : std::pow(10., type.decimal_precision);
  const bool positional =
      number.is_zero() || (number.is_finite() && number.magnitude() >= 1e-4 && number.magnitude() < limit);
  return positional ? positional_text(number, {.trim = trim}) : scientific_text(number, {.trim = '-'});
}

std::string complex_str(const float_type& type, const std::byte* element) {
  const binary_float real = decode(type, element);
  const binary_float imaginary = decode(type, element + type.item_size());
  const std::string imaginary_text = float_str(type, imaginary, '-');
  if (real.is_zero() && !real.negative) return imaginary_text + "j";
  const bool has_sign = imaginary_text.front() == '-';
  return fmt::format("({}{}{}j)", float_str(type, real, '-'), has_sign ? "" : "+", imaginary_text);
}

}  // namespace

std::string scalar_str(char dtype_code, const void* element) {
  const printed_dtype& dtype = find_printed_dtype(dtype_code);
  switch (dtype.kind) {
    case 'b':
      return read_unsigned(dtype, element) != 0 ? "True" : "False";
    case 'i':
      return fmt::format("{}", read_signed(dtype, element));
    case 'u':
      return fmt::format("{}", read_unsigned(dtype, element));
    case 'f':
      return float_str(part_type(dtype_code), decode(part_type(dtype_code), element), '0');
    default:
      return complex_str(part_type(dtype_code), static_cast<const std::byte*>(element));
  }
}

}  // namespace core
GPARRAY_END_NAMESPACE
