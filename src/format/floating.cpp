#include "floating.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "text.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

floating_format::floating_format(const float_type& type, const std::vector<binary_float>& shown,
                                 const print_options& options, char sign)
    : sign_(sign), nan_(options.nanstr), infinity_(options.infstr) {
  const bool fixed = options.floatmode == "fixed";
  text_ = {.unique = !fixed,
           .precision = options.floatmode == "unique" ? -1 : options.precision,
           .trim = fixed ? 'k' : '.',
           .sign = sign == '+'};

  std::vector<binary_float> finite;
  std::copy_if(shown.begin(), shown.end(), std::back_inserter(finite),
               [](const binary_float& number) { return number.is_finite(); });
  if (!finite.empty()) {
    exponent_ = needs_exponent(type, finite, options.suppress);
    if (exponent_) {
      fit_exponent(finite);
    } else {
      fit_positional(finite, fixed || options.floatmode == "maxprec_equal");
    }
  }
  const auto is_negative = [](const binary_float& number) { return number.negative; };
  if (sign == ' ' && std::none_of(finite.begin(), finite.end(), is_negative)) ++left_;
  if (finite.size() != shown.size()) {
    const bool signed_infinity =
        sign != '-' || std::any_of(shown.begin(), shown.end(), [](const binary_float& number) {
          return number.negative && number.kind == binary_float::category::infinite;
        });
    left_ = std::max(
        {left_, text_width(nan_) - right_ - 1, text_width(infinity_) + signed_infinity - right_ - 1});
  }
  text_.pad_left = left_;
  if (!exponent_) text_.pad_right = right_;
}

bool floating_format::needs_exponent(const float_type& type, const std::vector<binary_float>& finite,
                                     bool suppress) const {
  double largest = 0, smallest = std::numeric_limits<double>::infinity();
  for (const binary_float& number : finite) {
    if (number.is_zero()) continue;
    largest = std::max(largest, number.magnitude());
    smallest = std::min(smallest, number.magnitude());
  }
  if (largest == 0) return false;
  // NumPy compares and divides in the array's own type, where 0.0001 is a different number.
  if (largest >= std::pow(10., std::min(8, type.decimal_precision))) return true;
  return !suppress && (smallest < round_to(type, 0.0001) || round_to(type, largest / smallest) > 1000.);
}

void floating_format::fit_exponent(const std::vector<binary_float>& finite) {
  std::int64_t fraction = 0, power = 0;
  for (const binary_float& number : finite) {
    const std::string text = scientific_text(number, text_);
    const std::int64_t point = static_cast<std::int64_t>(text.find('.'));
    const std::int64_t mark = static_cast<std::int64_t>(text.find('e'));
    left_ = std::max(left_, point);
    fraction = std::max(fraction, mark - point - 1);
    power = std::max(power, static_cast<std::int64_t>(text.size()) - mark - 2);
  }
  text_.precision = text_.min_digits = fraction;
  text_.trim = 'k';
  text_.exp_digits = power;
  right_ = power + 2 + fraction;
}

void floating_format::fit_positional(const std::vector<binary_float>& finite, bool equal_digits) {
  for (const binary_float& number : finite) {
    const std::string text = positional_text(number, text_);
    const std::int64_t point = static_cast<std::int64_t>(text.find('.'));
    left_ = std::max(left_, point);
    right_ = std::max(right_, static_cast<std::int64_t>(text.size()) - point - 1);
  }
  text_.trim = equal_digits ? 'k' : '.';
  text_.min_digits = 0;
  if (equal_digits) text_.precision = text_.min_digits = right_;
}

std::string floating_format::operator()(const binary_float& number) const {
  if (number.is_finite()) return exponent_ ? scientific_text(number, text_) : positional_text(number, text_);
  const bool minus = !number.is_nan() && number.negative;
  std::string text = minus ? "-" : sign_ == '+' ? "+" : "";
  text += number.is_nan() ? nan_ : infinity_;
  return pad_left(text, left_ + right_ + 1);
}

}  // namespace core
GPARRAY_END_NAMESPACE
