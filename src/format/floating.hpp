// The common layout of the floating-point numbers of one array.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <gparray/config.hpp>
#include <gparray/text/print_options.hpp>

#include "float.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// NumPy's FloatingFormat (numpy/_core/arrayprint.py): decides notation and widths from the numbers that are
/// shown, then prints each of them to the same width.
class floating_format {
 public:
  /// `sign` overrides the option: the imaginary parts of complex numbers always have one.
  floating_format(const float_type& type, const std::vector<binary_float>& shown,
                  const print_options& options, char sign);

  std::string operator()(const binary_float& number) const;

 private:
  bool needs_exponent(const float_type& type, const std::vector<binary_float>& shown, bool suppress) const;
  void fit_exponent(const std::vector<binary_float>& shown);
  void fit_positional(const std::vector<binary_float>& shown, bool equal_digits);

  float_text_options text_;
  char sign_;
  bool exponent_ = false;
  std::int64_t left_ = 0, right_ = 0;  // columns to either side of the decimal point
  std::string nan_, infinity_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
