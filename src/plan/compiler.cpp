// What a backend without run-time kernels says, and a build without a compiler.
#include <plan/backend.hpp>
#include <plan/compiler_library.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

[[noreturn]] void throw_no_kernels() {
  fail<device_error>("kernels compiled at run time run on GPUs alone, and this device is none");
}

}  // namespace

module_handle backend::load_module(const std::string&, int) { throw_no_kernels(); }
void backend::unload_module(module_handle) noexcept {}
kernel_handle backend::find_kernel(module_handle, const char*) { throw_no_kernels(); }
std::pair<void*, std::size_t> backend::find_global(module_handle, const char*) { throw_no_kernels(); }
std::vector<kernel_parameter> backend::parameters(kernel_handle) { throw_no_kernels(); }
kernel_attributes backend::attributes(kernel_handle, int) { throw_no_kernels(); }
void backend::set_max_dynamic_shared_bytes(kernel_handle, int, std::size_t) { throw_no_kernels(); }
void backend::launch(const kernel_launch&, queue) { throw_no_kernels(); }

#if !GPARRAY_HAS_CUDA
namespace {

[[noreturn]] void throw_no_compiler() {
  fail<library_error>("this build of gparray has no CUDA compiler; configure it with -DGPARRAY_WITH_CUDA=ON");
}

}  // namespace

compiled_program run_compiler(const compile_request&) { throw_no_compiler(); }
const compiler_library& load_compiler() { throw_no_compiler(); }
const std::string& compiler_additions() { throw_no_compiler(); }
bool has_compiler() noexcept { return false; }
#else
bool has_compiler() noexcept { return true; }
#endif

}  // namespace core
GPARRAY_END_NAMESPACE
