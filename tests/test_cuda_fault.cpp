// A kernel that writes where it must not, in a process of its own: afterwards that process cannot use the
// GPU. Tools that look for such kernels do not run this file.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <gparray/gparray.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "error_text.hpp"
#include "temporary_folder.hpp"

namespace gp = gparray;

TEST_CASE("a kernel that faults is named, and the process ends well") {
  if (gp::device_count() == 0) {
    MESSAGE("skipped: no GPU");
    return;
  }
  const gp::device_guard on_gpu(gp::device::cuda(0));
  if (std::getenv("GPARRAY_TEST_FAULT")) {
    const gp::RawKernel bad("extern \"C\" __global__ void wild(float* x) { x[1LL << 40] = 1; }", "wild");
    gp::ndarray<float> x = gp::zeros<float>({4});
    bad(1, 1, x);
    std::printf("fault: %s\n", error_of<gp::cuda_error>([&] { x.item(0); }).c_str());
    std::printf("next: %s\n", error_of<gp::cuda_error>([&] {
                                gp::ndarray<float> y = x + 1.f;
                                y.item(0);
                              }).c_str());
    return;
  }
  const temporary_folder folder;
  const std::string log = (folder.path / "log").string();
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  REQUIRE(length > 0);
  const std::string command = "GPARRAY_TEST_FAULT=1 " + std::string(self, static_cast<std::size_t>(length)) +
                              " --test-suite=test_cuda_fault --test-case='a kernel that faults*' > " + log +
                              " 2>&1";
  const int status = std::system(command.c_str());
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  std::ifstream in(log);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  CHECK(text.find("fault: ") != std::string::npos);
  CHECK(text.find("the last raw kernel launched was 'wild'") != std::string::npos);
  CHECK(text.find("next: ") != std::string::npos);
  CHECK(text.find("no error") == std::string::npos);
}
