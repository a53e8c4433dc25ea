// Print options, argument errors, and which elements printing reads.
#include <cstdint>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>

#include <gparray/error.hpp>
#include <gparray/text/print_options.hpp>

#include "format/array.hpp"

namespace core = gparray::core;

TEST_CASE("print options: set, get, restore, one set per thread") {
  CHECK(gparray::get_printoptions().precision == 8);
  {
    const gparray::printoptions guard({.precision = 3});
    CHECK(gparray::get_printoptions().precision == 3);
    int elsewhere = 0;
    std::thread([&] { elsewhere = gparray::get_printoptions().precision; }).join();
    CHECK(elsewhere == 8);
  }
  CHECK(gparray::get_printoptions().precision == 8);
}

TEST_CASE("print options: those that are not named stay") {
  const gparray::printoptions whole(gparray::print_options::defaults());
  gparray::set_printoptions({.precision = 3, .nanstr = "-"});
  gparray::set_printoptions({.suppress = true});
  CHECK(gparray::get_printoptions().precision == 3);
  CHECK(gparray::get_printoptions().nanstr == "-");
  {
    const gparray::printoptions inner({.threshold = 5});
    CHECK(gparray::get_printoptions().suppress);
    CHECK(gparray::get_printoptions().threshold == 5);
  }
  CHECK(gparray::get_printoptions().threshold == 1000);
  gparray::set_printoptions({});
  CHECK(gparray::get_printoptions().precision == 3);
  gparray::set_printoptions(gparray::print_options::defaults());
  CHECK(gparray::get_printoptions().precision == 8);
  CHECK(gparray::get_printoptions().nanstr == "nan");
}

TEST_CASE("print options: refused values leave the options as they were") {
  CHECK_THROWS_WITH_AS(gparray::set_printoptions({.sign = 'x'}),
                       "sign option must be one of ' ', '+', or '-'", gparray::value_error);
  CHECK_THROWS_WITH_AS(
      gparray::set_printoptions({.precision = 5, .floatmode = "exact"}),
      "floatmode option must be one of \"fixed\", \"unique\", \"maxprec\", \"maxprec_equal\"",
      gparray::value_error);
  CHECK_THROWS_WITH_AS(gparray::set_printoptions({.precision = -1}), "precision must be >= 0",
                       gparray::value_error);
  CHECK_THROWS_WITH_AS(gparray::set_printoptions({.edgeitems = -1}), "edgeitems must be >= 0",
                       gparray::value_error);
  CHECK(gparray::get_printoptions().precision == 8);
}

TEST_CASE("float formatters: argument errors have NumPy's text") {
  CHECK_THROWS_WITH_AS(gparray::format_float_positional(1.5, {.precision = -1}), "precision must be >= 0",
                       gparray::value_error);
  CHECK_THROWS_WITH_AS(gparray::format_float_scientific(1.5, {.exp_digits = -1}), "exp_digits must be >= 0",
                       gparray::value_error);
  CHECK_THROWS_WITH_AS(gparray::format_float_positional(1.5, {.unique = false}),
                       "in non-unique mode `precision` must be supplied", gparray::type_error);
  CHECK_THROWS_WITH_AS(gparray::format_float_scientific(1.5, {.precision = 2, .min_digits = 3}),
                       "min_digits must be less than or equal to precision", gparray::value_error);
  CHECK_THROWS_WITH_AS(gparray::format_float_positional(1.5, {.precision = 0, .fractional = false}),
                       "precision must be greater than 0 if fractional=False", gparray::value_error);
  CHECK_THROWS_WITH_AS(gparray::format_float_positional(1.5, {.trim = 'x'}),
                       "if supplied, trim must be 'k', '.', '0' or '-' found `x`", gparray::type_error);
}

TEST_CASE("float formatters: bfloat16 has its own shortest digits") {
  CHECK(gparray::format_float_positional(gparray::bfloat16(0.1f)) == "0.1");
  CHECK(gparray::format_float_scientific(gparray::bfloat16(1.0f / 3), {.trim = '-'}) == "3.34e-01");
}

TEST_CASE(
    "bfloat16 scalars: positional while every digit is significant, finfo(bfloat16).precision being 2") {
  const gparray::bfloat16 values[] = {gparray::bfloat16(99.5f), gparray::bfloat16(100.f),
                                      gparray::bfloat16(-0.f)};
  CHECK(core::scalar_str('E', &values[0]) == "99.5");
  CHECK(core::scalar_str('E', &values[1]) == "1e+02");
  CHECK(core::scalar_str('E', &values[2]) == "-0.0");
}

TEST_CASE("digits far beyond a double's own do not exhaust the arithmetic") {
  const std::string text = gparray::format_float_scientific(0.1, {.min_digits = 2000});
  CHECK(text.size() == 2006);
  CHECK(text.substr(0, 62) == "1.000000000000000055511151231257827021181583404541015625000000");
}

TEST_CASE("summarised arrays read only what they show") {
  // Two readable pages at either end of a reserved range that nothing else may touch.
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), size = std::size_t{1} << 33;
  void* const range = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(range != MAP_FAILED);
  char* const first = static_cast<char*>(range);
  REQUIRE(mprotect(first, page, PROT_READ | PROT_WRITE) == 0);
  REQUIRE(mprotect(first + size - page, page, PROT_READ | PROT_WRITE) == 0);

  const std::int64_t count = static_cast<std::int64_t>(size / sizeof(double)), stride = sizeof(double);
  static_cast<double*>(range)[0] = 1.5;
  static_cast<double*>(range)[count - 1] = -2;
  const core::host_view view{'d', range, 1, &count, &stride};
  CHECK(core::array_str(view, {}) == "[ 1.5  0.   0.  ...  0.   0.  -2. ]");
  CHECK(core::array_str(view, {.edgeitems = 0}) == "[... -2.]");
  munmap(range, size);
}

TEST_CASE("an unknown dtype code is an error") {
  const int value = 0;
  CHECK_THROWS_AS(core::array_str({'x', &value, 0, nullptr, nullptr}, {}), gparray::type_error);
}
