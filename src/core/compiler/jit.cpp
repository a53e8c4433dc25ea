// The process's one compile service.
#include <core/compiler/compile_service.hpp>
#include <support/background.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

constexpr std::size_t memory_limit = std::size_t{64} << 20;

const compiler_library& load_guarded() {
  const compiler_library& loaded = load_compiler();
  stop_kernel_worker_before_compiler();
  return loaded;
}

compile_service& service() {
  // Never destroyed: kernels in static storage may be compiled and dropped after main.
  static compile_service& instance =
      *new compile_service({.run = run_compiler, .load = load_guarded, .additions = compiler_additions},
                           memory_limit, disk_cache::default_folder(), disk_cache::default_limit());
  return instance;
}

}  // namespace

compiled_program compile(const compile_request& request) { return service().compile(request); }

void count_loading(double seconds) { service().count_loading(seconds); }

}  // namespace core

jit_counters jit_statistics() { return core::service().statistics(); }

std::string kernel_cache_folder() {
  return core::disk_cache::default_limit() == 0 ? "" : core::disk_cache::default_folder();
}

void clear_kernel_cache() { core::service().clear(); }

GPARRAY_END_NAMESPACE
