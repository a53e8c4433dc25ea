#include <doctest/doctest.h>

#include <gparray/error.hpp>
#include <gparray/runtime/show_config.hpp>

namespace gp = gparray;

TEST_CASE("the configuration has a part for each subject") {
  const std::string text = gp::show_config();
  CHECK(text.find("gparray 0.") == 0);
  for (const char* part : {"\ndevices\n  cpu ", "\nlibraries\n  OpenBLAS ", "\ncompiled kernels\n  folder ",
                           "\nenvironment\n  GPARRAY_DEVICE"})
    CHECK_MESSAGE(text.find(part) != text.npos, part);
  CHECK(gp::show_config("json").find("{\"version\": \"0.") == 0);
  CHECK_THROWS_WITH_AS((void)gp::show_config("yaml"),
                       "show_config: the mode is \"text\" or \"json\", not \"yaml\"", gp::value_error);
}
