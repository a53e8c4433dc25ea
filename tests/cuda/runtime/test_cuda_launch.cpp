// Launches through the driver's own call, and what becomes of those that it refuses.
#include <array>
#include <limits>
#include <memory>
#include <thread>

#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <cuda/runtime/function_table.hpp>
#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/modules.hpp>
#include <gparray/gparray.hpp>

#include "cuda/support/fake_runtime.hpp"
#include "support/error_text.hpp"

using namespace gparray;
using namespace gparray::core;
using fake_cuda::driver;
using fake_cuda::model;

namespace {

char code[2];  // what stands for kernels

struct seen_launch {
  const void* function = nullptr;
  int device = -1;
  bool by_driver = false;
};
seen_launch seen;
int current_device = 0;
std::array<char, 2> functions_of_devices;

/// Two devices, and a driver that launches a kernel only where it was looked up.
void add_devices() {
  seen = {};
  cuda::runtime.cudaSetDevice = [](int device) { return current_device = device, cudaSuccess; };
  cuda::runtime.cudaGetDevice = [](int* device) { return *device = current_device, cudaSuccess; };
  cuda::runtime.cudaGetFuncBySymbol = [](cudaFunction_t* function, const void*) {
    ++driver.n_symbols;
    *function =
        reinterpret_cast<cudaFunction_t>(&functions_of_devices[static_cast<std::size_t>(current_device)]);
    return cudaSuccess;
  };
  cuda::runtime.cudaLaunchKernelExC = [](const cudaLaunchConfig_t*, const void* kernel, void**) {
    seen = {kernel, current_device, false};
    return cudaSuccess;
  };
  cuda::runtime.cudaLaunchKernel = [](const void* kernel, dim3, dim3, void**, std::size_t, cudaStream_t) {
    seen = {kernel, current_device, false};
    return cudaSuccess;
  };
  cuda::runtime.cudaGetDriverEntryPointByVersion =
      [](const char*, void** address, unsigned, unsigned long long, cudaDriverEntryPointQueryResult* result) {
        using call = CUresult(const CUlaunchConfig*, CUfunction, void**, void**);
        *address = reinterpret_cast<void*>(
            static_cast<call*>([](const CUlaunchConfig*, CUfunction function, void**, void**) {
              if (reinterpret_cast<char*>(function) !=
                  &functions_of_devices[static_cast<std::size_t>(current_device)])
                return CUDA_ERROR_INVALID_HANDLE;
              seen = {function, current_device, true};
              return CUDA_SUCCESS;
            }));
        return *result = cudaDriverEntryPointSuccess, cudaSuccess;
      };
}

void launch_plain(cuda::kernel_code kernel) { cuda::launch("a kernel", kernel, 2, 32, 5, {0, nullptr}); }

void launch_for_user(bool cooperative = true, std::size_t shared_bytes = 16) {
  void* arguments[] = {code};
  const kernel_launch l{.kernel = code,
                        .name = "scale",
                        .grid = {1, 1, 1},
                        .block = {32, 1, 1},
                        .shared_bytes = shared_bytes,
                        .cooperative = cooperative,
                        .arguments = arguments};
  cuda::launch_kernel(l, {0, nullptr});
}

std::string error_of_launch(bool by_user) {
  return error_of<cuda_error>([&] { by_user ? launch_for_user() : launch_plain(code); });
}

}  // namespace

TEST_CASE("cuda launch: by the driver if it can, by the runtime if not") {
  for (const int capability : {8, 9})
    for (const bool loaded : {false, true})
      for (const bool has_call : {true, false}) {
        CAPTURE(capability);
        CAPTURE(loaded);
        CAPTURE(has_call);
        const fake_cuda::session session;
        model.compute_capability = capability;
        driver.launches = has_call;
        for (int i = 0; i < 3; ++i) launch_plain(loaded ? cuda::loaded(code) : code);
        REQUIRE(model.launches.size() == 3);
        for (const auto& each : model.launches) {
          CHECK(each.kernel == code);
          CHECK(each.blocks == 2);
          CHECK(each.threads == 32);
          CHECK(each.programmatic == (capability == 9));
        }
        CHECK(driver.n_launches == (has_call ? 3 : 0));
        CHECK(driver.n_symbols == (loaded ? 0 : 1));  // looked up once
        launch_for_user();
        CHECK(driver.n_launches == (has_call ? 4 : 0));
      }
}

TEST_CASE("cuda launch: what the runtime says of a launch is what is reported") {
  // Errors of the runtime, and what the driver calls them.
  const std::pair<cudaError_t, CUresult> cases[] = {
      {cudaErrorInvalidConfiguration, CUDA_ERROR_INVALID_VALUE},
      {cudaErrorLaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES},
      {cudaErrorNoKernelImageForDevice, CUDA_ERROR_NOT_FOUND},
      {cudaErrorIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS},
      {cudaErrorCooperativeLaunchTooLarge, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE},
  };
  for (const auto& [error, refusal] : cases)
    for (const bool by_user : {false, true}) {
      std::string texts[2];
      for (const bool has_call : {false, true}) {
        const fake_cuda::session session;
        driver.launches = has_call;
        driver.refusal = refusal;
        model.error = error;
        model.fail_at = 1;
        texts[has_call] = error_of_launch(by_user);
      }
      CAPTURE(texts[0]);
      CHECK(texts[0].starts_with("cudaLaunchKernelExC failed while launching "));
      CHECK(texts[0].find(cudaGetErrorName(error)) != std::string::npos);
      CHECK(texts[1] == texts[0]);
    }
}

TEST_CASE("cuda launch: a capture that a launch ends is reported as the driver reports it") {
  for (const bool by_user : {false, true}) {
    const fake_cuda::session session;
    driver.refusal = CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    const std::string text = error_of_launch(by_user);
    CAPTURE(text);
    CHECK(text.starts_with("cudaLaunchKernelExC failed while launching "));
    CHECK(text.find(": cudaErrorStreamCaptureIsolation (") != std::string::npos);
    CHECK(text.find("; a graph is being captured") != std::string::npos);
    CHECK(model.calls.empty());
  }
}

TEST_CASE("cuda launch: the runtime takes what the driver takes not, once") {
  const fake_cuda::session session;
  driver.refusal = CUDA_ERROR_INVALID_CONTEXT;
  launch_plain(code);
  CHECK(model.launches.size() == 1);
  CHECK(driver.n_launches == 0);
}

TEST_CASE("cuda launch: a kernel is looked up on each device, whichever is current") {
  const fake_cuda::session session;
  add_devices();
  for (int i = 0; i < 3; ++i)
    for (const int device : {0, 1})
      for (const int current : {device, 1 - device}) {
        CAPTURE(i);
        CAPTURE(device);
        CAPTURE(current);
        current_device = current;
        cuda::launch("a kernel", code, 1, 32, 5, {device, nullptr});
        CHECK(seen.device == device);
        // Of a symbol that is known nobody is asked, so that the driver is the one to notice.
        const bool by_driver = current == device;
        CHECK(seen.by_driver == by_driver);
        if (by_driver) CHECK(seen.function == &functions_of_devices[static_cast<std::size_t>(device)]);
        else CHECK(seen.function == code);
      }
  CHECK(driver.n_symbols == 2);
  // One that is not known is looked up where it is to run.
  current_device = 0;
  cuda::launch("a kernel", &code[1], 1, 32, 5, {1, nullptr});
  CHECK(seen.device == 1);
  CHECK(seen.by_driver);
}

TEST_CASE("cuda launch: linear algebra makes its device current") {
  const fake_cuda::session session;
  add_devices();
  cuda::cuda_backend_type gpu(2);
  double matrix[4], tau[2];
  for (const int current : {1, 0}) {  // the kernel is known when it is the other
    CAPTURE(current);
    current_device = current;
    gpu.linalg()->qr(dtype::float64, {matrix, 2, 2, 1}, tau, {1, nullptr});
    CHECK(seen.device == 1);
    CHECK(seen.by_driver);
  }
}

TEST_CASE("cuda launch: no size is cut off on its way to the driver") {
  const fake_cuda::session session;
  static std::size_t bytes;
  cuda::runtime.cudaLaunchKernel = [](const void*, dim3, dim3, void**, std::size_t shared, cudaStream_t) {
    return bytes = shared, cudaSuccess;
  };
  for (const std::size_t wanted : {std::size_t{0}, std::size_t{99}, (std::size_t{1} << 32) + 8}) {
    launch_for_user(false, wanted);
    CHECK(bytes == std::min<std::size_t>(wanted, std::numeric_limits<unsigned>::max()));
  }
}

TEST_CASE("cuda launch: the table of kernels, filled by several threads until it is full") {
  const fake_cuda::session session;
  const auto table = std::make_unique<cuda::function_table>();
  constexpr std::size_t n = 3000;
  static char symbols[n];
  static std::atomic<int> asked;
  asked = 0;
  cuda::runtime.cudaSetDevice = [](int) { return cudaSuccess; };
  cuda::runtime.cudaThreadExchangeStreamCaptureMode = [](cudaStreamCaptureMode*) { return cudaSuccess; };
  cuda::runtime.cudaGetFuncBySymbol = [](cudaFunction_t* function, const void* symbol) {
    ++asked;
    *function = static_cast<cudaFunction_t>(const_cast<void*>(symbol));
    return cudaSuccess;
  };
  std::atomic<int> wrong{0}, missing{0}, started{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (++started; started < 4;) std::this_thread::yield();
      for (int round = 0; round < 20; ++round)
        for (char& symbol : symbols) {
          const CUfunction found = table->find(&symbol, 0);
          if (!found) ++missing;
          else if (reinterpret_cast<char*>(found) != &symbol) ++wrong;
        }
    });
  for (std::thread& each : threads) each.join();
  CHECK(wrong == 0);
  CHECK(missing > 0);  // of the last ones
  const int before = asked;
  std::size_t known = 0;
  for (char& symbol : symbols) known += table->find(&symbol, 0) != nullptr;
  CHECK(known == 2048);
  CHECK(asked == before);
  CHECK(table->find(&symbols[0], 64) == nullptr);
  CHECK(table->find(&symbols[0], -1) == nullptr);
  table->clear();
  CHECK(table->find(&symbols[n - 1], 63) != nullptr);
  CHECK(asked == before + 1);
}

TEST_CASE("cuda gpu launch: kernels of all kinds go by the driver") {
  if (!cuda_backend()) return;
  const device_guard on_gpu(device::cuda(0));
  const ndarray<double> x = arange<double>(0, 1000);
  const RawKernel scale("extern \"C\" __global__ void scale(double* x) { x[threadIdx.x] *= 2; }", "scale");
  const jit mode = jit_mode();
  set_jit_mode(jit::sync);
  static int n_by_runtime;
  n_by_runtime = 0;
  static const cuda::runtime_table real = cuda::runtime;
  cuda::runtime.cudaLaunchKernel = [](const void* kernel, dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared, cudaStream_t stream) {
    ++n_by_runtime;
    return real.cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
  };
  cuda::runtime.cudaLaunchKernelExC = [](const cudaLaunchConfig_t* c, const void* kernel, void** arguments) {
    ++n_by_runtime;
    return real.cudaLaunchKernelExC(c, kernel, arguments);
  };
  for (const bool own_stream : {false, true}) {
    const stream s;
    const stream_guard guard(own_stream ? stream_view(s) : current_stream());
    ndarray<double> y = x * 3. + x;
    scale(1, 1000, y);
    CHECK(sum(y).item() == 8. * 999 * 500);
  }
  cuda::runtime = real;
  set_jit_mode(mode);
  CHECK(n_by_runtime == 0);
}
