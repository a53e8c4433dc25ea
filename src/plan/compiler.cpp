// What a build without a compiler says.
#include <plan/compiler_library.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

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
