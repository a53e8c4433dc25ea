// std::format, where the standard library has it, prints what operator<< prints.
#include <version>

#include <doctest/doctest.h>
#if defined(__cpp_lib_format)
#include <sstream>

#include <gparray/gparray.hpp>
#include <gparray/std_format.hpp>

namespace gp = gparray;

TEST_CASE("std::format of arrays and of what describes them") {
  const gp::ndarray<double> a{{1, 2.5}, {3, 4}};
  CHECK(std::format("{}", a) == gp::array_str(a));
  CHECK(std::format("{}", a * 2) == "[[2. 5.]\n [6. 8.]]");
  CHECK(std::format("{}", static_cast<const gp::any_array&>(a)) == gp::array_str(a));
  CHECK(std::format("{:>6}|{}", gp::ndarray<int>{1}, gp::dtype::float32) == "   [1]|float32");
  CHECK(std::format("{} {}", gp::dims{2, 3}, gp::device("cuda:1")) == "(2, 3) cuda:1");
  std::ostringstream text;
  const auto s = gp::sparse::eye<double>(2);
  text << s;
  CHECK(std::format("{}", s) == text.str());
}
#else
#include <stdexcept>

TEST_CASE("std::format of arrays") { throw std::runtime_error("not here: <format> of the compiler"); }
#endif
