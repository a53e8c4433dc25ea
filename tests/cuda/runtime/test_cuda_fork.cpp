// The child of a process that uses a GPU: it cannot, and nothing that it inherits gets as far as the driver.
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "cuda/support/fake_device.hpp"
#include "support/error_text.hpp"

namespace gp = gparray;
using namespace gparray::core;
using fake_cuda::model;

namespace {

/// The number of the first check that fails in a child, 0 if none does.
template<class Checks>
int in_child(Checks checks) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60);
    try {
      _exit(checks());
    } catch (const std::exception& e) {
      std::fprintf(stderr, "in the child: %s\n", e.what());
      _exit(100);
    }
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 200 + WTERMSIG(status);
}

template<class Use>
bool is_refused(Use use) {
  const std::string text = error_of<gp::fork_error>(use);
  return text.find("CUDA does not survive fork()") != std::string::npos;
}

}  // namespace

TEST_CASE_FIXTURE(fake_default_device, "a child of fork cannot use the GPU, and is told so") {
  gp::ndarray<float> a = gp::zeros<float>({1000});
  std::optional<gp::stream> stream(std::in_place);
  std::optional<gp::event> event(std::in_place);
  event->record(*stream);
  const auto pending = a + 1.f;
  REQUIRE(pending.pending());
  const std::size_t calls = model.calls.size();
  const int first_failure = in_child([&] {
    int n = 0;
    const auto fails = [&](bool good) { return ++n, !good; };
    if (fails(is_refused([&] { gp::zeros<float>({1 << 20}).eval(); }))) return n;
    if (fails(is_refused([&] { a(gp::all) = 1.f; }))) return n;
    if (fails(is_refused([&] { pending.eval(); }))) return n;
    if (fails(is_refused([&] { a.to_vector(); }))) return n;
    if (fails(is_refused([&] { gp::sum(a).item(); }))) return n;
    if (fails(is_refused([&] { a.item(0); }))) return n;
    if (fails(is_refused([&] { gp::matmul(a, a).eval(); }))) return n;
    if (fails(is_refused([&] { gp::synchronize(); }))) return n;
    if (fails(is_refused([&] { stream->synchronize(); }))) return n;
    if (fails(is_refused([&] { event->synchronize(); }))) return n;
    if (fails(is_refused([&] { gp::stream(); }))) return n;
    const gp::ndarray<float> on_cpu = gp::ones<float>({3}, {.device = gp::device::cpu()});
    if (fails(is_refused([&] { gp::to_device(on_cpu, gp::device::cuda(0)).eval(); }))) return n;
    // What it inherits goes without the driver.
    stream.reset();
    event.reset();
    a = on_cpu;
    if (fails(is_refused([&] { gp::get_default_memory_pool(); }))) return n;
    if (fails(model.calls.size() == calls)) return n;
    // The CPU works, though expressions for the GPU are pending.
    gp::set_default_device(gp::device::cpu());
    gp::ndarray<double> x = gp::arange<double>(100000);
    x += 1.;
    if (fails(gp::sum(x * 2.).item() == 100000. * 100001)) return n;
    if (fails(gp::device_count() == 1)) return n;
    return 0;
  });
  CHECK(first_failure == 0);
  // The parent goes on.
  a(gp::all) = 2.f;
  pending.eval();
  gp::synchronize();
  CHECK(model.calls.size() > calls);
}

TEST_CASE_FIXTURE(fake_default_device, "a child of fork: a fork_error is a device_error") {
  CHECK(in_child([] {
          try {
            gp::ones<float>({3}).eval();
          } catch (const gp::device_error&) {
            return 0;
          }
          return 1;
        }) == 0);
}
