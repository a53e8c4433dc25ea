// The public functions format_float_positional and format_float_scientific.
#include <string_view>

#include <fmt/format.h>

#include <gparray/error.hpp>
#include <gparray/text/print_options.hpp>

#include "float.hpp"

GPARRAY_BEGIN_NAMESPACE

namespace {

std::int64_t count_or_none(const std::optional<int>& count, std::string_view name) {
  if (!count) return -1;
  if (*count < 0) throw value_error(fmt::format("{} must be >= 0", name));
  return *count;
}

/// What both notations have in common.
template<class Options>
core::float_text_options checked(const Options& options) {
  core::float_text_options result{.unique = options.unique,
                                  .precision = count_or_none(options.precision, "precision"),
                                  .min_digits = count_or_none(options.min_digits, "min_digits"),
                                  .trim = options.trim,
                                  .sign = options.sign,
                                  .pad_left = count_or_none(options.pad_left, "pad_left")};
  if (result.min_digits > 0 && result.precision > 0 && result.min_digits > result.precision)
    throw value_error("min_digits must be less than or equal to precision");
  if (!result.unique && result.precision < 0)
    throw type_error("in non-unique mode `precision` must be supplied");
  if (std::string_view("k.0-").find(options.trim) == std::string_view::npos)
    throw type_error(fmt::format("if supplied, trim must be 'k', '.', '0' or '-' found `{}`", options.trim));
  return result;
}

template<class Float>
std::string positional(const core::float_type& type, Float x, const positional_options& options) {
  core::float_text_options checked_options = checked(options);
  checked_options.pad_right = count_or_none(options.pad_right, "pad_right");
  if (!options.fractional && checked_options.precision == 0)
    throw value_error("precision must be greater than 0 if fractional=False");
  checked_options.counted = options.fractional ? core::cutoff::fraction_digits : core::cutoff::total_digits;
  return core::positional_text(core::decode(type, &x), checked_options);
}

template<class Float>
std::string scientific(const core::float_type& type, Float x, const scientific_options& options) {
  core::float_text_options checked_options = checked(options);
  checked_options.exp_digits = count_or_none(options.exp_digits, "exp_digits");
  return core::scientific_text(core::decode(type, &x), checked_options);
}

}  // namespace

std::string format_float_positional(double x, const positional_options& options) {
  return positional(core::float64_type, x, options);
}
std::string format_float_positional(float x, const positional_options& options) {
  return positional(core::float32_type, x, options);
}
std::string format_float_positional(float16 x, const positional_options& options) {
  return positional(core::float16_type, x, options);
}
std::string format_float_positional(bfloat16 x, const positional_options& options) {
  return positional(core::bfloat16_type, x, options);
}

std::string format_float_scientific(double x, const scientific_options& options) {
  return scientific(core::float64_type, x, options);
}
std::string format_float_scientific(float x, const scientific_options& options) {
  return scientific(core::float32_type, x, options);
}
std::string format_float_scientific(float16 x, const scientific_options& options) {
  return scientific(core::float16_type, x, options);
}
std::string format_float_scientific(bfloat16 x, const scientific_options& options) {
  return scientific(core::bfloat16_type, x, options);
}

GPARRAY_END_NAMESPACE
