// Text files as they are read; integers are read and written as what they are.
#include <cmath>
#include <complex>
#include <fstream>
#include <limits>
#include <sstream>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/error_text.hpp"
#include "support/temporary_folder.hpp"

namespace gp = gparray;
using i64 = std::int64_t;
using u64 = std::uint64_t;

namespace {

struct folder : temporary_folder {
  std::string write(std::string_view text) const {
    std::ofstream(path / "a.txt", std::ios::binary) << text;
    return (path / "a.txt").string();
  }
  std::string read() const {
    std::stringstream text;
    text << std::ifstream(path / "a.txt", std::ios::binary).rdbuf();
    return text.str();
  }
};

template<class V>
std::vector<V> read(std::string_view text, const gp::genfromtxt_options& options = {}) {
  const folder f;
  return gp::genfromtxt<V>(f.write(text), options).to_vector();
}

}  // namespace

TEST_CASE("genfromtxt reads integers as integers") {
  CHECK(read<i64>("9007199254740993\n-9223372036854775808\n+5") ==
        std::vector<i64>{9007199254740993, std::numeric_limits<i64>::min(), 5});
  CHECK(read<u64>("18446744073709551615\n1") == std::vector<u64>{~u64{0}, 1});
  // What is no integer is missing, for which NumPy's int64 has -1.
  CHECK(read<i64>("inf\nnan\n1.7\n0x10\n1e3\n1.0\nx\n+-1\n7") ==
        std::vector<i64>{-1, -1, -1, -1, -1, -1, -1, -1, 7});
  CHECK(read<i64>("1,,3\n,5,x", {.delimiter = ",", .filling_values = -9007199254740993}) ==
        std::vector<i64>{1, -9007199254740993, 3, -9007199254740993, 5, -9007199254740993});
  CHECK(read<std::uint8_t>("1,,3\n4,5,x", {.delimiter = ",", .filling_values = 7}) ==
        std::vector<std::uint8_t>{1, 7, 3, 4, 5, 7});
  CHECK(read<i64>("x\n1", {.filling_values = 1.5}) == std::vector<i64>{1, 1});
}

TEST_CASE("genfromtxt refuses integers that the dtype does not hold") {
  CHECK_THROWS_AS(read<i64>("9223372036854775808\n7"), gp::overflow_error);
  CHECK_THROWS_AS(read<u64>("-5\n7"), gp::overflow_error);
  CHECK_THROWS_AS(read<std::int8_t>("300\n7"), gp::overflow_error);
  CHECK_THROWS_AS(read<u64>("x\n7"), gp::overflow_error);  // the filling value is -1
  CHECK_THROWS_AS(read<std::uint8_t>("x\n7", {.filling_values = 256}), gp::overflow_error);
  CHECK_THROWS_AS(read<i64>("x\n7", {.filling_values = ~u64{0}}), gp::overflow_error);
  CHECK_THROWS_AS(read<i64>("x\n7", {.filling_values = std::nan("")}), gp::value_error);
  CHECK(read<u64>("7\n8", {.filling_values = -1}) == std::vector<u64>{7, 8});  // not needed
}

TEST_CASE("genfromtxt reads the other dtypes as they are") {
  using c128 = std::complex<double>;
  CHECK(read<c128>("1+2j\n(3-4j)\n5") == std::vector<c128>{{1, 2}, {3, -4}, {5, 0}});
  CHECK(read<bool>("True\nfalse\nTRUE\nx\n1") == std::vector<bool>{true, false, true, false, true});
  const std::vector<double> real = read<double>("0x10\n1e400\n+2.5\n-inf\n-1e-400");
  CHECK(std::isnan(real[0]));
  CHECK(real[1] == std::numeric_limits<double>::infinity());
  CHECK(real[2] == 2.5);
  CHECK(real[3] == -std::numeric_limits<double>::infinity());
  CHECK((real[4] == 0 && std::signbit(real[4])));
}

TEST_CASE("a lone carriage return ends a line") {
  const folder f;
  const std::vector<i64> expected{1, 2, 3, 4};
  for (const char* text :
       {"1 2\r3 4", "1 2\r\n3 4\r\n", "1 2\n3 4", "1 2 # one\r3 4\r", "\r\r\n1 2\r\n\r3 4"}) {
    CAPTURE(text);
    const auto a = gp::genfromtxt<i64>(f.write(text)), b = gp::loadtxt<i64>(f.write(text));
    CHECK(a.shape() == gp::dims{2, 2});
    CHECK(a.to_vector() == expected);
    CHECK(b.to_vector() == expected);
  }
  CHECK(gp::loadtxt<i64>(f.write("x\ry\r1\r2"), {.skiprows = 2}).to_vector() == std::vector<i64>{1, 2});
}

TEST_CASE("loadtxt and fromstring take nothing for a number that is none") {
  const folder f;
  for (const char* text : {"300", "-129", "1.7", "0x10", "inf", "+-1"}) {
    CAPTURE(text);
    CHECK_THROWS_AS((void)gp::loadtxt<std::int8_t>(f.write(text)), gp::value_error);
  }
  CHECK_THROWS_AS((void)gp::loadtxt<double>(f.write("0x10")), gp::value_error);
  CHECK_THROWS_AS((void)gp::fromstring<double>("0x10 1"), gp::value_error);
  CHECK_THROWS_AS((void)gp::fromstring<i64>("1.7 1"), gp::value_error);
  CHECK(gp::loadtxt<std::int8_t>(f.write("-128 127")).to_vector() == std::vector<std::int8_t>{-128, 127});
  CHECK(gp::loadtxt<double>(f.write("+1.5 -2e3")).to_vector() == std::vector<double>{1.5, -2000});
}

TEST_CASE("uint64 beyond int64 is written as what it is") {
  const folder f;
  const gp::ndarray<u64> a = gp::array<u64>({~u64{0}, 1});
  const std::string file = f.write("");
  gp::savetxt(file, a, {.fmt = "%d"});
  CHECK(f.read() == "18446744073709551615\n1\n");
  gp::savetxt(file, a);
  CHECK(f.read() == "1.844674407370955162e+19\n1.000000000000000000e+00\n");
  gp::tofile(a, file, ",");
  CHECK(f.read() == "18446744073709551615,1");
}

TEST_CASE("genfromtxt: columns, rows and lines that are asked for") {
  const temporary_folder folder;
  const std::string file = (folder.path / "a.txt").string();
  std::ofstream(file) << "h\n1,,3\n4,5,6\n7,8,9\n";
  const gp::genfromtxt_options some{.delimiter = ",",
                                    .skip_header = 1,
                                    .filling_values = -1,
                                    .usecols = {0, -2},
                                    .unpack = true,
                                    .max_rows = 2};
  const auto columns = gp::genfromtxt(file, some);
  CHECK(columns.shape() == gp::dims{2, 2});
  CHECK(columns.to_vector() == std::vector<double>{1, 4, -1, 5});
  CHECK_THROWS_AS(gp::genfromtxt(file, {.delimiter = ",", .skip_header = 1, .usecols = {3}}),
                  gp::value_error);
}
