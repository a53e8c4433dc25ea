// Every row of ufuncs.def, on every dtype of its domain, against what NumPy 2 gives (kernel/ufuncs.txt).
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "kernel/golden_ufuncs.hpp"

namespace {

using namespace golden_test;

/// Our error bound in units in the last place; 0 means every bit. glibc states 1 to 2 ulp for most functions
/// (manual, "Known Maximum Errors"), and the reference is rounded once more (half an ulp): 2 unless a reason
/// is given.
double allowed_ulps(std::string_view row) {
#ifdef GPARRAY_LIBMVEC
  constexpr double transcendental = 4;  // what glibc states for libmvec
#else
  constexpr double transcendental = 2;
#endif
  // Inputs of a few ulp's error amplified by a sum or a quotient of two such functions: 2 + 1 + 1.
  for (std::string_view name : {"logaddexp", "logaddexp2", "expit", "i0", "xlogy"})
    if (row == name) return 4;
  // glibc 2.36, x86-64: tgamma 5 to 10 ulp, lgamma 4, erfc 5.
  if (row == "gamma") return 10;
  if (row == "gammaln" || row == "erfc") return 5;
  for (std::string_view name :
       {"exp",  "exp2",    "exp10",   "expm1",   "log",    "log2",   "log10",   "log1p", "power",      "cbrt",
        "sin",  "cos",     "tan",     "arcsin",  "arccos", "arctan", "arctan2", "hypot", "sinh",       "cosh",
        "tanh", "arcsinh", "arccosh", "arctanh", "rsqrt",  "sinc",   "angle",   "erf",   "float_power"})
    if (row == name) return transcendental;
  return 0;
}

/// Complex functions are bounded relative to the modulus of the result, in units of epsilon: a few rounded
/// operations of 1 ulp each on the way. A power multiplies the error of its exponent by the exponent's size
/// (|b log a| < 2^3 here).
double allowed_complex_epsilons(std::string_view row) {
  if (row == "power" || row == "float_power") return 32;
  for (std::string_view name : {"sqrt", "absolute", "sign"})
    if (row == name) return 2;
  return allowed_ulps(row) == 0 ? 0 : 4;
}

/// The distance in the ordered sequence of a format's values.
template<class R>
double ulp_distance(R got, R expected) {
  const auto position = [](R x) {
    const auto magnitude =
        static_cast<double>(kernel::to_bits(x) & static_cast<kernel::unsigned_t<R>>(~kernel::sign_mask<R>));
    return std::signbit(static_cast<double>(x)) ? -magnitude : magnitude;
  };
  return std::abs(position(got) - position(expected));
}

template<class R>
bool close_real(R got, R expected, double ulps) {
  if (same_real(got, expected)) return true;
  const double x = static_cast<double>(got), y = static_cast<double>(expected);
  if (std::isnan(x) || std::isnan(y) || ulps == 0) return false;
  // A half type rounds a float that is off by a few of its own ulp: by no more than one of the half's.
  if (sizeof(R) == 2) ulps = 1;
  return (x == 0 || y == 0 || std::signbit(x) == std::signbit(y)) && ulp_distance(got, expected) <= ulps;
}

/// Signs of zero are left open by C99 in some complex special values; NaN and infinity must be where they
/// are.
template<class R>
bool close_complex(kernel::complex<R> got, kernel::complex<R> expected, double epsilons) {
  if (epsilons == 0) return same_real(got.re, expected.re) && same_real(got.im, expected.im);
  // Beside a NaN the sign of an infinity is left open as well.
  const bool any_nan = std::isnan(expected.re) || std::isnan(expected.im);
  const auto matches = [&](R x, R y) {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    return any_nan ? std::abs(x) == std::abs(y) : x == y || close_real(x, y, 2);
  };
  if (!std::isfinite(expected.re) || !std::isfinite(expected.im) || !std::isfinite(got.re) ||
      !std::isfinite(got.im))
    return matches(got.re, expected.re) && matches(got.im, expected.im);
  const R distance = std::hypot(got.re - expected.re, got.im - expected.im),
          size = std::hypot(expected.re, expected.im);
  // The last term is for results among the subnormal numbers, whose spacing is the smallest of them.
  return distance <= epsilons * kernel::traits<R>::epsilon * size + 2 * kernel::from_bits<R>(1);
}

template<class Result>
bool agrees(std::string_view row, bool complex_input, Result got, Result expected) {
  if constexpr (kernel::is_complex<Result>) {
    return close_complex(got, expected, allowed_complex_epsilons(row));
  } else if constexpr (kernel::is_real<Result> || kernel::is_half<Result>) {
    // Where equal zeros of both signs meet, C and NumPy leave open which one an extremum is.
    if (static_cast<float>(got) == 0 && static_cast<float>(expected) == 0)
      for (std::string_view name : {"maximum", "minimum", "fmax", "fmin", "clip"})
        if (row == name) return true;
    return close_real(got, expected, complex_input ? allowed_complex_epsilons(row) : allowed_ulps(row));
  } else {
    return got == expected;
  }
}

/// The operands of one signature: the Cartesian product of the input lists, last input fastest, as the file
/// is ordered.
template<class T>
struct operands {
  std::size_t count = 0;
  std::vector<T> values[3];
  std::vector<unsigned char> condition;
  std::vector<int> exponent;

  explicit operands(std::string_view signature) {
    const std::string_view letters = signature.substr(0, signature.find('_'));
    const std::string list = letters == "T" || letters == "Ti" ? "unary "
                             : letters == "TT"                 ? "binary "
                                                               : "ternary ";
    const std::vector<T> choices = parse_all<T>(list + dtype_of<T>());
    const std::vector<int> exponents{0, 1, -1, 5, -30, 100, -140, 2000, -2000};
    const auto choices_of = [&](char letter) {
      return letter == 'T' ? choices.size() : letter == 'i' ? exponents.size() : 2;
    };
    count = 1;
    for (char letter : letters) count *= choices_of(letter);
    for (std::size_t k = 0; k < count; ++k) {
      std::size_t rest = k;
      for (std::size_t input = letters.size(); input-- > 0;) {
        const std::size_t choice = rest % choices_of(letters[input]);
        rest /= choices_of(letters[input]);
        if (letters[input] == 'T') values[input].push_back(choices[choice]);
        else if (letters[input] == 'i') exponent.push_back(exponents[choice]);
        else condition.push_back(choice != 0);
      }
    }
  }
};

/// The only code per row and dtype: everything else is compiled once per dtype.
template<class Op, class T>
void loop(const operands<T>& in, kernel::output_t<Op, T>* out) {
  for (std::size_t k = 0; k < in.count; ++k) {
    if constexpr (kernel::is_same<typename Op::signature, kernel::signature_Ti_T>)
      out[k] = kernel::invoke<Op, T>(in.values[0][k], in.exponent[k]);
    else if constexpr (kernel::is_same<typename Op::signature, kernel::signature_bTT_T>)
      out[k] = kernel::invoke<Op, T>(in.condition[k] != 0, in.values[1][k], in.values[2][k]);
    else if constexpr (kernel::arity<Op> == 1) out[k] = kernel::invoke<Op, T>(in.values[0][k]);
    else if constexpr (kernel::arity<Op> == 2)
      out[k] = kernel::invoke<Op, T>(in.values[0][k], in.values[1][k]);
    else out[k] = kernel::invoke<Op, T>(in.values[0][k], in.values[1][k], in.values[2][k]);
  }
}

template<class T, class Result>
void check(std::string_view row, std::string_view signature, void (*loop)(const operands<T>&, Result*)) {
  const operands<T> in(signature);
  const std::vector<Result> expected = parse_all<Result>("row " + std::string(row) + " " + dtype_of<T>());
  INFO("row ", std::string(row), ", dtype ", dtype_of<T>());
  REQUIRE(in.count > 0);
  REQUIRE(expected.size() == in.count);
  const auto got = std::make_unique<Result[]>(in.count);
  loop(in, got.get());
  std::string wrong;
  for (std::size_t k = 0; k < in.count; ++k) {
    if (agrees(row, kernel::is_complex<T>, got[k], expected[k])) continue;
    wrong += "\n  ";
    for (const auto& values : in.values)
      if (!values.empty()) wrong += show(values[k]) + ", ";
    wrong += "gives " + show(got[k]) + " instead of " + show(expected[k]);
  }
  CHECK_MESSAGE(wrong.empty(), wrong);
}

template<class T>
constexpr bool in_domain(std::string_view domain) {
  const char letter = kernel::is_bool<T>      ? 'b'
                      : kernel::is_integer<T> ? 'i'
                      : kernel::is_complex<T> ? 'c'
                                              : 'f';
  const bool widened = domain.find('w') != domain.npos;
  if (widened && !kernel::is_same<T, double> && !kernel::is_same<T, kernel::complex<double>>) return false;
  return domain.find(letter) != domain.npos;
}

// A table cannot be expanded inside the expansion of another, so the dtypes are a pack.
template<class Op, class... Types>
void check_row(std::string_view row, std::string_view signature, auto domain) {
  const auto check_one = [&]<class T>(const T*) {
    if constexpr (in_domain<T>(domain())) check<T>(row, signature, loop<Op, T>);
  };
  (check_one(static_cast<const Types*>(nullptr)), ...);
}

struct row {
  const char* name;
  void (*check)();
};

// Functions, not test cases: those would count as being in ufuncs.def, where no --source-file filter finds
// them.
#define GPARRAY_UFUNC_ROW(name, signature, domain, work, expression, doc)                                 \
  {#name, [] {                                                                                            \
     check_row<kernel::name##_op, bool, signed char, short, int, long, unsigned char, unsigned short,     \
               unsigned, unsigned long, gparray::float16, gparray::bfloat16, float, double,               \
               kernel::complex<float>, kernel::complex<double>>(#name, #signature,                        \
                                                                [] { return std::string_view(domain); }); \
   }},
constexpr row rows[] = {
#include <gparray/tables/ufuncs.def>
};

}  // namespace

TEST_CASE("kernel: every row of ufuncs.def, for every dtype, gives what NumPy gives") {
  for (const row& r : rows) r.check();
}
