// What the host spends on a call for a GPU: the CUDA backend over calls that do nothing, so that no
// GPU is needed and launches are free. Prints microseconds and runtime calls of one call.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>

#include <fmt/format.h>

#include <cuda/backend.hpp>
#include <cuda/fusion/jit_kernels.hpp>
#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/mailbox_params.hpp>
#include <cuda/runtime/runtime.hpp>
#include <gparray/gparray.hpp>

#include "bench.hpp"

namespace gp = gparray;
using gp::core::cuda::runtime;
using gp::core::cuda::runtime_call_count;
using gp::core::cuda::runtime_table;

namespace {

std::array<long, runtime_call_count> n_calls{};
long n_driver_launches = 0;

/// A call that succeeds, does nothing and is counted.
template<int Row, class... Arguments>
constexpr auto counted(cudaError_t (*)(Arguments...)) {
  return +[](Arguments...) {
    ++n_calls[Row];
    return cudaSuccess;
  };
}

cudaError_t allocate(void** pointer, std::size_t bytes) {
  *pointer = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

const char *host_memory = nullptr, *host_memory_end = nullptr;  // the last that was made

/// A kernel whose result the host waits for stores it in host memory, and its parameters begin with `out`, or
/// `in` and `out`.
void store_result(void** parameters) {
  for (int i = 0; i < 2; ++i) {
    auto* const to = static_cast<char*>(static_cast<void**>(parameters[0])[i]);
    if (to >= host_memory && to < host_memory_end) std::memset(to, 0, 8);
  }
}

/// The driver's launch.
CUresult launch_idle(const CUlaunchConfig*, CUfunction function, void** arguments, void**) {
  ++n_driver_launches;
  if (static_cast<const void*>(function) == gp::core::cuda::find_post_kernel()) {  // the host waits for it
    const auto& p = *static_cast<const gp::core::cuda::post_params*>(arguments[0]);
    for (std::uint32_t i = 0; i < p.bytes; i += 4) p.words[i / 4] = std::uint64_t{p.stamp} << 32;
  } else {
    store_result(arguments);
  }
  return CUDA_SUCCESS;
}

enum row {
#define GPARRAY_CUDA_CALL(name, parameters) row_##name,
#include <cuda/runtime/runtime_calls.def>
#undef GPARRAY_CUDA_CALL
};

/// One GPU that does nothing.
void install_idle_runtime() {
#define GPARRAY_CUDA_CALL(name, parameters) runtime.name = counted<row_##name>(runtime.name);
#include <cuda/runtime/runtime_calls.def>
#undef GPARRAY_CUDA_CALL
  runtime.cudaGetDevice = [](int* device) {
    ++n_calls[row_cudaGetDevice];
    return *device = 0, cudaSuccess;
  };
  runtime.cudaGetDeviceCount = [](int* n) { return *n = 1, cudaSuccess; };
  runtime.cudaDeviceGetAttribute = [](int* value, cudaDeviceAttr what, int) {
    return *value = what == cudaDevAttrComputeCapabilityMajor ? 9 : 0, cudaSuccess;
  };
  runtime.cudaMalloc = [](void** pointer, std::size_t bytes) { return allocate(pointer, bytes); };
  runtime.cudaHostAlloc = [](void** pointer, std::size_t bytes, unsigned) {
    const cudaError_t code = allocate(pointer, bytes);
    host_memory = static_cast<const char*>(*pointer);
    host_memory_end = host_memory + bytes;
    return code;
  };
  runtime.cudaGetFuncBySymbol = [](cudaFunction_t* function, const void* symbol) {
    ++n_calls[row_cudaGetFuncBySymbol];
    *function = static_cast<cudaFunction_t>(const_cast<void*>(symbol));
    return cudaSuccess;
  };
  runtime.cudaGetDriverEntryPointByVersion = [](const char* name, void** address, unsigned,
                                                unsigned long long, cudaDriverEntryPointQueryResult* result) {
    const bool found = std::strcmp(name, "cuLaunchKernelEx") == 0;
    *address = reinterpret_cast<void*>(&launch_idle);
    *result = found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
  };
  runtime.cudaFuncGetAttributes = [](cudaFuncAttributes* attributes, const void*) {
    *attributes = {};
    attributes->maxThreadsPerBlock = 1024;
    attributes->ptxVersion = 90;
    return cudaSuccess;
  };
  runtime.cudaLibraryGetGlobal = [](void**, std::size_t* bytes, cudaLibrary_t, const char*) {
    ++n_calls[row_cudaLibraryGetGlobal];
    return *bytes = sizeof(float), cudaSuccess;
  };
  static char kernel;
  runtime.cudaLibraryGetKernel = [](cudaKernel_t* found, cudaLibrary_t, const char*) {
    return *found = reinterpret_cast<cudaKernel_t>(&kernel), cudaSuccess;
  };
  runtime.cudaStreamIsCapturing = [](cudaStream_t, cudaStreamCaptureStatus* status) {
    ++n_calls[row_cudaStreamIsCapturing];
    return *status = cudaStreamCaptureStatusNone, cudaSuccess;
  };
}

char code;  // what stands for the code of every generated kernel

gp::core::cuda::loaded_kernel make_kernel(const gp::core::cuda::kernel_key&) { return {&code, nullptr}; }

int n_batches = 200;

void report(const std::string& only, const char* name, const std::function<void()>& call) {
  if (!bench::asks_for(only, name)) return;
  for (int i = 0; i < 200; ++i) call();
  n_calls = {};
  n_driver_launches = 0;
  call();
  long total = n_driver_launches;
  std::string calls = total > 0 ? fmt::format(" cuLaunchKernelEx x{}", total) : "";
  static constexpr const char* names[] = {
#define GPARRAY_CUDA_CALL(name, parameters) #name,
#include <cuda/runtime/runtime_calls.def>
#undef GPARRAY_CUDA_CALL
  };
  for (int i = 0; i < runtime_call_count; ++i)
    if (const long n = n_calls[static_cast<std::size_t>(i)]) {
      calls += fmt::format(" {}{}", names[i], n > 1 ? fmt::format(" x{}", n) : "");
      total += n;
    }
  // The least of many batches: what the code costs when nothing else has the processor.
  double best = 1e30;
  for (int batch = 0; batch < n_batches; ++batch) {
    constexpr int n = 100;
    const double start = bench::seconds_now();
    for (int i = 0; i < n; ++i) call();
    best = std::min(best, (bench::seconds_now() - start) / n * 1e6);
  }
  fmt::print("{:<24}{:>9.3f} us {:>4} calls:{}\n", name, best, total, calls);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "";
  if (argc > 2) n_batches = std::atoi(argv[2]);  // many, to profile
  install_idle_runtime();
  static gp::core::cuda::kernel_table table(1024, make_kernel);
  gp::core::cuda::exchange_fused_kernels(&table);
  gp::set_jit_mode(gp::jit::sync);
  gp::set_default_device(gp::device::cuda(0));

  const int n = 256;
  const double dx = 1.0 / n;
  gp::ndarray<double> p = gp::zeros({n, n}), f = gp::zeros({n, n});
  report(only, "heat_step", [&] {
    gp::ndarray<double> p_new = p.copy();
    p_new("1:-1, 1:-1") =
        0.25 * (p(":-2, 1:-1") + p("2:, 1:-1") + p("1:-1, :-2") + p("1:-1, 2:") + dx * dx * f("1:-1, 1:-1"));
    gp::linalg::norm(p_new - p).item();
    p = p_new;
  });
  report(only, "heat_copy", [&] { p.copy(); });
  report(only, "heat_slice", [&] { p("1:-1, 1:-1"); });
  gp::ndarray<double> q = p.copy();
  report(only, "heat_stencil", [&] {
    q("1:-1, 1:-1") =
        0.25 * (p(":-2, 1:-1") + p("2:, 1:-1") + p("1:-1, :-2") + p("1:-1, 2:") + dx * dx * f("1:-1, 1:-1"));
  });
  report(only, "heat_norm", [&] { gp::linalg::norm(q - p).eval(); });
  report(only, "heat_norm_item", [&] { gp::linalg::norm(q - p).item(); });
  const gp::ndarray<double> number = gp::linalg::norm(q - p);
  report(only, "item", [&] { number.item(); });

  const gp::ndarray<float> x = gp::ones<float>(1000), y = gp::ones<float>(1000);
  report(only, "add_f32_1e3", [&] { gp::eval(x + y); });
  report(only, "fused3_f32_1e3", [&] { gp::eval(x * y + gp::sin(x) + gp::cos(y)); });
  report(only, "sum_f32_1e3", [&] { gp::sum(x).eval(); });

  const gp::RawKernel raw("extern \"C\" __global__ void f(float* x, const float* y, float a, int n) {}", "f");
  report(only, "raw_kernel", [&] { raw(4, 256, x, y, 2.f, 1000); });
  const gp::ElementwiseKernel axpy("T a, T x", "T y", "y += a * x", "axpy");
  report(only, "elementwise_kernel", [&] { axpy(2.f, x, y); });
  const gp::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
  report(only, "reduction_kernel", [&] { l2norm(x); });
  report(only, "empty_1MiB", [] { gp::empty<float>(262144); });
  report(only, "empty_1MiB_host", [] { gp::empty<float>(262144, {.device = gp::device::cpu()}); });
  return 0;
}
