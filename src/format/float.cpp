#include "float.hpp"

#include <algorithm>
#include <cstdlib>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

std::string sign_text(const binary_float& number, bool plus) {
  return number.negative ? "-" : plus ? "+" : "";
}

std::string non_finite_text(const binary_float& number, bool plus) {
  return number.is_nan() ? "nan" : sign_text(number, plus) + "inf";
}

void append(std::string& text, std::int64_t count, char filler) {
  if (count > 0) text.append(static_cast<std::size_t>(count), filler);
}

/// Fills up or trims the digits after the decimal point; `wanted` is what trim 'k' fills up to.
void finish_fraction(std::string& fraction, char trim, std::int64_t wanted) {
  if (trim == 'k') {
    append(fraction, wanted - static_cast<std::int64_t>(fraction.size()), '0');
    return;
  }
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  if (trim == '0' && fraction.empty()) fraction.push_back('0');
}

}  // namespace

std::string positional_text(const binary_float& number, const float_text_options& options) {
  if (!number.is_finite()) return non_finite_text(number, options.sign);
  auto [digits, exponent] =
      to_decimal(number, {options.unique, options.counted, options.precision, options.min_digits});
  std::string whole = "0", fraction;
  if (exponent >= 0) {
    const std::size_t whole_digits = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() < whole_digits) digits.resize(whole_digits, '0');
    whole = digits.substr(0, whole_digits);
    fraction = digits.substr(whole_digits);
  } else {
    append(fraction, -exponent - 1, '0');
    fraction += digits;
  }

  const std::int64_t whole_digits = static_cast<std::int64_t>(whole.size());
  const std::int64_t wanted = options.unique ? options.min_digits : options.precision;
  finish_fraction(fraction, options.trim,
                  options.counted == cutoff::total_digits ? wanted - whole_digits : wanted);
  const std::string sign = sign_text(number, options.sign);
  const std::int64_t fraction_digits = static_cast<std::int64_t>(fraction.size());

  std::string text;
  append(text, options.pad_left - whole_digits - static_cast<std::int64_t>(sign.size()), ' ');
  text += sign + whole;
  if (options.trim != '-' || fraction_digits > 0) {
    text += '.';
  } else if (options.pad_right >= 0) {
    text += ' ';  // in the place of the decimal point
  }
  text += fraction;
  append(text, options.pad_right - fraction_digits, ' ');
  return text;
}

std::string scientific_text(const binary_float& number, const float_text_options& options) {
  if (!number.is_finite()) return non_finite_text(number, options.sign);
  const auto with_first = [](std::int64_t count) { return count < 0 ? -1 : count + 1; };
  const auto [digits, exponent] = to_decimal(
      number,
      {options.unique, cutoff::total_digits, with_first(options.precision), with_first(options.min_digits)});
  std::string fraction = digits.substr(1);
  // As in NumPy, trim '-' drops the point only of a number that had one digit from the start.
  const bool point = options.trim != '-' || !fraction.empty();
  finish_fraction(fraction, options.trim, options.unique ? options.min_digits : options.precision);

  const std::string sign = sign_text(number, options.sign);
  std::string text;
  append(text, options.pad_left - 1 - static_cast<std::int64_t>(sign.size()), ' ');
  text += sign + digits[0];
  if (point) text += '.';
  text += fraction;

  // NumPy counts no digit in 0, so that exp_digits = 0 leaves "e+" alone.
  const std::string power = exponent == 0 ? "" : std::to_string(std::abs(exponent));
  const std::int64_t power_digits =
      options.exp_digits < 0 ? 2 : std::min<std::int64_t>(options.exp_digits, 5);
  text += exponent < 0 ? "e-" : "e+";
  append(text, power_digits - static_cast<std::int64_t>(power.size()), '0');
  return text + power;
}

}  // namespace core
GPARRAY_END_NAMESPACE
