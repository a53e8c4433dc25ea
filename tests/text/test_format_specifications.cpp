// Specifications of fmt are those of an array's elements, and several arrays print as Python's tuple of them.
#include <complex>

#include <doctest/doctest.h>

#include <gparray/format.hpp>
#include <gparray/gparray.hpp>

#include "support/error_text.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

/// What repr says besides NumPy's text.
std::string device_text() {
  const gp::device d = gp::default_device();
  return d.is_cpu() ? "" : ", device='" + d.str() + "'";
}

}  // namespace

TEST_CASE("floats by a specification") {
  const gp::ndarray<double> a{{1., 2.5}, {-30., 1e-3}};
  CHECK(fmt::format("{:.3f}", a) == "[[  1.000   2.500]\n [-30.000   0.001]]");
  CHECK(fmt::format("{:.2}", gp::ndarray<double>{3.14159, 2.71828}) == "[3.1 2.7]");
  CHECK(fmt::format("{:>9.2e}", a(0)) == "[ 1.00e+00  2.50e+00]");
  CHECK(fmt::format("{:8}", a(0)) == "[       1      2.5]");
  CHECK(fmt::format("{:<6.1f}", a(0)) == "[1.0    2.5   ]");
  CHECK(fmt::format("{:*^7.1f}", a(0)) == "[**1.0** **2.5**]");
  CHECK(fmt::format("{:·>5.1f}", a(0)) == "[··1.0 ··2.5]");
  CHECK(fmt::format("{:+.1f}", a(0)) == "[+1.0 +2.5]");
  CHECK(fmt::format("{:07.2f}", a(1)) == "[-030.00 0000.00]");
  CHECK(fmt::format("{:g}", a.astype<float>()(0) + 0.1f) == "[1.1 2.6]");
  CHECK(fmt::format("{}", a(0)) == "[1.  2.5]");  // none: NumPy's
  CHECK(fmt::format("{:.2f}", gp::ndarray<gp::float16>{0.5, 2}) == "[0.50 2.00]");
  CHECK(fmt::format("{:.1f}", gp::zeros({0})) == "[]");
  CHECK(fmt::format("{:.1f}", gp::arange<double>(3) * 2.0) == "[0.0 2.0 4.0]");
}

TEST_CASE("integers, truth values and complex numbers by a specification") {
  const gp::ndarray<i64> a{10, 255, -1};
  CHECK(fmt::format("{:x}", a) == "[ a ff -1]");
  CHECK(fmt::format("{:#06x}", a) == "[0x000a 0x00ff -0x001]");
  CHECK(fmt::format("{:b}", gp::ndarray<std::uint8_t>{5, 2}) == "[101  10]");
  CHECK(fmt::format("{:>4d}", a) == "[  10  255   -1]");
  CHECK(fmt::format("{:5}", gp::ndarray<bool>{true, false}) == "[ True False]");
  CHECK(fmt::format("{:d}", gp::ndarray<bool>{true, false}) == "[1 0]");
  CHECK(fmt::format("{:.1f}", gp::array(std::vector<std::complex<double>>{{1, -2}, {0.25, 3}})) ==
        "[1.0-2.0j 0.2+3.0j]");
  CHECK(fmt::format("{:x}", gp::array(std::vector<std::uint64_t>{~std::uint64_t{0}})) ==
        "[ffffffffffffffff]");
}

TEST_CASE("an array of no dimensions is a number") {
  const gp::ndarray<double> a{1.5, 2.25};
  CHECK(fmt::format("{:.3f}", gp::sum(a)) == "3.750");
  CHECK(fmt::format("{:8.1f}|", a.max()) == "     2.2|");
  CHECK(fmt::format("{:>6}|", gp::argmax(a)) == "     1|");
  CHECK(fmt::format("{}", gp::sum(a)) == "3.75");
}

TEST_CASE("long arrays are summarised and long lines wrapped as without a specification") {
  CHECK(fmt::format("{:.1f}", gp::arange<double>(2000)) == "[   0.0    1.0    2.0 ... 1997.0 1998.0 1999.0]");
  const std::string text = fmt::format("{:.3f}", gp::arange<double>(20));
  CHECK(text.substr(0, 13) == "[ 0.000  1.00");
  CHECK(contains(text, "\n "));
}

TEST_CASE("formats that do not suit are refused") {
  const gp::ndarray<double> a{1.};
  const auto at_run_time = [](const char* format, const auto& x) {
    return fmt::vformat(format, fmt::make_format_args(x));
  };
  CHECK_THROWS_AS(at_run_time("{:x}", a), fmt::format_error);
  CHECK_THROWS_AS(at_run_time("{:.2}", gp::ndarray<i64>{1}), fmt::format_error);
  CHECK_THROWS_AS(at_run_time("{:f}", gp::ndarray<i64>{1}), fmt::format_error);
  CHECK_THROWS_AS(at_run_time("{:s}", a), fmt::format_error);
  CHECK_THROWS_AS(at_run_time("{:.}", a), fmt::format_error);
  CHECK_THROWS_AS(at_run_time("{:9999999}", a), fmt::format_error);
  CHECK_THROWS_AS(at_run_time("{:{}}", a), fmt::format_error);
  const gp::any_array untyped = a;
  CHECK(fmt::format("{:.1f}", untyped) == "[1.0]");
  CHECK_THROWS_AS(at_run_time("{:x}", untyped), gp::value_error);
}

TEST_CASE("several arrays are a tuple") {
  const gp::ndarray<double> a{0., 5., 6.};
  const std::string d = device_text();
  CHECK(fmt::format("{}", gp::nonzero(a)) == "(array([1, 2]" + d + "),)");
  CHECK(fmt::format("found {}", gp::nonzero(a)) == "found (array([1, 2]" + d + "),)");
  CHECK(fmt::format("{}", std::pair(gp::ndarray<i64>{1, 2}, a)) ==
        "(array([1, 2]" + d + "), array([0., 5., 6.]" + d + "))");
  CHECK(fmt::format("{}", std::tuple(a, a, gp::ndarray<bool>{true})) ==
        "(array([0., 5., 6.]" + d + "), array([0., 5., 6.]" + d + "), array([ True]" + d + "))");
  CHECK(fmt::format("{}", gp::unpack<2>(gp::ndarray<i64>{{1, 2}, {3, 4}})) ==
        "(array([1, 2]" + d + "), array([3, 4]" + d + "))");
  CHECK(fmt::format("{:.1f}", std::pair(a, gp::sum(a))) == "([0.0 5.0 6.0], 11.0)");
  CHECK(fmt::format("{:x}", gp::unstack(gp::ndarray<i64>{{10, 2}, {3, 4}})) == "([a 2], [3 4])");
  CHECK(fmt::format("{}", std::vector<gp::ndarray<double>>{}) == "()");
  CHECK(fmt::format("{}", std::vector<gp::any_array>{a}) == "(array([0., 5., 6.]" + d + "),)");
}

TEST_CASE("what describes arrays is not quoted within a range") {
  CHECK(fmt::format("{}", std::vector<gp::dtype>{gp::dtype::float32}) == "[float32]");
  CHECK(fmt::format("{}", std::vector<gp::dims>{{2, 3}}) == "[(2, 3)]");
  CHECK(fmt::format("{}", std::vector<gp::device>{gp::device("cpu")}) == "[cpu]");
  CHECK(fmt::format("{:>9}", gp::dtype::float32) == "  float32");
}
