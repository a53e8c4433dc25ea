// A library that is not on the machine (SuperLU, FFTW, OpenBLAS) makes the cases that need it skipped, with
// the reason, and not failed. main.cpp includes it.
#pragma once
#include <cstdio>
#include <dlfcn.h>
#include <mutex>
#include <set>
#include <string>

#include <doctest/doctest.h>

namespace missing_cases {

/// What begins the exception of a case that was compiled without the header that it needs.
inline constexpr char not_here[] = "not here: ";

/// Whether the text is what open_library() says of a library that is nowhere. One that is there and cannot be
/// loaded, or that a test pretends is missing, is a failure like others.
inline bool says_missing(const std::string& text) {
  if (text.starts_with(not_here)) return true;
  const std::size_t end = text.find(" could not be loaded (");
  if (end == std::string::npos || text.find("No such file or directory", end) == std::string::npos)
    return false;
  const std::size_t stem_end = text.find(".so");
  if (stem_end >= end) return false;
  // The name is that of the newest version; an older one would do.
  const std::string stem = text.substr(0, stem_end + 3);
  for (int version = -1; version < 20; ++version) {
    const std::string file = version < 0 ? stem : stem + "." + std::to_string(version);
    if (void* const library = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL)) return dlclose(library), false;
  }
  return true;
}

inline std::mutex lock;
inline std::set<std::string> reasons;
inline unsigned other_failures = 0, cases_run = 0, cases_skipped = 0;
inline bool case_lacks = false;

inline void note_failure(std::string text) {
  if (text.starts_with('"'))
    text = text.substr(1, text.rfind('"') - 1);  // as doctest shows what a check threw
  const std::lock_guard guard(lock);
  if (!says_missing(text)) return void(++other_failures);
  case_lacks = true;
  reasons.insert(text);
}

struct listener : doctest::IReporter {
  explicit listener(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData&) override { case_lacks = false; }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    ++(case_lacks ? cases_skipped : cases_run);
    using reason = doctest::TestCaseFailureReason::Enum;
    // Anything but failed checks and exceptions, which are looked at one by one: a crash, time, a wrong
    // count.
    if (stats.failure_flags & ~static_cast<int>(reason::AssertFailure | reason::Exception)) ++other_failures;
  }
  void test_case_exception(const doctest::TestCaseException& e) override {
    note_failure(e.error_string.c_str());
  }
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& check) override {
    if (check.m_failed) note_failure(check.m_threw ? check.m_exception.c_str() : "");
  }
  void log_message(const doctest::MessageData& message) override {
    if (message.m_severity & doctest::assertType::is_warn) return;
    note_failure("");
  }
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

/// The status of a run whose only failures are libraries that are missing: 0, or `skipped` if no case was
/// run.
inline int status(int result, int skipped, const std::string& device) {
  if (result == 0 || other_failures != 0 || reasons.empty()) return result;
  std::string text;
  for (const std::string& reason : reasons) text += (text.empty() ? "" : "; ") + reason;
  std::printf("%u of %u test cases on %s not run to their end: %s\n", cases_skipped,
              cases_run + cases_skipped, device.c_str(), text.c_str());
  if (cases_run != 0) return 0;
  std::printf("%s skipped: %s\n", device.c_str(), text.c_str());
  return skipped;
}

}  // namespace missing_cases
