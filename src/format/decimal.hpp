// Binary floating-point numbers of any supported type, taken apart, and their exact decimal digits.
#pragma once
#include <cstdint>
#include <string>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// An IEEE 754 style type. decimal_precision is NumPy's finfo(dtype).precision.
struct float_type {
  char code;  // as in dtypes.def
  int mantissa_bits;
  int exponent_bits;
  int decimal_precision;

  int item_size() const { return (1 + mantissa_bits + exponent_bits) / 8; }
};

inline constexpr float_type float16_type{'e', 10, 5, 3};
inline constexpr float_type bfloat16_type{'E', 7, 8, 2};
inline constexpr float_type float32_type{'f', 23, 8, 6};
inline constexpr float_type float64_type{'d', 52, 11, 15};

/// |value| = mantissa * 2^exponent when finite.
struct binary_float {
  enum class category { finite, infinite, nan };

  std::uint64_t mantissa;
  int exponent;
  bool negative;
  /// The next smaller number is half as far away as the next larger one.
  bool unequal_margins;
  category kind;

  bool is_finite() const { return kind == category::finite; }
  bool is_nan() const { return kind == category::nan; }
  bool is_zero() const { return is_finite() && mantissa == 0; }
  /// |value|; exact. Finite numbers only.
  double magnitude() const;
};

/// Reads one element, aligned or not.
binary_float decode(const float_type& type, const void* element);

/// The number of the type that is nearest to value.
double round_to(const float_type& type, double value);

enum class cutoff { total_digits, fraction_digits };

struct digit_request {
  /// The shortest digits that identify the number; otherwise exact digits.
  bool unique = true;
  cutoff counted = cutoff::fraction_digits;
  /// Digits at most and at least; -1 for no limit.
  std::int64_t most = -1;
  std::int64_t least = -1;
};

/// |value| is about d.ddd * 10^exponent, where the digits are `digits`.
struct decimal {
  std::string digits;
  int exponent;
};

/// Digits of a finite number, after "Printing Floating-Point Numbers Quickly and Accurately", Burger and
/// Dybvig, PLDI 1996 (free-format algorithm), with NumPy's rule for cutting and extending the digits.
decimal to_decimal(const binary_float& number, const digit_request& request);

}  // namespace core
GPARRAY_END_NAMESPACE
