// What an error says, for tests of error texts.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

/// The text of the Error that call() throws; another exception passes on.
template<class Error, class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

/// A copy of the Error that call() throws, null if it throws none; another exception passes on.
template<class Error, class Call>
std::shared_ptr<Error> caught(Call call) {
  try {
    call();
  } catch (const Error& e) {
    return std::make_shared<Error>(e);
  }
  return nullptr;
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

inline void check_contains(std::string_view text, std::string_view part) {
  INFO(std::string(text), " contains ", std::string(part));
  CHECK(contains(text, part));
}
