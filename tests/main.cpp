// Runs the tests on the device that GPARRAY_DEVICE names (cpu when it is not set).
// Exit status: 0 passed, 1 failed, 77 that device is not there. With --probe it only looks for the device.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <set>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include <gparray/device.hpp>
#include <gparray/error.hpp>
#include <gparray/memory.hpp>

#include "support/missing_cases.hpp"
#include "support/test_path.hpp"
#include "support/threads_used.hpp"
#include "support/tools.hpp"

std::string test_path(const std::string& name) { return std::string(GPARRAY_TEST_DATA "/") + name; }

namespace {

constexpr int exit_skipped = 77;

std::string wanted_device() {
  const char* text = std::getenv("GPARRAY_DEVICE");
  return text && *text ? text : "cpu";
}

#if GPARRAY_HAS_CUDA
// Asks the driver and not gparray: were the library to lose a GPU, the tests must fail, not be skipped.
int driver_device_count() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!driver) return 0;
  const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto get_count = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  int count = 0;
  if (!init || !get_count || init(0) != 0 || get_count(&count) != 0) return 0;
  return count;
}
#endif

/// Why the device cannot be used, or an empty text if it can.
std::string reason_to_skip(const std::string& device) {
  if (device == "cpu") return "";
#if GPARRAY_HAS_CUDA
  const int index = device.starts_with("cuda:") ? std::atoi(device.c_str() + 5) : 0;
  const int count = driver_device_count();
  if (count == 0) return "no GPU";
  return index < count ? "" : "only " + std::to_string(count) + " GPU(s)";
#else
  return "built without CUDA";
#endif
}

unsigned test_cases_run = 0;
std::set<std::string> suites_run;
std::string stray_test_case;

/// Whether this process is one of several ranks: its GPU is of its number, and what the ranks share stays
/// until it ends.
const bool is_a_rank = std::getenv("GPARRAY_TEST_RANKS") != nullptr;

/// Bytes of arrays on the CPU.
std::size_t living_bytes() {
  return gparray::default_memory_pool(gparray::memory_space::host, gparray::device::cpu()).used_bytes();
}

/// And on the GPU that the tests run on, without what each stream keeps there for its reductions, which are a
/// power of two.
std::size_t living_bytes_on_gpu() {
  constexpr std::size_t kept_for_a_stream = 1 << 16;
  const gparray::device tested(wanted_device());
  if (tested.is_cpu() || is_a_rank) return 0;
  try {
    return gparray::default_memory_pool(gparray::memory_space::device, tested).used_bytes() %
           kept_for_a_stream;
  } catch (const gparray::device_fault&) {
    return 0;  // the test case was about that
  }
}

std::size_t bytes_before = 0;
std::string leaking_test_cases;

struct case_counter : doctest::IReporter {
  explicit case_counter(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData& data) override {
    ++test_cases_run;
    suites_run.insert(data.m_test_suite);
    note_suite(data);
    name_ = data.m_name;
    bytes_before = living_bytes() + living_bytes_on_gpu();
  }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {
    const std::size_t now = living_bytes() + living_bytes_on_gpu();
    if (now > bytes_before)
      leaking_test_cases += "\n  " + name_ + ": " + std::to_string(now - bytes_before) + " bytes";
  }
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  // CTest runs the tests by file (test_file.hpp), so one in no suite would never run there.
  static void note_suite(const doctest::TestCaseData& data) {
    if (std::strncmp(data.m_test_suite, "test_", 5) != 0) stray_test_case = data.m_name;
  }
  void test_case_skipped(const doctest::TestCaseData& data) override { note_suite(data); }

 private:
  std::string name_;
};
REGISTER_LISTENER("case_counter", 1, case_counter);
REGISTER_LISTENER("missing_cases", 1, missing_cases::listener);

}  // namespace

int main(int argc, char** argv) {
  const std::string device = wanted_device();
  const std::string skipped = reason_to_skip(device);
  if (!skipped.empty()) {
    std::printf("%s skipped: %s\n", device.c_str(), skipped.c_str());
    return exit_skipped;
  }
  if (argc == 2 && std::strcmp(argv[1], "--probe") == 0) return 0;
  // A rank that fails ends without what is still in the buffer.
  if (is_a_rank) std::setvbuf(stdout, nullptr, _IOLBF, 0);

  doctest::Context context;
  context.applyCommandLine(argc, argv);
  const gparray::device tested(device);
  if (!context.shouldExit()) tools::begin(tested);
  const int result = context.run();
  if (context.shouldExit()) return result;
  // A filter that matches nothing must not count as a pass.
  if (test_cases_run == 0) {
    std::printf("no test case was run: check the filters\n");
    return 1;
  }
  if (!stray_test_case.empty()) {
    std::printf("'%s' is not in the suite of its file: declare it with TEST_CASE\n", stray_test_case.c_str());
    return 1;
  }
  if (!leaking_test_cases.empty()) {
    std::printf("arrays are alive after their test case:%s\n", leaking_test_cases.c_str());
    return 1;
  }
  if (device == "cpu" && !is_a_rank && suites_run.size() == 1 && threads_used::missing(*suites_run.begin())) {
    std::printf("%s uses threads: write it into tests/threads.txt, for ThreadSanitizer to look at it\n",
                suites_run.begin()->c_str());
    return 1;
  }
  // A new thread has the device that the environment asks for; the tests may have changed this one's.
  std::string used;
  std::thread([&] { used = gparray::default_device().str(); }).join();
  std::printf("backend: %s\n", used.c_str());
  if (used != device && !is_a_rank)
    return std::printf("the tests ran on %s, not on %s\n", used.c_str(), device.c_str()), 1;
  tools::end(tested);
  return missing_cases::status(result, exit_skipped, device);
}
