// Which names the text of a GPARRAY_UFUNC may use: what works on the CPU works on a GPU.
#include <cmath>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using gp::detail::unknown_name;

namespace {

// One definition for each kind of name that is known.
GPARRAY_UFUNC(of_functions, (x, y), hypot(x, y) + fma(x, y, T(1)) + min(x, y));
GPARRAY_UFUNC(of_constants, (x), x* T(M_PI) + (x == T(INFINITY) ? T(NAN) : T(1e-5) + T(0x1p+3) + T(1'000)));
GPARRAY_UFUNC(of_types, (x), static_cast<T>(static_cast<unsigned long long>(x)) + T(sizeof(double)));
GPARRAY_UFUNC(of_locals, (x), [&] {
  T square = x * x;
  const auto& same = square;
  for (int i = 0; i < 3; ++i) square += same;
  return square;
}());

}  // namespace

TEST_CASE("names: those that GPUs know compile") {
  const gp::ndarray<double> a{3}, b{4};
  CHECK(of_functions(a, b).item() == 5 + 13 + 3);
  CHECK(of_constants(a).item() == 3 * M_PI + (1e-5 + 8. + 1000.));
  CHECK(of_types(a).item() == 3 + 8);
  CHECK(of_locals(a).item() == 72);
}

TEST_CASE("names: others are found while the program is compiled") {
  static_assert(unknown_name("(x)", "std::sin(x)") == "std::sin");
  static_assert(unknown_name("(x)", "T(1) / std :: exp(x)") == "std :: exp");
  static_assert(unknown_name("(x)", "x * std::numbers::pi_v<T>") == "std::numbers::pi_v");
  static_assert(unknown_name("(x)", "::sin(x)") == "sin");
  static_assert(unknown_name("(x)", "constants::g * x") == "constants::g");
  static_assert(unknown_name("(x)", "x + offset") == "offset");
  static_assert(unknown_name("(x)", "x & mask") == "mask");
  static_assert(unknown_name("(x)", "T(x) * y") == "y");
  static_assert(unknown_name("(x, min)", "x < min ? 1 : smoothstep(x)") == "smoothstep");
  static_assert(unknown_name("(x)", "__builtin_popcount(x)") == "__builtin_popcount");
  static_assert(unknown_name("(x)", "[&] { T y = x; return y + z; }()") == "z");
  // Not taken for names: suffixes, exponents, text, members.
  static_assert(unknown_name("(x)", "x + 1.5e-3f + 0x1.8p-2 + 1'000ull + .5L").empty());
  static_assert(unknown_name("(x)", "__builtin_nan(\"name\") + 'c'").empty());
  static_assert(unknown_name("(x)", "x.real + x->imag").empty());
  static_assert(gp::detail::is_known_to_gpus<unknown_name("(x)", "sin(x)")>());
}
