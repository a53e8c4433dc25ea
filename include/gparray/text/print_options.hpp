// How arrays and floating-point numbers become text: NumPy's print options and its two float formatters.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include <gparray/config.hpp>
#include <gparray/dtype/float16.hpp>

GPARRAY_BEGIN_NAMESPACE

/// NumPy's print options, under NumPy's names and with its defaults.
struct print_options {
  /// Fraction digits at most ("maxprec", "maxprec_equal") or always ("fixed"); "unique" ignores it.
  int precision = 8;
  /// An array of more elements than this is summarised with "...".
  std::int64_t threshold = 1000;
  /// Elements shown at either end of a summarised axis.
  int edgeitems = 3;
  /// Columns after which a line is wrapped.
  int linewidth = 75;
  /// Never switch to scientific notation because numbers are small or of unlike size.
  bool suppress = false;
  std::string nanstr = "nan";
  std::string infstr = "inf";
  /// '-' omits the sign of positive numbers, '+' prints it, ' ' leaves room for it.
  char sign = '-';
  /// "fixed", "unique", "maxprec" or "maxprec_equal".
  std::string floatmode = "maxprec";
};

/// Sets the options of the calling thread. As in NumPy, a new thread starts with the defaults.
/// Throws value_error for an unknown floatmode or sign, a negative edgeitems, or a negative precision
/// that the floatmode uses.
GPARRAY_API void set_printoptions(const print_options& options);

/// The options of the calling thread.
[[nodiscard]] GPARRAY_API print_options get_printoptions();

/// Sets the options of the calling thread until the end of the scope.
class printoptions {
 public:
  explicit printoptions(const print_options& options) : previous_(get_printoptions()) {
    set_printoptions(options);
  }
  ~printoptions() { set_printoptions(previous_); }
  printoptions(const printoptions&) = delete;
  printoptions& operator=(const printoptions&) = delete;

 private:
  print_options previous_;
};

/// Keywords of format_float_positional. `trim` says what becomes of trailing zeros: 'k' keeps them, '.' trims
/// them, '0' trims all but one, '-' trims them and the decimal point.
struct positional_options {
  std::optional<int> precision = {};
  bool unique = true;
  bool fractional = true;
  char trim = 'k';
  bool sign = false;
  std::optional<int> pad_left = {};
  std::optional<int> pad_right = {};
  std::optional<int> min_digits = {};
};

/// Keywords of format_float_scientific; `trim` as in positional_options.
struct scientific_options {
  std::optional<int> precision = {};
  bool unique = true;
  char trim = 'k';
  bool sign = false;
  std::optional<int> pad_left = {};
  std::optional<int> exp_digits = {};
  std::optional<int> min_digits = {};
};

/// The number in positional notation. With `unique`, the shortest digits that identify the value among the
/// numbers of its own type, cut at `precision`; without, exactly rounded at `precision`, which is then
/// required. `precision` and `min_digits` count fraction digits, or significant ones when `fractional` is
/// false. Throws value_error for a negative count or min_digits > precision, type_error for an unknown trim.
[[nodiscard]] GPARRAY_API std::string format_float_positional(double x,
                                                              const positional_options& options = {});
[[nodiscard]] GPARRAY_API std::string format_float_positional(float x,
                                                              const positional_options& options = {});
[[nodiscard]] GPARRAY_API std::string format_float_positional(float16 x,
                                                              const positional_options& options = {});
[[nodiscard]] GPARRAY_API std::string format_float_positional(bfloat16 x,
                                                              const positional_options& options = {});

/// The number in scientific notation, d.ddde+XX. Digits and errors as for format_float_positional.
[[nodiscard]] GPARRAY_API std::string format_float_scientific(double x,
                                                              const scientific_options& options = {});
[[nodiscard]] GPARRAY_API std::string format_float_scientific(float x,
                                                              const scientific_options& options = {});
[[nodiscard]] GPARRAY_API std::string format_float_scientific(float16 x,
                                                              const scientific_options& options = {});
[[nodiscard]] GPARRAY_API std::string format_float_scientific(bfloat16 x,
                                                              const scientific_options& options = {});

GPARRAY_END_NAMESPACE
