// Text files as savetxt writes them; numbers in them are those that Python's % writes.
#include <cmath>
#include <fstream>
#include <iterator>

#include <gparray/files.hpp>

#include "support/golden.hpp"
#include "support/temporary_folder.hpp"

namespace gp = gparray;
using c128 = std::complex<double>;

namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What savetxt writes of one number, without the end of the line.
std::string written(const char* fmt, const gp::any_array& number) {
  const temporary_folder folder;
  const std::string file = (folder.path / "a.txt").string();
  gp::savetxt(file, gp::detail::at_least(number, 1), {.fmt = fmt, .newline = ""});
  return text_of(file);
}

gp::any_array number(double x) { return gp::array(x); }
gp::any_array whole(std::int64_t x) { return gp::array(x); }
gp::any_array natural(std::uint64_t x) { return gp::array(x); }

const double NaN = std::nan("");
const double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("integers of floating-point numbers") {
  GOLDEN("'%d' % 1e300", written("%d", number(1e300)));
  GOLDEN("'%d' % -1e22", written("%d", number(-1e22)));
  GOLDEN("'%d' % 9223372036854775808.0", written("%d", number(0x1p63)));
  GOLDEN("'%d' % -9223372036854775808.0", written("%d", number(-0x1p63)));
  GOLDEN("'%i' % 9223372036854774784.0", written("%i", number(9223372036854774784.0)));
  GOLDEN("'%d' % 1.7976931348623157e308", written("%d", number(1.7976931348623157e308)));
  GOLDEN("'%d' % 1.99", written("%d", number(1.99)));
  GOLDEN("'%d' % -1.99", written("%d", number(-1.99)));
  GOLDEN("'%d' % -1.0", written("%d", number(-1)));
  GOLDEN("'%d' % -0.9999999999999999", written("%d", number(-.9999999999999999)));
  GOLDEN("'%d' % -0.5", written("%d", number(-.5)));
  GOLDEN("'%+d' % -0.5", written("%+d", number(-.5)));
  GOLDEN("'%+30d' % 1e22", written("%+30d", number(1e22)));
  GOLDEN("'%030d' % -1e22", written("%030d", number(-1e22)));
  GOLDEN("'%.30d' % 1e22", written("%.30d", number(1e22)));
  GOLDEN("' (%d%+dj)' % (3, -1e20)", written("%d", gp::array(c128(3.5, -1e20))));
  GOLDEN("'%d' % np.float32(1e30)", written("%d", gp::array(1e30f)));
}

TEST_CASE("numbers that are no integers") {
  GOLDEN_THROWS("'%d' % NAN", written("%d", number(NaN)));
  GOLDEN_THROWS("'%5i' % -NAN", written("%5i", number(-NaN)));
  GOLDEN_THROWS("'%d' % INF", written("%d", number(infinity)));
  GOLDEN_THROWS("'%u' % -INF", written("%u", number(-infinity)));
  GOLDEN_THROWS("'%d' % np.float16(NAN)", written("%d", gp::array(gp::float16(NaN))));
  GOLDEN_THROWS("'%d%+dj' % (1, INF)", written("%d", gp::array(c128(1, infinity))));
  // The file is not touched.
  const temporary_folder folder;
  const std::string file = (folder.path / "a.txt").string();
  std::ofstream(file) << "old";
  CHECK_THROWS_AS(gp::savetxt(file, gp::array({1., NaN}), {.fmt = "%d"}), gp::value_error);
  std::ifstream in(file);
  CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == "old");
}

TEST_CASE("flags, widths and precisions of integers") {
  GOLDEN("'%5d|' % 42", written("%5d|", whole(42)));
  GOLDEN("'%-5d|' % -42", written("%-5d|", whole(-42)));
  GOLDEN("'%05d' % -42", written("%05d", whole(-42)));
  GOLDEN("'%-05d|' % 42", written("%-05d|", whole(42)));
  GOLDEN("'% d' % 42", written("% d", whole(42)));
  GOLDEN("'% +d' % 42", written("% +d", whole(42)));
  GOLDEN("'%08.3d' % 5", written("%08.3d", whole(5)));
  GOLDEN("'%8.3d' % -5", written("%8.3d", whole(-5)));
  GOLDEN("'%.0d' % 0", written("%.0d", whole(0)));
  GOLDEN("'%.d' % 7", written("%.d", whole(7)));
  GOLDEN("'%u' % -5", written("%u", whole(-5)));
  GOLDEN("'%ld' % -5", written("%ld", whole(-5)));
  GOLDEN("'%+u' % 5", written("%+u", natural(5)));
  GOLDEN("'%+d' % 18446744073709551615", written("%+d", natural(~std::uint64_t{0})));
  GOLDEN("'%d' % -9223372036854775808", written("%d", whole(std::numeric_limits<std::int64_t>::min())));
  GOLDEN("'100%% of %d%%' % 3", written("100%% of %d%%", whole(3)));
  GOLDEN("'%d' % True", written("%d", gp::array(true)));
  for (const char* wrong : {"%5-d", "%.-1d", "%1.2.3d", "%5 d", "%lld", "%.", "%5", "%x", "%99999999999d"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(written(wrong, whole(1)), gp::value_error);
  }
}

TEST_CASE("floating-point numbers") {
  GOLDEN("'%.3e' % 12345.678", written("%.3e", number(12345.678)));
  GOLDEN("'%E' % -1e-5", written("%E", number(-1e-5)));
  GOLDEN("'%012.4f|' % -3.14159", written("%012.4f|", number(-3.14159)));
  GOLDEN("'%-12.4f|' % 3.14159", written("%-12.4f|", number(3.14159)));
  GOLDEN("'%+g' % 1e5", written("%+g", number(1e5)));
  GOLDEN("'%G' % 1e-10", written("%G", number(1e-10)));
  GOLDEN("'%g' % 0.1", written("%g", number(.1)));
  GOLDEN("'%.17g' % 0.1", written("%.17g", number(.1)));
  GOLDEN("'%#.0f' % 2.5", written("%#.0f", number(2.5)));
  GOLDEN("'%#.0e' % 2.5", written("%#.0e", number(2.5)));
  GOLDEN("'%#g' % 2.5", written("%#g", number(2.5)));
  GOLDEN("'%#.1g' % 1.0", written("%#.1g", number(1)));
  GOLDEN("'%#.3g' % 1e3", written("%#.3g", number(1e3)));
  GOLDEN("'%#.4G' % 1e-4", written("%#.4G", number(1e-4)));
  GOLDEN("'%#g' % -INF", written("%#g", number(-infinity)));
  GOLDEN("'%.0f' % 2.5", written("%.0f", number(2.5)));
  GOLDEN("'%.f' % 3.5", written("%.f", number(3.5)));
  GOLDEN("'%.0g' % 35.0", written("%.0g", number(35)));
  GOLDEN("'%.400f' % 1e300", written("%.400f", number(1e300)));
  GOLDEN("'%.60e' % 5e-324", written("%.60e", number(5e-324)));
  GOLDEN("'%f' % -0.0", written("%f", number(-0.)));
  GOLDEN("'%e' % 9007199254740993", written("%e", whole(9007199254740993)));
  GOLDEN("'%.1f' % 18446744073709551615", written("%.1f", natural(~std::uint64_t{0})));
  // A NaN has no sign, and zeros fill in front of what are no digits, too.
  GOLDEN("'%e' % -NAN", written("%e", number(-NaN)));
  GOLDEN("'%+08.2f' % NAN", written("%+08.2f", number(NaN)));
  GOLDEN("'%08G|' % -INF", written("%08G|", number(-infinity)));
  GOLDEN("'%-8f|' % INF", written("%-8f|", number(infinity)));
}

TEST_CASE("formats of rows, and lines around them") {
  const temporary_folder folder;
  const std::string file = (folder.path / "a.txt").string();
  const auto a = gp::array({{1., 2.5}, {-3., 4.}});
  gp::savetxt(file, a, {.fmt = {"%d", "%.2f"}, .delimiter = ";", .header = "x;y", .footer = "end"});
  CHECK(text_of(file) == "# x;y\n1;2.50\n-3;4.00\n# end\n");
  gp::savetxt(file, a, {.fmt = "%d -> %4.1f (100 %%)"});
  CHECK(text_of(file) == "1 ->  2.5 (100 %)\n-3 ->  4.0 (100 %)\n");
  CHECK_THROWS_AS(gp::savetxt(file, a, {.fmt = {"%d"}}), gp::value_error);
  CHECK_THROWS_AS(gp::savetxt(file, a, {.fmt = "%d %d %d"}), gp::value_error);
  CHECK(text_of(file) == "1 ->  2.5 (100 %)\n-3 ->  4.0 (100 %)\n");  // refused before it is touched
}
