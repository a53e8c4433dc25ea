// Kernels that are started while what is in front of them ends: where launches ask for it, and that they
// wait.
#include <doctest/doctest.h>

#include <cuda/fusion/jit_source.hpp>
#include <cuda/runtime/launch.hpp>
#include <gparray/gparray.hpp>
#include <plan/compiler.hpp>

#include "cuda/support/fake_runtime.hpp"

using namespace gparray;
using namespace gparray::core;
using fake_cuda::driver;
using fake_cuda::model;
using names = std::vector<std::string>;

namespace {

const auto own_stream = reinterpret_cast<stream_handle>(0x70);

bool launches_programmatically(stream_handle stream) {
  static const char kernel = 0;
  model.launches.clear();
  cuda::launch("a kernel", &kernel, 2, 32, 5, {0, stream});
  REQUIRE(model.launches.size() == 1);
  CHECK(model.launches[0].kernel == &kernel);
  CHECK(model.launches[0].blocks == 2);
  CHECK(model.launches[0].threads == 32);
  CHECK(model.launches[0].stream == stream);
  return model.launches[0].programmatic;
}

}  // namespace

TEST_CASE(
    "cuda programmatic launch: devices that took code for compute capability 9.0, which are asked once") {
  for (const int major : {7, 8, 9, 12})
    for (const int code_for : {75, 80, 89, 90, 120}) {
      const fake_cuda::session session;
      model.compute_capability = major;
      driver.code_for = code_for;
      const bool programmatic = major >= 9 && code_for >= 90;
      CAPTURE(major);
      CAPTURE(code_for);
      CHECK(launches_programmatically(nullptr) == programmatic);
      model.compute_capability = 0;
      CHECK(launches_programmatically(nullptr) == programmatic);
      CHECK(launches_programmatically(own_stream) == programmatic);
      CHECK(model.launches.size() == 1);
    }
}

TEST_CASE("cuda programmatic launch: not where the code cannot be asked about") {
  const fake_cuda::session session;
  cuda::runtime.cudaFuncGetAttributes = [](cudaFuncAttributes*, const void*) {
    return cudaErrorNoKernelImageForDevice;
  };
  CHECK(!launches_programmatically(nullptr));
}

TEST_CASE("cuda programmatic launch: not into a graph") {
  const fake_cuda::session session;
  const auto stream = cuda::stream_of(own_stream);
  cuda::runtime.cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  CHECK(!launches_programmatically(own_stream));
  CHECK(launches_programmatically(nullptr));
  cudaGraph_t graph;
  cuda::runtime.cudaStreamEndCapture(stream, &graph);
  cuda::runtime.cudaGraphDestroy(graph);
  CHECK(launches_programmatically(own_stream));
}

TEST_CASE("cuda programmatic launch: the default stream costs no question") {
  for (const bool programmatic : {false, true}) {
    const fake_cuda::session session;
    driver.code_for = programmatic ? 90 : 80;
    launches_programmatically(nullptr);
    model.calls.clear();
    CHECK(launches_programmatically(nullptr) == programmatic);
    CHECK(model.calls == names{programmatic ? "cudaLaunchKernelExC" : "cudaLaunchKernel"});
  }
}

#ifdef GPARRAY_TEST_NVRTC
TEST_CASE("cuda programmatic launch: generated kernels wait before they touch memory") {
  using cuda::kernel_form;
  using cuda::kernel_key;
  for (int n = 0; n < cuda::n_kernel_forms; ++n) {
    const auto form = static_cast<kernel_form>(n);
    kernel_key key;
    key.form = form;
    key.out = dtype::float64;
    key.lanes = 2;
    key.dims = 2;
    key.flat = form != kernel_form::strided;
    if (form == kernel_form::dense) {
      const reduction joined[] = {reduction::sum, reduction::max};
      key.set_reductions(joined);
    } else {
      const reduction sum[] = {reduction::sum};
      if (!cuda::is_map(form)) key.set_reductions(sum);
      key.n_inputs = key.n_steps = 2;
      key.inputs[0] = key.inputs[1] = {cuda::access::contiguous, dtype::float64};
      key.steps[0] = {ufunc::multiply, dtype::float64, {0, 1, 0}};
      key.steps[1] = {ufunc::add, dtype::float64, {2, 0, 0}};
    }
    const std::string text = compile(cuda::kernel_request(key, "compute_90")).image;
    CAPTURE(static_cast<int>(form));
    const std::size_t begin = text.find(".entry");
    REQUIRE(begin != std::string::npos);
    const std::size_t waits = text.find("griddepcontrol.wait", begin);
    REQUIRE(waits != std::string::npos);
    // No branch may lead past it, and only the parameters may have been read.
    const std::string before = text.substr(begin, waits - begin);
    for (const char* access : {"ld.global", "st.global", "ld.v", "atom", "red.", "bra", "ret;", "call"})
      CHECK_MESSAGE(before.find(access) == std::string::npos, access);
    CHECK(compile(cuda::kernel_request(key, "compute_80")).image.find("griddepcontrol") == std::string::npos);
  }
}
#endif

TEST_CASE("cuda gpu programmatic launch: asked for where the code that the GPU took waits, and only there") {
  if (!cuda_backend()) return;
  static int programmatic, in_order;
  programmatic = in_order = 0;
  static const cuda::runtime_table real = cuda::runtime;
  cuda::runtime.cudaGetDriverEntryPointByVersion =
      [](const char*, void** address, unsigned, unsigned long long, cudaDriverEntryPointQueryResult* result) {
        *address = nullptr;
        return *result = cudaDriverEntryPointSymbolNotFound, cudaSuccess;
      };
  cuda::runtime.cudaLaunchKernel = [](const void* kernel, dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared, cudaStream_t stream) {
    ++in_order;
    return real.cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
  };
  cuda::runtime.cudaLaunchKernelExC = [](const cudaLaunchConfig_t* c, const void* kernel, void** arguments) {
    ++programmatic;
    return real.cudaLaunchKernelExC(c, kernel, arguments);
  };
  cuda::forget_devices();
  {
    const device_guard on_gpu(device::cuda(0));
    arange<float>(0, 100).copy().eval();
  }
  cuda::runtime = real;
  cuda::forget_devices();
  cudaFuncAttributes code{};
  REQUIRE(real.cudaFuncGetAttributes(&code, cuda::find_post_kernel()) == cudaSuccess);
  CAPTURE(code.ptxVersion);
  CHECK((programmatic > 0) == (code.ptxVersion >= 90));
  CHECK((in_order > 0) == (code.ptxVersion < 90));
}

TEST_CASE("cuda gpu programmatic launch: each of many kernels reads what those before it wrote") {
  if (!cuda_backend()) return;
  const auto last = [](device where) {
    const device_guard guard(where);
    std::vector<std::int64_t> all;
    for (const std::int64_t n : {100, 10000, 1000000}) {
      const ndarray<std::int64_t> index = arange<std::int64_t>(0, n);
      ndarray<std::int64_t> x = index.copy();
      // Every block needs what all have written: the elements from the other end, and their sum.
      for (int i = 0; i < 500; ++i) x = (x("::-1") * 3 + index).eval() + sum(x);
      const std::vector<std::int64_t> values = x.to_vector();
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  };
  CHECK(last(device::cuda(0)) == last(device::cpu()));
}
