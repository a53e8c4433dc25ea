#include <doctest/doctest.h>

#include <gparray/runtime/show_config.hpp>

namespace gp = gparray;

TEST_CASE("the version comes first") { CHECK(gp::show_config().find("gparray 0.") == 0); }
