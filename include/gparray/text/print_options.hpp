// How arrays and floating-point numbers become text: NumPy's print options and its two float formatters.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include <gparray/config.hpp>
#include <gparray/dtype/float16.hpp>

GPARRAY_BEGIN_NAMESPACE

struct print_options;

namespace detail {
/// The options of the calling thread, until it sets others.
GPARRAY_API const print_options& thread_printoptions();
}  // namespace detail

/// NumPy's print options, under NumPy's names. Those that are not named are as the calling thread has them
/// set: {.precision = 3} changes one and keeps the others. print_options::defaults() are NumPy's.
struct print_options {
  /// Fraction digits at most ("maxprec", "maxprec_equal") or always ("fixed"); "unique" ignores it. 8.
  int precision = detail::thread_printoptions().precision;
  /// An array of more elements than this is summarised with "...". 1000.
  std::int64_t threshold = detail::thread_printoptions().threshold;
  /// Elements shown at either end of a summarised axis. 3.
  int edgeitems = detail::thread_printoptions().edgeitems;
  /// Columns after which a line is wrapped. 75.
  int linewidth = detail::thread_printoptions().linewidth;
  /// Never switch to scientific notation because numbers are small or of unlike size. false.
  bool suppress = detail::thread_printoptions().suppress;
  std::string nanstr = detail::thread_printoptions().nanstr;  ///< What NaN is printed as. "nan".
  std::string infstr = detail::thread_printoptions().infstr;  ///< What infinity is printed as. "inf".
  /// '-' omits the sign of positive numbers, '+' prints it, ' ' leaves room for it. '-'.
  char sign = detail::thread_printoptions().sign;
  /// "fixed", "unique", "maxprec" or "maxprec_equal". "maxprec".
  std::string floatmode = detail::thread_printoptions().floatmode;

  /// NumPy's defaults, which each thread begins with.
  [[nodiscard]] GPARRAY_API static print_options defaults();
};

/// Sets options of the calling thread; those not named stay. As in NumPy, a new thread starts with the
/// defaults. Throws value_error for an unknown floatmode or sign, a negative edgeitems, or a negative
/// precision that the floatmode uses.
GPARRAY_API void set_printoptions(const print_options& options);

/// The options of the calling thread.
[[nodiscard]] GPARRAY_API print_options get_printoptions();

/// Sets options of the calling thread until the end of the scope.
class printoptions {
 public:
  /// Sets these options; those not named stay.
  explicit printoptions(const print_options& options) : previous_(get_printoptions()) {
    set_printoptions(options);
  }
  /// Sets the options again that there were before.
  ~printoptions() { set_printoptions(previous_); }
  printoptions(const printoptions&) = delete;
  printoptions& operator=(const printoptions&) = delete;

 private:
  print_options previous_;
};

/// NumPy's keyword arguments of format_float_positional.
struct positional_options {
  std::optional<int> precision =
      {};  ///< The most digits that are printed; all that identify the number if not given.
  bool unique =
      true;  ///< The shortest digits that identify the number; false: exactly rounded at `precision`.
  bool fractional = true;  ///< Digits are counted behind the point; false: significant digits.
  char trim = 'k';    ///< Trailing zeros: 'k' keeps, '.' trims them, '0' leaves one, '-' trims the point too.
  bool sign = false;  ///< Print the sign of positive numbers.
  std::optional<int> pad_left = {};    ///< Characters left of the point, filled with spaces.
  std::optional<int> pad_right = {};   ///< Characters right of the point, filled with spaces.
  std::optional<int> min_digits = {};  ///< The least digits that are printed.
};

/// NumPy's keyword arguments of format_float_scientific.
struct scientific_options {
  std::optional<int> precision =
      {};  ///< The most digits that are printed; all that identify the number if not given.
  bool unique =
      true;         ///< The shortest digits that identify the number; false: exactly rounded at `precision`.
  char trim = 'k';  ///< Trailing zeros: 'k' keeps, '.' trims them, '0' leaves one, '-' trims the point too.
  bool sign = false;                   ///< Print the sign of positive numbers.
  std::optional<int> pad_left = {};    ///< Characters left of the point, filled with spaces.
  std::optional<int> exp_digits = {};  ///< The least digits of the exponent.
  std::optional<int> min_digits = {};  ///< The least digits that are printed.
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

/// The number in scientific notation, d.ddde+XX: the shortest digits that identify the value, or those
/// exactly rounded at `precision` if `unique` is false. Throws value_error for a negative count or min_digits
/// > precision, type_error for an unknown trim.
[[nodiscard]] GPARRAY_API std::string format_float_scientific(double x,
                                                              const scientific_options& options = {});
[[nodiscard]] GPARRAY_API std::string format_float_scientific(float x,
                                                              const scientific_options& options = {});
[[nodiscard]] GPARRAY_API std::string format_float_scientific(float16 x,
                                                              const scientific_options& options = {});
[[nodiscard]] GPARRAY_API std::string format_float_scientific(bfloat16 x,
                                                              const scientific_options& options = {});

GPARRAY_END_NAMESPACE
