#include <core/compile_service.hpp>
#include <core/errors.hpp>
#include <core/user_kernel_cache.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

std::string kernel_architecture(device place) {
  const auto [major, minor] = backend_of(place).compute_capability(place.index());
  return fmt::format("sm_{}{}", major, minor);
}

std::string default_kernel_architecture() {
  backend* gpu = gpu_backend();
  return gpu && gpu->device_count() > 0 ? kernel_architecture(device::cuda(0)) : "sm_90";
}

loaded_kernel load_kernel(const compile_request& request, const char* name, device place) {
  struct loaded {
    std::mutex lock;
    std::map<std::string, loaded_kernel> kernels;
  };
  static loaded& process = *new loaded;  // never destroyed, as the kernels are
  backend& b = backend_of(place);
  // The backend is part of the key because tests put others in its place.
  const std::string key =
      fmt::format("{} {} {}", static_cast<const void*>(&b), place.str(), describe(request, ""));
  const std::lock_guard guard(process.lock);
  loaded_kernel& k = process.kernels[key];
  if (!k.kernel) {
    k.module = b.load_module(compile(request).image, place.index());
    k.kernel = b.find_kernel(k.module, name);
  }
  return k;
}

loaded_kernel kernel_variants::find(const std::string& key, device place, const char* name,
                                    const std::function<compile_request()>& request) {
  const std::string full =
      fmt::format("{} {} {}", static_cast<const void*>(&backend_of(place)), place.str(), key);
  const std::lock_guard guard(lock_);
  if (const auto found = kernels_.find(full); found != kernels_.end()) return found->second;
  compile_request r = request();
  r.architecture = kernel_architecture(place);
  return kernels_[full] = load_kernel(r, name, place);
}

void compile_early(compile_request request) {
  if (!has_compiler()) return;
  request.architecture = default_kernel_architecture();
  try {
    compile(request);
  } catch (const library_error&) {  // the launch will say so
  }
}

}  // namespace core
GPARRAY_END_NAMESPACE
