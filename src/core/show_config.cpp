// What the library is, was built with and finds here.
#include <thread>

#include <core/compiler/disk_cache.hpp>
#include <core/configuration.hpp>
#include <core/files/files.hpp>
#include <gparray/runtime/show_config.hpp>
#include <gparray/runtime/threads.hpp>
#include <plan/backend.hpp>
#include <support/cuda_folders.hpp>
#include <support/environment.hpp>
#include <support/errors.hpp>
#include <support/shared_library.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

#if !GPARRAY_HAS_CUDA
cuda_facts about_cuda() { return {}; }
std::vector<library_facts> cuda_libraries() { return {}; }
#endif

namespace {

std::string compiler_name() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

device_facts facts_of(device d) {
  device_facts facts;
  facts.name = d.str();
  try {
    facts.title = d.name();
    if (const auto [major, minor] = d.compute_capability(); d.is_cuda())
      facts.compute_capability = fmt::format("{}.{}", major, minor);
    std::tie(facts.free_bytes, facts.total_bytes) = d.memory_info();
  } catch (const error& e) {  // of a device that a fault has taken
    facts.problem = e.what();
  }
  return facts;
}

/// Those of gparray::distributed, which loads them and says what to install; here they are only looked for.
void add_of_ranks(std::vector<library_facts>& list) {
  const auto unknown = [](void*) { return std::string(); };
  constexpr const char* remedy = "Programs of several ranks need it: docs/guide/distributed.md";
  list.push_back(look_at_library(
      "MPI", "ranks of gparray::distributed",
      [] {
        const std::vector<std::string> only_loader{""};
        void* const library =
            open_library({"libmpi.so.40", "libmpi_abi.so.1", "libmpi.so.12"}, only_loader, remedy);
        return find_symbol(library, "MPI_Get_library_version", "MPI", remedy);
      },
      unknown));
  list.push_back(look_at_library(
      "NCCL", "GPUs of several ranks",
      [] {
        void* const library = open_library({"libnccl.so.2"}, cuda_library_folders(), remedy);
        return find_symbol(library, "ncclGetVersion", "NCCL", remedy);
      },
      unknown));
}

configuration look_around() {
  configuration c;
  c.version = fmt::format("{}.{}.{}", GPARRAY_VERSION_MAJOR, GPARRAY_VERSION_MINOR, GPARRAY_VERSION_PATCH);
  c.commit = GPARRAY_COMMIT;
  c.compiler = compiler_name();
  c.build_type = GPARRAY_BUILD_TYPE;
  c.processor = host_processor();
  c.processors = static_cast<int>(std::thread::hardware_concurrency());
  c.threads = num_threads();
  c.devices.push_back(facts_of(device::cpu()));
  c.cuda = about_cuda();
  try {
    for (int i = 0; i < device_count(); ++i) c.devices.push_back(facts_of(device::cuda(i)));
    if (!gpu_backend()) c.cuda_problem = cuda_missing_reason();
  } catch (const error& e) {  // a variable with a value that it cannot have
    c.cuda_problem = e.what();
  }
  c.libraries = host_libraries();
  c.libraries.push_back(look_at_library("zlib", "compressed .npz files", load_zlib,
                                        [](void* library) { return version_text(library, "zlibVersion"); }));
  for (library_facts& facts : cuda_libraries()) c.libraries.push_back(std::move(facts));
  add_of_ranks(c.libraries);
  c.cache_folder = kernel_cache_folder();
  c.cache_limit = disk_cache::default_limit();
  c.kernels = jit_statistics();
  for (const environment_row& row : environment_rows) {
    const char* const value = environment(variable(row));
    c.environment.push_back({row.name, value != nullptr, value ? value : "", row.values, row.meaning});
  }
  return c;
}

}  // namespace
}  // namespace core

std::string show_config(std::string_view mode) {
  if (mode == "text") return as_text(core::look_around());
  if (mode == "json") return as_json(core::look_around());
  core::fail<value_error>("show_config: the mode is \"text\" or \"json\", not \"{}\"", mode);
}

GPARRAY_END_NAMESPACE
