// A program may end while its kernels are being compiled.
#include <chrono>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>

#include <plan/compiler.hpp>
#include <support/background.hpp>

#include "support/temporary_folder.hpp"

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
