// Kernels that do what they must not, each in a process of its own: afterwards that process cannot use the
// GPU. Tools that look for such kernels do not run this file.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/error_text.hpp"
#include "support/temporary_folder.hpp"

namespace gp = gparray;

namespace {

struct bad_kernel {
  const char *kind, *source;
};
const bad_kernel bad_kernels[] = {
    {"address", R"(extern "C" __global__ void wild(float* x) { x[1LL << 40] = 1; })"},
    {"alignment", R"(extern "C" __global__ void wild(float* x) { *(double*)((char*)x + 4) = 1; })"},
    {"assertion", R"(extern "C" __global__ void wild(float* x) { assert(x[0] == 1); })"},
    {"trap", R"(extern "C" __global__ void wild(float* x) { asm("trap;"); })"},
};

/// What the program keeps until its end, and longer.
gp::ndarray<float>& lasting_array() {
  static gp::ndarray<float> array;
  return array;
}

void check_that_the_rest_works() {
  gp::ndarray<double> x = gp::arange<double>(1000, {.device = gp::device::cpu()});
  x += 1.;
  CHECK(gp::sum(x * 2.).item() == 1000. * 1001);
  const temporary_folder folder;
  const std::string file = (folder.path / "x.npy").string();
  gp::save(file, x);
  CHECK(gp::load<double>(file, gp::device::cpu()).to_vector() == x.to_vector());
  // That another GPU is not lost with this one is CUDA's to keep, but errors are of the right device.
  if (gp::device_count() < 2) return;
  const gp::device other = gp::device::cuda(1);
  float sum = 0;
  const auto fault =
      caught<gp::device_fault>([&] { sum = gp::sum(gp::ones<float>({1000}, {.device = other})).item(); });
  MESSAGE("the other GPU " << (fault ? "is lost, too: " + std::string(fault->what()) : "works"));
  if (fault) CHECK(fault->device() == other);
  else CHECK(sum == 1000.f);
}

void fault_and_go_on(const bad_kernel& bad) {
  const gp::device gpu = gp::device::cuda(0);
  const gp::RawKernel kernel(bad.source, "wild");
  gp::ndarray<float> x = gp::zeros<float>({1 << 20}), y = (x + 1.f).eval();
  lasting_array() = x;
  const gp::stream stream;
  gp::event event;
  gp::graph graph = gp::capture([&] { y(gp::all) = x + x; });
  const auto transformed = gp::fft::rfft(x).eval();
  const auto product = gp::matmul(x.reshape({1024, 1024}), x.reshape({1024, 1024})).eval();
  gp::synchronize();
  event.record(stream);
  {
    const gp::stream_guard on(stream);
    kernel(1, 1, x);
  }
  const auto noticed = caught<gp::device_fault>([&] { stream.synchronize(); });
  REQUIRE(noticed);
  CHECK(noticed->device() == gpu);
  CHECK(noticed->kernel() == "wild");
  CHECK(noticed->code() >= 700);
  CHECK(!noticed->operation().empty());
  if (noticed->operation() == "waiting for a stream") CHECK(noticed->stream() == stream.native_handle());
  std::printf("%s: %s\n", bad.kind, noticed->what());

  const std::function<void()> later_calls[] = {
      [&] { gp::empty<float>({1000}); },
      [&] { (x + y).eval(); },
      [&] { x.item(0); },
      [&] { x(gp::slice(0, 1000)).to_vector(); },  // not of all: a vector of 4 MB takes a millisecond
      [&] { gp::sum(x).item(); },
      [&] { gp::matmul(x.reshape({1024, 1024}), x.reshape({1024, 1024})).eval(); },
      [&] { gp::fft::rfft(x).eval(); },
      [&] { (x * 2.f).eval(); },
      [&] { kernel(1, 1, x); },
      [&] { graph.launch(); },
      [&] { event.done(); },
      [&] { event.synchronize(); },
      [&] { stream.synchronize(); },
      [&] { gpu.synchronize(); },
      [&] { gp::stream made; },
  };
  for (const auto& call : later_calls) {
    CAPTURE(&call - later_calls);
    auto fastest = std::chrono::steady_clock::duration::max();
    for (int i = 0; i < 3; ++i) {
      const auto before = std::chrono::steady_clock::now();
      const auto again = caught<gp::device_fault>(call);
      fastest = std::min(fastest, std::chrono::steady_clock::now() - before);
      REQUIRE(again);
      CHECK(again->operation() == noticed->operation());
      CHECK(again->kernel() == "wild");
    }
    CHECK(fastest < std::chrono::milliseconds(1));
  }
  check_that_the_rest_works();
}

}  // namespace

TEST_CASE("a kernel that faults is named, and the process ends well") {
  if (gp::device_count() == 0) {
    MESSAGE("skipped: no GPU");
    return;
  }
  if (const char* const kind = std::getenv("GPARRAY_TEST_FAULT")) {
    alarm(100);
    const gp::device_guard on_gpu(gp::device::cuda(0));
    for (const bad_kernel& bad : bad_kernels)
      if (std::string(kind) == bad.kind) fault_and_go_on(bad);
    return;
  }
  const temporary_folder folder;
  const std::string log = (folder.path / "log").string();
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  REQUIRE(length > 0);
  for (const bad_kernel& bad : bad_kernels) {
    const std::string command = "GPARRAY_TEST_FAULT=" + std::string(bad.kind) + " " +
                                std::string(self, static_cast<std::size_t>(length)) +
                                " --test-suite=test_cuda_fault --test-case='a kernel that faults*' > " + log +
                                " 2>&1";
    const int status = std::system(command.c_str());
    std::ifstream in(log);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    CAPTURE(text);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(text.find(std::string(bad.kind) + ": ") != std::string::npos);
    CHECK(text.find("the last raw kernel launched was 'wild'") != std::string::npos);
  }
}
