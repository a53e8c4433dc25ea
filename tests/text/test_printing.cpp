// Arrays on any device print as NumPy prints them; the texts below are NumPy 2's.
#include <sstream>

#include <doctest/doctest.h>

#include <gparray/format.hpp>
#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

/// What repr says besides NumPy's text.
std::string device_text() {
  const gp::device d = gp::default_device();
  return d.is_cpu() ? "" : ", device='" + d.str() + "'";
}

gp::ndarray<double> counted(const gp::dims& shape) {
  std::int64_t size = 1;
  for (std::int64_t n : shape) size *= n;
  return gp::arange<double>(size).reshape(shape);
}

}  // namespace

TEST_CASE("fmt and streams print str(a)") {
  const gp::ndarray<double> a{{1., 2.5}, {-3., 1e-3}};
  const std::string expected = "[[ 1.0e+00  2.5e+00]\n [-3.0e+00  1.0e-03]]";
  CHECK(fmt::format("{}", a) == expected);
  std::ostringstream out;
  out << a;
  CHECK(out.str() == expected);
  CHECK(gp::array_str(a) == expected);
}

TEST_CASE("expressions, views, 0-d and empty arrays print too") {
  const gp::ndarray<std::int32_t> a{1, 2, 3};
  CHECK(fmt::format("{}", a + a) == "[2 4 6]");
  CHECK(fmt::format("{}", a("::-2")) == "[3 1]");
  CHECK(fmt::format("{}", gp::sum(a)) == "6");
  CHECK(fmt::format("{}", gp::ndarray<float>()) == "[]");
  CHECK(fmt::format("{}", gp::any_array(a)) == "[1 2 3]");
  CHECK(fmt::format("{:>3}", a) == "[  1   2   3]");
  CHECK(fmt::format("{}", gp::ndarray<bool>{true, false}) == "[ True False]");
  const gp::ndarray<double> square{{1., 2.}, {3., 4.}};
  CHECK(fmt::format("{}", square.T()) == "[[1. 3.]\n [2. 4.]]");
}

TEST_CASE("a pending expression that is printed keeps its value") {
  gp::ndarray<std::int64_t> a{1, 2};
  auto doubled = a + a;
  CHECK(fmt::format("{}", doubled) == "[2 4]");
  a += 1;
  CHECK(fmt::format("{}", doubled) == "[2 4]");
}

TEST_CASE("large arrays are summarised by their edges, wherever they lie") {
  CHECK(fmt::format("{}", counted({2000})) ==
        "[0.000e+00 1.000e+00 2.000e+00 ... 1.997e+03 1.998e+03 1.999e+03]");
  CHECK(fmt::format("{}", counted({40, 30})) ==
        "[[0.000e+00 1.000e+00 2.000e+00 ... 2.700e+01 2.800e+01 2.900e+01]\n"
        " [3.000e+01 3.100e+01 3.200e+01 ... 5.700e+01 5.800e+01 5.900e+01]\n"
        " [6.000e+01 6.100e+01 6.200e+01 ... 8.700e+01 8.800e+01 8.900e+01]\n"
        " ...\n"
        " [1.110e+03 1.111e+03 1.112e+03 ... 1.137e+03 1.138e+03 1.139e+03]\n"
        " [1.140e+03 1.141e+03 1.142e+03 ... 1.167e+03 1.168e+03 1.169e+03]\n"
        " [1.170e+03 1.171e+03 1.172e+03 ... 1.197e+03 1.198e+03 1.199e+03]]");
  const gp::ndarray<std::int64_t> a = gp::arange(1201).astype<std::int64_t>();
  CHECK(fmt::format("{}", a("::-1")) == "[1200 1199 1198 ...    2    1    0]");
  CHECK(gp::repr(a) ==
        "array([   0,    1,    2, ..., 1198, 1199, 1200], shape=(1201,)" + device_text() + ")");
}

TEST_CASE("repr names what the text does not say") {
  CHECK(gp::repr(gp::ndarray<double>{1., 2.}) == "array([1., 2.]" + device_text() + ")");
  CHECK(gp::array_repr(gp::ndarray<float>{1.f, 2.f}) ==
        "array([1., 2.], dtype=float32" + device_text() + ")");
  CHECK(gp::repr(gp::zeros<double>({0, 3})) == "array([], shape=(0, 3), dtype=float64" + device_text() + ")");
}

TEST_CASE("dtypes, shapes and devices have texts of their own") {
  const auto a = gp::zeros<float>({2, 3}, {.device = gp::device::cpu()});
  const auto streamed = [](const auto& x) {
    std::ostringstream out;
    out << x;
    return out.str();
  };
  CHECK(gp::repr(a.dtype()) == "dtype('float32')");
  CHECK(gp::repr(gp::dtype::bool_) == "dtype('bool')");
  CHECK(gp::repr(a.shape()) == "(2, 3)");
  CHECK(gp::repr(a.device()) == "device('cpu')");
  CHECK(gp::repr(gp::device::cuda(1)) == "device('cuda:1')");
  CHECK(streamed(a.dtype()) == "float32");
  CHECK(streamed(a.strides()) == "(12, 4)");
  CHECK(streamed(gp::device::cuda(0)) == "cuda:0");
  CHECK(gp::str(gp::dims{}) == "()");
  CHECK(gp::str(gp::dims{-5}) == "(-5,)");
  CHECK(fmt::format("{} {:>8}|{}", a.dtype(), a.shape(), a.device()) == "float32   (2, 3)|cpu");
}

TEST_CASE("print options are those of the thread, or given") {
  const gp::ndarray<double> thirds{1. / 3, 2. / 3};
  CHECK(gp::array2string(thirds, {.precision = 3}) == "[0.333 0.667]");
  CHECK(gp::array2string(thirds, {.precision = 3}, ", ") == "[0.333, 0.667]");
  {
    const gp::printoptions options({.precision = 2});
    CHECK(fmt::format("{}", thirds) == "[0.33 0.67]");
  }
  CHECK(fmt::format("{}", thirds) == "[0.33333333 0.66666667]");
  CHECK(fmt::format("{}", counted({2, 3})) == "[[0. 1. 2.]\n [3. 4. 5.]]");
  CHECK(gp::array2string(counted({2, 3}), {.threshold = 0, .edgeitems = 1}) == "[[0. ... 2.]\n [3. ... 5.]]");
  CHECK(gp::array2string(counted({5}), {.threshold = 0, .edgeitems = 0}) == "[... 4.]");
  CHECK_THROWS_AS(gp::array2string(thirds, {.edgeitems = -1}), gp::value_error);
}
