// Included by the build before everything else in each test file: files the test cases of that file under its
// name, also those that a macro in a table (*.def) declares, whose __FILE__ is the table's.
#pragma once
#include <doctest/doctest.h>

#include <set>
#include <string>

/// "tests/test_fft.cpp" is the suite "test_fft".
inline const char* suite_of_file(const std::string& path) {
  static std::set<std::string> names;
  const std::size_t from = path.rfind('/') + 1;
  return names.insert(path.substr(from, path.rfind('.') - from)).first->c_str();
}

/// A source that includes several test files says which one it is at (cmake/join_tests.cmake).
#define TEST_FILE __BASE_FILE__

#undef TEST_CASE
#undef TEST_CASE_FIXTURE
#undef TEST_CASE_TEMPLATE
#define IN_SUITE_OF_FILE(...) __VA_ARGS__* doctest::test_suite(suite_of_file(TEST_FILE))
#define TEST_CASE(...) DOCTEST_TEST_CASE(IN_SUITE_OF_FILE(__VA_ARGS__))
#define TEST_CASE_FIXTURE(fixture, ...) DOCTEST_TEST_CASE_FIXTURE(fixture, IN_SUITE_OF_FILE(__VA_ARGS__))
#define TEST_CASE_TEMPLATE(name, type, ...) \
  DOCTEST_TEST_CASE_TEMPLATE(IN_SUITE_OF_FILE(name), type, __VA_ARGS__)
