#include <dlfcn.h>

#include <distributed/nccl/nccl.hpp>

#include <support/cuda_folders.hpp>
#include <support/environment.hpp>
#include <support/errors.hpp>
#include <support/lazy_table.hpp>
#include <support/shared_library.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {
namespace {

constexpr const char* file = "libnccl.so.2";
constexpr const char* remedy =
    "Several GPUs are connected by NCCL 2.18 or newer: install libnccl2 (NVIDIA's repository) or the Python "
    "package nvidia-nccl-cu13, or set GPARRAY_CUDA_PATH to the folder that holds it";
constexpr int oldest = 21800, oldest_with_windows = 22907;

std::string version_text(int version) {
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

nccl_table load() {
  // One that is in the process already, PyTorch's for example, and no second.
  void* library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
  if (!library) library = core::open_library({file}, core::cuda_library_folders(), remedy);
  nccl_table table{};
#define GPARRAY_NCCL_CALL(result, name, parameters) \
  table.name =                                      \
      reinterpret_cast<result(*) parameters>(core::find_symbol(library, "nccl" #name, "NCCL", remedy));
#include <distributed/nccl/nccl_calls.def>
  int version = 0;
  if (table.GetVersion(&version) != nccl_success || version < oldest)
    core::fail<library_error>("NCCL is too old: {}. {}", version_text(version), remedy);
  const char* const wanted = core::environment("GPARRAY_NCCL_WINDOWS");
  if (version < oldest_with_windows || (wanted && std::string_view(wanted) == "0")) return table;
#include <distributed/nccl/nccl_window_calls.def>
#undef GPARRAY_NCCL_CALL
  return table;
}

}  // namespace

const nccl_table& nccl() { return core::lazy_table<load>::get(); }

const nccl_table* exchange_nccl(const nccl_table* substitute) noexcept {
  return core::lazy_table<load>::exchange(substitute);
}

std::string nccl_name(const nccl_table& calls) {
  int version = 0;
  calls.GetVersion(&version);
  return "nccl " + version_text(version);
}

std::optional<nccl_type> nccl_type_of(dtype type) noexcept {
  switch (type) {
    case dtype::int8:
      return nccl_type{0, 1};
    case dtype::uint8:
      return nccl_type{1, 1};
    case dtype::int32:
      return nccl_type{2, 1};
    case dtype::uint32:
      return nccl_type{3, 1};
    case dtype::int64:
      return nccl_type{4, 1};
    case dtype::uint64:
      return nccl_type{5, 1};
    case dtype::float16:
      return nccl_type{6, 1};
    case dtype::float32:
      return nccl_type{7, 1};
    case dtype::float64:
      return nccl_type{8, 1};
    case dtype::bfloat16:
      return nccl_type{9, 1};
    case dtype::complex64:
      return nccl_type{7, 2};
    case dtype::complex128:
      return nccl_type{8, 2};
    default:
      return std::nullopt;
  }
}

bool is_captured(void* stream) noexcept {
  if (!stream) return false;  // the default stream cannot be
  // A process with a stream has the driver.
  static const auto ask = reinterpret_cast<int (*)(void*, int*)>(
      dlsym(dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD), "cuStreamIsCapturing"));
  int status = 0;
  return ask && ask(stream, &status) == 0 && status != 0;
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
