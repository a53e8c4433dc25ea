// How many calls of the CUDA runtime an operation makes: each costs between a tenth of a microsecond and
// several, so that their number must not grow unnoticed.
#include <functional>
#include <memory>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/fusion/jit_kernels.hpp>
#include <gparray/gparray.hpp>

#include "cuda/support/fake_runtime.hpp"

namespace gp = gparray;
using namespace gparray::core;
using fake_cuda::model;

namespace {

using names = std::vector<std::string>;

char code;  // what stands for the code of every generated kernel

cuda::loaded_kernel make_kernel(const cuda::kernel_key&) { return {&code, nullptr}; }

/// The CUDA backend on the fake device is cuda:0, and the default.
struct fixture {
  fixture() : previous(gp::default_device()) {
    exchange_gpu_backend(gpu.get());
    cuda::exchange_fused_kernels(&table);
    gp::set_jit_mode(gp::jit::sync);
    gp::set_default_device(gp::device::cuda(0));
  }
  ~fixture() {
    gp::set_default_device(previous);
    cuda::exchange_fused_kernels(nullptr);
    exchange_gpu_backend(nullptr);
  }

  /// The calls of one operation, made twice before: what is there from then on is paid once.
  names calls(const std::function<void()>& operation) {
    operation();
    operation();
    model.calls.clear();
    model.device_questions = 0;
    operation();
    return model.calls;
  }

  fake_cuda::session session;
  gp::device previous;
  cuda::kernel_table table{64, make_kernel};
  std::unique_ptr<cuda::cuda_backend_type> gpu = std::make_unique<cuda::cuda_backend_type>(1);
};

}  // namespace

TEST_CASE("cuda calls: an operation is one launch, memory and views are none") {
  fixture f;
  const gp::ndarray<float> x = gp::zeros<float>(1000), y = gp::zeros<float>(1000);
  const names launch{"cudaLaunchKernelExC"};
  CHECK(f.calls([] { gp::empty<float>(262144); }) == names{});
  CHECK(model.device_questions == 0);
  CHECK(f.calls([&] { x("1:-1"); }) == names{});
  CHECK(model.device_questions == 0);
  CHECK(f.calls([&] { const gp::ndarray<float> z = (x + y).eval(); }) == launch);
  CHECK(model.device_questions == 1);
  CHECK(f.calls([&] { const gp::ndarray<float> z = (x * y + gp::sin(x)).eval(); }) == launch);
  CHECK(model.device_questions == 1);
  CHECK(f.calls([&] { x.copy(); }) == launch);
  CHECK(f.calls([&] { gp::sum(x).eval(); }) == launch);
  CHECK(model.device_questions == 1);
  CHECK(f.calls([&] { gp::sum(x * y).eval(); }) == launch);
  CHECK(f.calls([&] { x.item(3); }) == launch);
  CHECK(model.device_questions == 1);
}

TEST_CASE("cuda calls: a step of a stencil that is watched is three launches") {
  fixture f;
  gp::ndarray<double> p = gp::zeros({256, 256}), source = gp::zeros({256, 256});
  const auto step = [&] {
    gp::ndarray<double> p_new = p.copy();
    p_new("1:-1, 1:-1") = 0.25 * (p(":-2, 1:-1") + p("2:, 1:-1") + p("1:-1, :-2") + p("1:-1, 2:") +
                                  1e-5 * source("1:-1, 1:-1"));
    gp::linalg::norm(p_new - p).item();
    p = p_new;
  };
  // No kernel runs here, so that the norm's value is taken when the stream is done.
  const names launch{"cudaLaunchKernelExC"};
  names calls = f.calls(step);
  REQUIRE(calls.size() == 4);
  // Whoever had no processor meanwhile waits instead of asking.
  CHECK((calls.back() == "cudaStreamQuery" || calls.back() == "cudaStreamSynchronize"));
  calls.pop_back();
  CHECK(calls == names{launch[0], launch[0], launch[0]});
  CHECK(model.device_questions == 4);
}
