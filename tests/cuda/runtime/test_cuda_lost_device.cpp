// A kernel fails and CUDA takes the GPU away: who notices, what later calls and destructors do, what goes on.
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <core/runtime/debug.hpp>
#include <gparray/gparray.hpp>
#include <plan/backend.hpp>
#include <plan/last_kernel.hpp>

#include "cuda/support/fake_device.hpp"
#include "support/error_text.hpp"

namespace gp = gparray;
using namespace gparray::core;
using fake_cuda::model;

namespace {

const gp::device cpu = gp::device::cpu();

/// What a program has of a GPU.
struct belongings {
  explicit belongings(gp::device on_device) : device_(on_device) {}
  gp::device device_;
  std::vector<gp::ndarray<float>> arrays;
  std::optional<gp::stream> stream;
  std::optional<gp::event> start, end;
  std::optional<gp::graph> graph;
  std::optional<gp::expr<float>> pending;
};

/// Most of what can be asked of a device.
void use(belongings& has) {
  const gp::device_guard on(has.device_);
  const gp::ndarray<float> on_cpu = gp::ones<float>({1 << 18}, {.device = cpu});
  has.arrays.push_back(gp::to_device(on_cpu, has.device_));
  gp::ndarray<float> a = has.arrays.back();
  has.stream.emplace();
  has.start.emplace();
  has.end.emplace();
  has.start->record(*has.stream);
  {
    const gp::stream_guard there(*has.stream);
    has.arrays.push_back(a + 1.f);
    gp::sum(a).item();
    a.item(7);
    has.end->record(*has.stream);
  }
  a.to_vector();
  has.pending.emplace(a * 2.f);
  has.stream->wait(*has.end);
  has.end->done();
  has.stream->done();
  has.stream->synchronize();
  elapsed_time(*has.start, *has.end);
  gp::ndarray<float> sums = gp::zeros<float>({1 << 18});
  has.graph.emplace(gp::capture([&] { sums(gp::all) = a + a; }));
  has.graph->launch();
  has.device_.synchronize();
}

struct later_call {
  const char* name;
  std::function<void()> run;
};

/// Each has to throw on a device that is lost.
std::vector<later_call> later_calls(const gp::ndarray<float>& a, const gp::ndarray<float>& on_cpu,
                                    gp::device on_device) {
  return {
      {"allocate", [=] { gp::empty<float>({1000}, {.device = on_device}); }},
      {"compute", [=] { gp::ndarray<float>(a + 1.f).eval(); }},
      {"reduce", [=] { gp::sum(a).item(); }},
      {"read an element", [=] { a.item(0); }},
      {"copy back", [=] { a.to_vector(); }},
      {"copy there", [=] { gp::to_device(on_cpu, on_device).eval(); }},
      {"write",
       [=] {
         gp::ndarray<float> same = a;
         same(gp::all) = 1.f;
       }},
      {"make a stream", [=] { gp::stream made(on_device); }},
      {"make an event", [=] { gp::event made(on_device); }},
      {"wait", [=] { on_device.synchronize(); }},
      {"wait for a stream", [=] { gp::default_stream(on_device).synchronize(); }},
      {"ask a stream", [=] { gp::default_stream(on_device).done(); }},
      {"ask for memory", [=] { on_device.memory_info(); }},
      {"record a graph", [=] { gp::capture([&] { gp::ndarray<float>(a + 1.f).eval(); }); }},
      {"multiply", [=] { gp::matmul(a, a).eval(); }},
      {"transform", [=] { gp::fft::rfft(a).eval(); }},
      {"sort", [=] { gp::sort(a).eval(); }},
  };
}

/// Whether the CPU computes.
bool cpu_works() {
  const gp::device_guard on_cpu(cpu);
  gp::ndarray<double> x = gp::arange<double>(1000);
  x += 1.;
  const auto twice = x * 2.;
  return gp::sum(twice).item() == 1000. * 1001;
}

void check_later_calls(const belongings& has) {
  const gp::device_guard on(has.device_);
  const gp::ndarray<float> on_cpu = gp::ones<float>({3}, {.device = cpu});
  for (const later_call& each : later_calls(has.arrays.at(0), on_cpu, has.device_)) {
    CAPTURE(std::string(each.name));
    auto fastest = std::chrono::steady_clock::duration::max();
    for (int i = 0; i < 3; ++i) {
      const auto before = std::chrono::steady_clock::now();
      CHECK_THROWS_AS(each.run(), gp::device_fault);
      fastest = std::min(fastest, std::chrono::steady_clock::now() - before);
    }
    CHECK(fastest < std::chrono::milliseconds(1));
  }
}

/// From the next call on.
void break_device(cudaError_t error = cudaErrorIllegalAddress) {
  model.error = error;
  model.fail_at = static_cast<int>(model.calls.size()) + 1;
}

struct two_devices : fake_default_device {
  two_devices() : fake_default_device(2) {}
};

}  // namespace

TEST_CASE_FIXTURE(fake_default_device, "a lost device: the fault says who noticed it, and what helps") {
  const gp::ndarray<float> a = gp::zeros<float>({1 << 18});
  const gp::stream stream;
  gp::event event;
  event.record(stream);
  const char* const before = last_raw_kernel();
  note_raw_kernel(lasting_name("my_kernel"));
  struct noticing {
    std::function<void()> run;
    const char *operation, *call;
    std::optional<void*> stream;
  };
  void* const handle = stream.native_handle();
  const std::vector<float> host(1 << 18);
  const noticing cases[] = {
      {[&] { gp::ndarray<float>(a + 1.f).eval(); }, "launching add", "cudaLaunchKernelExC", nullptr},
      {[&] { stream.synchronize(); }, "waiting for a stream", "cudaStreamSynchronize", handle},
      {[&] { stream.done(); }, "asking whether a stream is done", "cudaStreamQuery", handle},
      {[&] { event.done(); }, "asking whether an event is done", "cudaEventQuery", {}},
      {[&] { event.synchronize(); }, "waiting for an event", "cudaEventSynchronize", {}},
      {[&] { a.item(0); }, "launching a copy to host memory", "cudaLaunchKernelExC", nullptr},
      {[&] { gp::device::cuda(0).synchronize(); }, "waiting for a device", "cudaDeviceSynchronize", {}},
  };
  for (const noticing& each : cases) {
    CAPTURE(std::string(each.operation));
    gp::ndarray<float>(a + 2.f).eval();  // whatever the first launch asks for
    a.item(0);
    break_device(cudaErrorMisalignedAddress);
    const auto fault = caught<gp::device_fault>(each.run);
    CAPTURE(model.calls.back());
    REQUIRE(fault);
    CHECK(fault->operation() == each.operation);
    CHECK(fault->device() == gp::device::cuda(0));
    CHECK(fault->stream() == each.stream);
    CHECK(fault->kernel() == "my_kernel");
    CHECK(fault->code() == cudaErrorMisalignedAddress);
    const std::string text = fault->what();
    CHECK(text.starts_with(std::string(each.call) + " failed while " + each.operation));
    for (const char* part : {"cudaErrorMisalignedAddress", "cuda:0", "Arrays on the CPU",
                             "GPARRAY_DEBUG=sync", "docs/debugging.md", "restart", "my_kernel"})
      CHECK(text.find(part) != std::string::npos);
    // The next call says the same.
    const auto next = caught<gp::device_fault>([&] { gp::zeros<float>({3}); });
    REQUIRE(next);
    CHECK(next->operation() == each.operation);
    CHECK(next->stream() == each.stream);
    CHECK(std::string(next->what()) ==
          "cuda:0 was lost to a fault, which was noticed earlier: " + std::string(fault->what()));
    fake_cuda::bring_back_devices();
  }
  note_raw_kernel(before);
}

TEST_CASE_FIXTURE(fake_default_device, "a lost device: every code of a kernel that failed, and no other") {
  for (const cudaError_t code :
       {cudaErrorIllegalAddress, cudaErrorMisalignedAddress, cudaErrorIllegalInstruction, cudaErrorAssert,
        cudaErrorLaunchFailure, cudaErrorLaunchTimeout, cudaErrorHardwareStackError, cudaErrorInvalidPc,
        cudaErrorInvalidAddressSpace, cudaErrorECCUncorrectable, cudaErrorNvlinkUncorrectable,
        cudaErrorContained, cudaErrorTensorMemoryLeak}) {
    CAPTURE(cudaGetErrorName(code));
    break_device(code);
    CHECK_THROWS_AS(gp::synchronize(), gp::device_fault);
    CHECK(is_lost(0));
    fake_cuda::bring_back_devices();
  }
  for (const cudaError_t code : {cudaErrorUnknown, cudaErrorLaunchOutOfResources, cudaErrorInvalidValue}) {
    break_device(code);
    CHECK_THROWS_AS(gp::synchronize(), gp::cuda_error);
    CHECK_FALSE(is_lost(0));
    CHECK_NOTHROW(gp::synchronize());
  }
}

TEST_CASE("a lost device: whichever call notices, later ones and destructors ask nothing of the driver") {
  int n_calls = 0, n_noticed = 0;
  for (int k = 0; k == 0 || k <= n_calls; ++k) {
    CAPTURE(k);
    fake_default_device fake;
    std::optional<belongings> has(gp::device::cuda(0));
    has->arrays.push_back(gp::zeros<float>({1000}));
    const int first = static_cast<int>(model.calls.size());
    model.error = cudaErrorLaunchFailure;
    if (k > 0) model.fail_at = first + k;
    const auto fault = caught<gp::device_fault>([&] { use(*has); });
    if (k == 0) {
      REQUIRE_FALSE(fault);
      n_calls = static_cast<int>(model.calls.size()) - first;
      continue;
    }
    n_noticed += fault != nullptr;
    CHECK(cpu_works());
    check_later_calls(*has);
    if (has->pending && has->pending->pending()) CHECK_THROWS_AS(has->pending->eval(), gp::device_fault);
    if (has->graph) CHECK_THROWS_AS(has->graph->launch(), gp::device_fault);
    has.reset();
    fake.gpu.reset();
    CHECK(model.asked_in_vain == 0);
  }
  CHECK(n_calls > 40);
  CHECK(n_noticed > n_calls / 2);
}

TEST_CASE_FIXTURE(two_devices, "a lost device: the other one goes on") {
  belongings first(gp::device::cuda(0)), second(gp::device::cuda(1));
  use(first);
  use(second);
  {
    const gp::device_guard on(gp::device::cuda(1));
    break_device();
    const auto fault = caught<gp::device_fault>([&] { second.device_.synchronize(); });
    REQUIRE(fault);
    CHECK(fault->device() == gp::device::cuda(1));
  }
  use(first);
  check_later_calls(second);
  CHECK_THROWS_AS(gp::to_device(first.arrays[0], second.device_).eval(), gp::device_fault);
  CHECK_THROWS_AS(gp::to_device(second.arrays[0], first.device_).eval(), gp::device_fault);
  CHECK_NOTHROW(first.device_.synchronize());
  use(first);
  CHECK(cpu_works());
  CHECK(model.asked_in_vain == 0);
}

TEST_CASE_FIXTURE(fake_default_device, "a lost device: GPARRAY_DEBUG=sync names who is at fault") {
  const auto looked_at = debugged(*gpu, {.sync = true}, false);
  exchange_gpu_backend(looked_at.get());
  const gp::ndarray<float> a = gp::zeros<float>({1000});
  model.error = cudaErrorIllegalAddress;
  model.fail_at = static_cast<int>(model.calls.size()) + 2;  // after the launch
  const auto fault = caught<gp::device_fault>([&] { (a + 1.f).eval(); });
  REQUIRE(fault);
  CHECK(fault->operation() == "add");
  CHECK(fault->code() == cudaErrorIllegalAddress);
  CHECK(
      std::string(fault->what()).ends_with("GPARRAY_DEBUG=sync: seen behind add (1000 elements) on cuda:0"));
  const auto next = caught<gp::device_fault>([&] { gp::synchronize(); });
  REQUIRE(next);
  CHECK(next->operation() == "add");
}

TEST_CASE_FIXTURE(fake_default_device, "a lost device: what is pending there hinders nobody") {
  gp::ndarray<float> a = gp::zeros<float>({1000}), b = gp::ones<float>({3}, {.device = cpu});
  const auto pending = a + 1.f;
  REQUIRE(pending.pending());
  break_device();
  CHECK_THROWS_AS(gp::to_device(b, a.device()).eval(), gp::device_fault);
  b += 1.f;
  CHECK(b.to_vector() == std::vector<float>{2, 2, 2});
  CHECK_THROWS_AS(pending.eval(), gp::device_fault);
}
