// cast between every two dtypes against NumPy's astype on x86 (kernel/ufuncs.txt), out-of-range values
// included.
#include <algorithm>

#include <doctest/doctest.h>

#include "kernel/golden_ufuncs.hpp"

namespace {

using namespace golden_test;

/// Every bit counts, but for the sign of a NaN.
template<class T>
bool same(T x, T y) {
  if constexpr (kernel::is_complex<T>) return same_real(x.re, y.re) && same_real(x.im, y.im);
  else if constexpr (kernel::is_real<T> || kernel::is_half<T>) return same_real(x, y);
  else return x == y;
}

void report(const std::string& from, const std::string& to, std::size_t cases, std::size_t expected,
            const std::string& wrong) {
  INFO(from, " to ", to);
  REQUIRE(cases > 0);
  REQUIRE(expected == cases);
  CHECK_MESSAGE(wrong.empty(), wrong);
}

template<class From, class To>
void check_cast() {
  const std::vector<From> in = parse_all<From>("castable " + dtype_of<From>());
  const std::vector<To> expected = parse_all<To>("cast " + dtype_of<From>() + " " + dtype_of<To>());
  std::string wrong;
  for (std::size_t k = 0; k < std::min(in.size(), expected.size()); ++k) {
    const To got = kernel::cast<To>(in[k]);
    if (!same(got, expected[k]))
      wrong += "\n  " + show(in[k]) + " gives " + show(got) + " instead of " + show(expected[k]);
  }
  report(dtype_of<From>(), dtype_of<To>(), in.size(), expected.size(), wrong);
}

template<class From, class... To>
void check_from() {
  (check_cast<From, To>(), ...);
}

template<class... Types>
void check_all() {
  (check_from<Types, Types...>(), ...);
}

}  // namespace

TEST_CASE("cast gives what astype gives, between every two dtypes") {
  check_all<bool, signed char, short, int, long, unsigned char, unsigned short, unsigned, unsigned long,
            gparray::float16, gparray::bfloat16, float, double, kernel::complex<float>,
            kernel::complex<double>>();
}
