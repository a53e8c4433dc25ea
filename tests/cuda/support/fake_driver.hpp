// The driver's own launch, in front of a fake runtime. It is written down as the runtime's, which errors name
// too.
#pragma once
#include <atomic>
#include <cstring>

#include <cuda/runtime/launch.hpp>

namespace fake_cuda {

struct driver_model {
  bool launches = true;             // whether it has the call
  CUresult refusal = CUDA_SUCCESS;  // of all launches, which the runtime takes
  int code_for = 120;               // the architecture that it says kernels were compiled for
  std::atomic<int> n_launches{0};   // that it took
  std::atomic<int> n_symbols{0};    // of ahead-of-time kernels that it was asked for

  void reset() {
    launches = true;
    refusal = CUDA_SUCCESS;
    code_for = 120;
    n_launches = n_symbols = 0;
  }
};

inline driver_model driver;
/// The runtime's answer when it is asked for a launch that the driver has refused.
inline thread_local cudaError_t refused = cudaSuccess;

inline CUresult launch_by_driver(const CUlaunchConfig* c, CUfunction function, void** arguments, void**) {
  using gparray::core::cuda::runtime;
  refused = cudaSuccess;
  if (driver.refusal != CUDA_SUCCESS) return driver.refusal;
  const cudaLaunchConfig_t r = gparray::core::cuda::for_runtime(*c);
  const cudaError_t code = r.numAttrs > 0 ? runtime.cudaLaunchKernelExC(&r, function, arguments)
                                          : runtime.cudaLaunchKernel(function, r.gridDim, r.blockDim,
                                                                     arguments, r.dynamicSmemBytes, r.stream);
  if (code == cudaSuccess) ++driver.n_launches;
  refused = code;
  return static_cast<CUresult>(code);
}

inline void add_driver_calls(gparray::core::cuda::runtime_table& t) {
  t.cudaGetFuncBySymbol = [](cudaFunction_t* function, const void* symbol) {
    ++driver.n_symbols;
    *function = static_cast<cudaFunction_t>(const_cast<void*>(symbol));
    return cudaSuccess;
  };
  t.cudaFuncGetAttributes = [](cudaFuncAttributes* attributes, const void*) {
    *attributes = {};
    attributes->ptxVersion = driver.code_for;
    attributes->maxThreadsPerBlock = 1024;
    return cudaSuccess;
  };
  t.cudaGetDriverEntryPointByVersion = [](const char* name, void** address, unsigned, unsigned long long,
                                          cudaDriverEntryPointQueryResult* result) {
    const bool found = driver.launches && std::strcmp(name, "cuLaunchKernelEx") == 0;
    *address = found ? reinterpret_cast<void*>(&launch_by_driver) : nullptr;
    *result = found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
  };
}

}  // namespace fake_cuda
