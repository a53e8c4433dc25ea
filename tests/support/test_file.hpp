// Included by the build before everything else in each test file: files the test cases of that file under its
// name, also those that a macro in a table (*.def) declares, whose __FILE__ is the table's.
#pragma once
#include <ostream>
#include <set>
#include <string>

#include <doctest/doctest.h>

/// "tests/fft/test_fft.cpp" is the suite "test_fft".
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

/// What CAPTURE makes: shows a value when a check after it fails. doctest's makes a class for each place,
/// which takes a tenth of the time in which tests are compiled.
class captured_value final : public doctest::detail::ContextScopeBase {
 public:
  template<class Value>
  captured_value(const char* name, const Value& value)
      : name_(name),
        value_(&value),
        text_([](const void* v) { return doctest::toString(*static_cast<const Value*>(v)); }) {}
  ~captured_value() override { destroy(); }
  void stringify(std::ostream* stream) const override { *stream << name_ << " := " << text_(value_); }

 private:
  const char* name_;
  const void* value_;
  doctest::String (*text_)(const void*);
};

#undef CAPTURE
#define CAPTURE(x) CAPTURE_AS(DOCTEST_ANONYMOUS(captured_), DOCTEST_ANONYMOUS(shown_), x)
#define CAPTURE_AS(reference, shown, x) \
  const auto& reference = x;            \
  const captured_value shown(#x, reference)
