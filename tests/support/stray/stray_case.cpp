// What a file would be that declared a case without its suite: gparray_stray_test must complain.
#include <doctest/doctest.h>

TEST_SUITE("test_stray") {
  DOCTEST_TEST_CASE("in its suite") { CHECK(true); }
}
DOCTEST_TEST_CASE("lost") { CHECK(true); }
