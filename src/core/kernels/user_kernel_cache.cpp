#include <core/kernels/user_kernel_cache.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

user_kernel kernel_variants::find(const std::string& key, device on_device, const char* name,
                                  const std::function<compile_request()>& request, const char* variable) {
  backend& b = backend_of(on_device);
  const std::lock_guard hold(lock_);
  variant& v = variants_[key];
  if (v.program) v.program->keep_in_graph(on_device.index());
  if (const auto found = v.loaded.find({&b, on_device.index()}); found != v.loaded.end())
    return found->second;
  if (!v.program) {
    v.program = std::make_unique<raw_program>(request());
    v.program->keep_in_graph(on_device.index());
  }
  user_kernel k;
  k.module = v.program->on(on_device);
  k.kernel = b.find_kernel(k.module, name);
  if (variable) k.variable_bytes = b.find_global(k.module, variable).second;
  v.loaded[{&b, on_device.index()}] = k;
  return k;
}

void compile_early(compile_request request) {
  if (!has_compiler()) return;
  request.architecture = architecture_of(default_gpu());
  try {
    compile(request);
  } catch (const library_error&) {  // the launch will say so
  }
}

}  // namespace core
GPARRAY_END_NAMESPACE
