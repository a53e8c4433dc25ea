// One floating-point number as text, with NumPy's trimming and padding.
#pragma once
#include <cstdint>
#include <string>

#include <gparray/config.hpp>
#include <gparray/text/print_options.hpp>

#include "decimal.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// positional_options and scientific_options after their checks; -1 stands for "not given".
struct float_text_options {
  bool unique = true;
  cutoff counted = cutoff::fraction_digits;
  std::int64_t precision = -1;
  std::int64_t min_digits = -1;
  char trim = 'k';
  bool sign = false;
  std::int64_t pad_left = -1;
  std::int64_t pad_right = -1;
  std::int64_t exp_digits = -1;
};

/// Finite numbers are padded; "inf" and "nan" are not.
std::string positional_text(const binary_float& number, const float_text_options& options);
std::string scientific_text(const binary_float& number, const float_text_options& options);

}  // namespace core
GPARRAY_END_NAMESPACE
