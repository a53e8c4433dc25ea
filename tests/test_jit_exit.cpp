// The thread that compiles, and programs that end while it does.
#include <doctest/doctest.h>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <core/background.hpp>
#include <core/compiler.hpp>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "temporary_folder.hpp"

using namespace gparray::core;

TEST_CASE("jit: a program that ends while the compiler works ends well") {
  const temporary_folder cache;
  setenv("GPARRAY_CACHE_DIR", cache.path.c_str(), 1);
  for (const int milliseconds : {0, 5, 20, 50, 100, 150, 200, 300}) {
    CAPTURE(milliseconds);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      for (int i = 0; i < 20; ++i)
        kernel_worker().enqueue([i] {
          compile_request request;
          request.source = "__global__ void k" + std::to_string(i) + "_" + std::to_string(getpid()) +
                           "(float* x) { x[0] = sinf(x[1]); }";
          request.architecture = "sm_90";
          try {
            compile(request);
          } catch (const std::exception&) {  // NOLINT: there is no compiler, which is no news here
          }
        });
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      std::exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  }
}

namespace {

bool compiler_is_loaded() {
  for (const char* file : {"libnvrtc.so.13", "libnvrtc.so.12"})
    if (dlopen(file, RTLD_LAZY | RTLD_NOLOAD)) return true;
  return false;
}

/// What `run` returns in a process of its own.
template<class Run>
int in_child(Run run) {
  const pid_t child = fork();
  if (child == 0) std::exit(run());
  int status = 0;
  REQUIRE(child > 0);
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("jit: the thread that compiles does not load the compiler for what is on disk") {
  if (compiler_is_loaded()) return;  // by another test of this process
  const temporary_folder cache;
  setenv("GPARRAY_CACHE_DIR", cache.path.c_str(), 1);
  enum { compiled, read, failed };
  const auto in_background = [] {
    int outcome = failed;
    kernel_worker().enqueue([&] {
      compile_request request;
      request.source = "__global__ void k(float* x) { x[0] = 1; }";
      request.architecture = "sm_90";
      try {
        outcome = compile(request).origin == program_origin::disk ? read : compiled;
      } catch (const std::exception&) {  // NOLINT: there is no compiler
      }
    });
    kernel_worker().wait_idle();
    return outcome;
  };
  const int first = in_child([&] { return compiler_is_loaded() ? failed : in_background(); });
  if (first == failed) return;
  REQUIRE(first == compiled);
  CHECK(in_child([&] { return in_background() == read && !compiler_is_loaded() ? read : failed; }) == read);
}
