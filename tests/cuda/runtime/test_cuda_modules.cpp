// Modules and kernels through the runtime's calls, on a fake runtime.
#include <doctest/doctest.h>

#include <cuda/backend.hpp>
#include <gparray/error.hpp>
#include <plan/last_kernel.hpp>

#include "cuda/support/fake_runtime.hpp"
#include "support/error_text.hpp"

using namespace gparray;
using namespace gparray::core;
using cuda::runtime;
using fake_cuda::model;

namespace {

struct seen_launch {
  const void* kernel;
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
  bool cooperative;
} seen;
int libraries = 0;
bool has_parameter_query = true, has_driver_launch = true;
cudaError_t answer = cudaSuccess;
int handles[4];

struct fixture {
  fake_cuda::session session;
  std::unique_ptr<cuda::cuda_backend_type> gpu = std::make_unique<cuda::cuda_backend_type>(1);

  fixture() {
    answer = cudaSuccess;
    libraries = 0;
    has_parameter_query = true;
    runtime.cudaLibraryLoadData = [](cudaLibrary_t* library, const void* image, cudaJitOption*, void**,
                                     unsigned, cudaLibraryOption*, void**, unsigned) {
      if (std::strcmp(static_cast<const char*>(image), "image") != 0) return cudaErrorInvalidKernelImage;
      ++libraries;
      *library = reinterpret_cast<cudaLibrary_t>(&handles[0]);
      return cudaSuccess;
    };
    runtime.cudaLibraryUnload = [](cudaLibrary_t) { return --libraries, cudaSuccess; };
    runtime.cudaLibraryGetKernel = [](cudaKernel_t* kernel, cudaLibrary_t, const char* name) {
      *kernel = reinterpret_cast<cudaKernel_t>(&handles[1]);
      return std::strcmp(name, "scale") == 0 ? answer : cudaErrorSymbolNotFound;
    };
    runtime.cudaLibraryGetGlobal = [](void** address, std::size_t* bytes, cudaLibrary_t, const char* name) {
      *address = &handles[2];
      *bytes = 12;
      return std::strcmp(name, "table") == 0 ? cudaSuccess : cudaErrorSymbolNotFound;
    };
    runtime.cudaFuncGetAttributes = [](cudaFuncAttributes* a, const void*) {
      *a = {};
      a->numRegs = 32;
      a->maxThreadsPerBlock = 512;
      a->maxDynamicSharedSizeBytes = 49152;
      a->sharedSizeBytes = 16;
      a->localSizeBytes = 8;
      a->constSizeBytes = 4;
      a->ptxVersion = 90;
      a->binaryVersion = 91;
      return cudaSuccess;
    };
    runtime.cudaGetDriverEntryPointByVersion = [](const char* name, void** address, unsigned,
                                                  unsigned long long,
                                                  cudaDriverEntryPointQueryResult* result) {
      if (std::string(name) == "cuLaunchKernelEx") {
        *address = reinterpret_cast<void*>(&fake_cuda::launch_by_driver);
        *result = has_driver_launch ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
        return cudaSuccess;
      }
      CHECK(std::string(name) == "cuKernelGetParamInfo");
      using query = int (*)(void*, std::size_t, std::size_t*, std::size_t*);
      *address =
          reinterpret_cast<void*>(query([](void*, std::size_t i, std::size_t* offset, std::size_t* bytes) {
            *offset = 8 * i;
            *bytes = i == 0 ? 8 : 4;
            return i < 3 ? 0 : 1;
          }));
      *result = has_parameter_query ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
      return cudaSuccess;
    };
    runtime.cudaLaunchKernel = [](const void* kernel, dim3 grid, dim3 block, void**, std::size_t shared,
                                  cudaStream_t stream) {
      seen = {kernel, grid, block, shared, stream, false};
      return answer;
    };
    runtime.cudaLaunchKernelExC = [](const cudaLaunchConfig_t* c, const void* kernel, void**) {
      REQUIRE(c->numAttrs == 1);
      seen = {
          kernel,      c->gridDim,
          c->blockDim, c->dynamicSmemBytes,
          c->stream,   c->attrs[0].id == cudaLaunchAttributeCooperative && c->attrs[0].val.cooperative == 1};
      return answer;
    };
  }
};

}  // namespace

TEST_CASE("a module is loaded, asked and unloaded") {
  fixture f;
  const module_handle module = f.gpu->load_module("image", 0);
  CHECK(libraries == 1);
  const kernel_handle kernel = f.gpu->find_kernel(module, "scale");
  CHECK(kernel == &handles[1]);
  CHECK(error_of<value_error>([&] { f.gpu->find_kernel(module, "scael"); }) ==
        "the program has no kernel 'scael'");
  CHECK(f.gpu->find_global(module, "table") == std::pair<void*, std::size_t>(&handles[2], 12));
  CHECK(error_of<value_error>([&] { f.gpu->find_global(module, "x"); }) ==
        "the program has no global variable 'x'");

  const auto parameters = f.gpu->parameters(kernel);
  REQUIRE(parameters.size() == 3);
  CHECK(parameters[0].bytes == 8);
  CHECK(parameters[2].offset == 16);
  CHECK(parameters[2].bytes == 4);
  has_parameter_query = false;  // an older driver
  CHECK(f.gpu->parameters(kernel).empty());

  const kernel_attributes a = f.gpu->attributes(kernel, 0);
  CHECK(a.registers == 32);
  CHECK(a.max_threads_per_block == 512);
  CHECK(a.max_dynamic_shared_bytes == 49152);
  CHECK(a.shared_bytes == 16);
  CHECK(a.local_bytes == 8);
  CHECK(a.constant_bytes == 4);
  CHECK(a.ptx_version == 90);
  CHECK(a.binary_version == 91);

  f.gpu->unload_module(module);
  CHECK(libraries == 0);
  f.gpu->unload_module(nullptr);
  CHECK(error_of<cuda_error>([&] {
          f.gpu->load_module("rubbish", 0);
        }).starts_with("cudaLibraryLoadData failed while loading a program: cudaErrorInvalidKernelImage"));
}

TEST_CASE("launches, plain and cooperative") {
  fixture f;
  const auto stream = reinterpret_cast<stream_handle>(&handles[3]);
  kernel_launch l{.kernel = &handles[1],
                  .name = "scale",
                  .grid = {1, 2, 3},
                  .block = {4, 5, 6},
                  .shared_bytes = 7,
                  .arguments = nullptr};
  for (bool cooperative : {false, true}) {
    l.cooperative = cooperative;
    seen = {};
    f.gpu->launch(l, {0, stream});
    CHECK(seen.kernel == &handles[1]);
    CHECK(seen.grid.y == 2);
    CHECK(seen.block.z == 6);
    CHECK(seen.shared == 7);
    CHECK(seen.stream == static_cast<cudaStream_t>(stream));
    CHECK(seen.cooperative == cooperative);
  }
  answer = cudaErrorCooperativeLaunchTooLarge;
  CHECK(error_of<cuda_error>([&] { f.gpu->launch(l, {0, nullptr}); }).ends_with("use fewer or smaller ones"));
}

TEST_CASE("a fault names the last raw kernel, whichever call reports it") {
  fixture f;
  const char* before = last_raw_kernel();
  note_raw_kernel(lasting_name("my_kernel"));
  runtime.cudaStreamSynchronize = [](cudaStream_t) { return cudaErrorIllegalAddress; };
  const std::string text = error_of<cuda_error>([&] { f.gpu->synchronize_stream({0, nullptr}); });
  CHECK(text.find("an earlier kernel failed") != std::string::npos);
  CHECK(text.ends_with("the last raw kernel launched was 'my_kernel'"));
  fake_cuda::bring_back_devices();
  // Other errors are not a kernel's.
  runtime.cudaStreamSynchronize = [](cudaStream_t) { return cudaErrorInvalidResourceHandle; };
  CHECK(error_of<cuda_error>([&] { f.gpu->synchronize_stream({0, nullptr}); }).find("my_kernel") ==
        std::string::npos);
  note_raw_kernel(before);
}
