// What happens where a library is missing: gparray_missing_test shows it with one that is nowhere.
#include <doctest/doctest.h>

#include <gparray/error.hpp>

namespace {

[[noreturn]] void fail_to_load(const char* name) {
  throw gparray::library_error(std::string(name) + " could not be loaded (" + name +
                               ": cannot open shared object file: No such file or "
                               "directory). Install it.");
}
int value_from_missing() { fail_to_load("libgparray_nowhere.so.7"); }

}  // namespace

TEST_SUITE("test_all_need_it") {
  DOCTEST_TEST_CASE("thrown") { fail_to_load("libgparray_nowhere.so.7"); }
  DOCTEST_TEST_CASE("in a check") { CHECK(value_from_missing() == 1); }
}
TEST_SUITE("test_one_needs_it") {
  DOCTEST_TEST_CASE("needs it") { fail_to_load("libgparray_nowhere.so.7"); }
  DOCTEST_TEST_CASE("does not") { CHECK(true); }
}
TEST_SUITE("test_one_is_wrong") {
  DOCTEST_TEST_CASE("needs it") { fail_to_load("libgparray_nowhere.so.7"); }
  DOCTEST_TEST_CASE("is wrong") { CHECK(1 == 2); }
}
TEST_SUITE("test_it_is_there") {
  DOCTEST_TEST_CASE("a library that could be loaded") { fail_to_load("libm.so.6"); }
}
