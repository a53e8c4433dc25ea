#include <memory>

#include <fmt/format.h>

#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/modules.hpp>
#include <gparray/error.hpp>
#include <plan/lost_device.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// A library's variables are those of the current device.
struct loaded_module {
  cudaLibrary_t library;
  int device;
};

loaded_module& module_of(module_handle module) { return *static_cast<loaded_module*>(module); }

}  // namespace

module_handle load_module(const std::string& image, int device) {
  auto module = std::make_unique<loaded_module>(loaded_module{nullptr, device});
  call<&rt::cudaLibraryLoadData>("loading a program", &module->library,
                                 static_cast<const void*>(image.data()), nullptr, nullptr, 0u, nullptr,
                                 nullptr, 0u);
  return module.release();
}

void unload_module(module_handle module) noexcept {
  if (!module) return;
  if (!is_lost(module_of(module).device)) try_call<&rt::cudaLibraryUnload>(module_of(module).library);
  delete &module_of(module);
}

kernel_handle find_kernel(module_handle module, const char* name) {
  use_device(module_of(module).device);
  cudaKernel_t kernel = nullptr;
  const cudaError_t code = try_call<&rt::cudaLibraryGetKernel>(&kernel, module_of(module).library, name);
  if (code == cudaErrorSymbolNotFound) throw value_error(fmt::format("the program has no kernel '{}'", name));
  if (code != cudaSuccess) throw_cuda_error("cudaLibraryGetKernel", code, "looking up a kernel");
  return kernel;
}

std::pair<void*, std::size_t> find_global(module_handle module, const char* name) {
  use_device(module_of(module).device);
  void* address = nullptr;
  std::size_t bytes = 0;
  const cudaError_t code =
      try_call<&rt::cudaLibraryGetGlobal>(&address, &bytes, module_of(module).library, name);
  if (code == cudaErrorSymbolNotFound)
    throw value_error(fmt::format("the program has no global variable '{}'", name));
  if (code != cudaSuccess) throw_cuda_error("cudaLibraryGetGlobal", code, "looking up a global variable");
  return {address, bytes};
}

std::vector<kernel_parameter> parameters_of(kernel_handle kernel) {
  std::vector<kernel_parameter> result;
  using function = CUresult(CUkernel, std::size_t, std::size_t*, std::size_t*);
  auto* const query = reinterpret_cast<function*>(find_driver_call("cuKernelGetParamInfo", 12040));
  if (!query) return result;
  kernel_parameter p;
  while (query(static_cast<CUkernel>(kernel), result.size(), &p.offset, &p.bytes) == CUDA_SUCCESS)
    result.push_back(p);
  return result;
}

kernel_attributes attributes_of(kernel_handle kernel) {
  cudaFuncAttributes a;
  call<&rt::cudaFuncGetAttributes>("reading a kernel's attributes", &a, static_cast<const void*>(kernel));
  return {.registers = a.numRegs,
          .max_threads_per_block = a.maxThreadsPerBlock,
          .max_dynamic_shared_bytes = a.maxDynamicSharedSizeBytes,
          .ptx_version = a.ptxVersion,
          .binary_version = a.binaryVersion,
          .shared_bytes = a.sharedSizeBytes,
          .local_bytes = a.localSizeBytes,
          .constant_bytes = a.constSizeBytes};
}

void set_max_dynamic_shared_bytes(kernel_handle kernel, int device, std::size_t bytes) {
  call<&rt::cudaKernelSetAttributeForDevice>(
      "setting a kernel's max_dynamic_shared_size_bytes", static_cast<cudaKernel_t>(kernel),
      cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes), device);
}

void launch_kernel(const kernel_launch& l, queue q) {
  static constexpr cudaLaunchAttribute together{
      .id = cudaLaunchAttributeCooperative, .pad = {}, .val = {.cooperative = 1}};
  const dim3 grid(l.grid[0], l.grid[1], l.grid[2]), block(l.block[0], l.block[1], l.block[2]);
  enqueue(l.name, loaded(l.kernel),
          configured(grid, block, l.shared_bytes, stream_of(q.stream), l.cooperative ? &together : nullptr),
          l.arguments, q.device);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
