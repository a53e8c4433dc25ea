// Programs through NVRTC.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cuda/compiler/nvrtc.hpp>
#include <gparray/error.hpp>
#include <plan/compiler_library.hpp>
#include <plan/embedded_kernels.hpp>
#include <support/cuda_folders.hpp>
#include <support/sha256.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace cuda {
namespace {

/// The flags that decide about bits, for gparray's own kernels: those that nvcc gets in cmake/compiler.cmake.
constexpr const char* own_float_options[] = {GPARRAY_KERNEL_FLOAT_OPTIONS};

class program {
 public:
  program(const char* source, const char* file, const std::vector<const char*>& texts,
          const std::vector<const char*>& names) {
    check("nvrtcCreateProgram",
          nvrtc().nvrtcCreateProgram(&handle_, source, file, static_cast<int>(names.size()), texts.data(),
                                     names.data()));
  }
  ~program() { nvrtc().nvrtcDestroyProgram(&handle_); }
  program(const program&) = delete;
  program& operator=(const program&) = delete;

  nvrtcProgram get() const { return handle_; }

  /// One of the results that NVRTC hands out as a size and then as bytes.
  template<class Size, class Get>
  std::string bytes(const char* call, Size size_of, Get get_into) const {
    std::size_t size = 0;
    check(call, size_of(handle_, &size));
    std::string result(size, '\0');
    if (size > 0) check(call, get_into(handle_, result.data()));
    return result;
  }

  static void check(const char* call, nvrtcResult status) {
    if (status == NVRTC_SUCCESS) return;
    if (status == NVRTC_ERROR_OUT_OF_MEMORY)
      throw out_of_memory("the CUDA compiler NVRTC ran out of host memory");
    throw library_error(fmt::format("{} failed: {}", call, nvrtc().nvrtcGetErrorString(status)));
  }

 private:
  nvrtcProgram handle_ = nullptr;
};

bool has_option(const std::vector<std::string>& options, std::initializer_list<std::string_view> names) {
  return std::any_of(options.begin(), options.end(), [&](const std::string& option) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return option.starts_with(name) && (option.size() == name.size() || option[name.size()] == '=');
    });
  });
}

/// A GPU that this compiler does not know gets code for the newest one before it, as text that the driver
/// translates: compute_90 for sm_90.
std::string supported_architecture(const std::string& wanted) {
  int number = 0;
  const char* const end = wanted.data() + wanted.size();
  if (!wanted.starts_with("sm_") ||
      std::from_chars(wanted.data() + 3, end, number) != std::from_chars_result{end, std::errc()})
    return wanted;
  int count = 0;
  program::check("nvrtcGetNumSupportedArchs", nvrtc().nvrtcGetNumSupportedArchs(&count));
  std::vector<int> known(static_cast<std::size_t>(count));
  program::check("nvrtcGetSupportedArchs", nvrtc().nvrtcGetSupportedArchs(known.data()));
  int newest = 0;
  for (const int each : known)
    if (each <= number) newest = std::max(newest, each);
  return newest == 0 || newest == number ? wanted : fmt::format("compute_{}", newest);
}

std::vector<std::string> find_toolkit_folders() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const std::string& folder : cuda_include_folders())
    if (fs::exists(folder + "/cuda_fp16.h", ignored)) {
      if (fs::exists(folder + "/cccl/cuda", ignored)) return {folder, folder + "/cccl"};
      return {folder};
    }
  return {};
}

/// The toolkit's own headers (cuda_fp16.h, cooperative_groups.h), which NVRTC does not look for.
const std::vector<std::string>& toolkit_folders() {
  static const std::vector<std::string> folders = find_toolkit_folders();
  return folders;
}

std::vector<std::string> all_options(const compile_request& request) {
  std::vector<std::string> options;
  // Options of the request take precedence over ours; one given twice would put a warning into the log.
  for (const std::string own : own_float_options) {
    const std::string name = own.substr(0, own.find('='));
    if (request.kernel_headers && !has_option(request.options, {name, "-" + name})) options.push_back(own);
  }
  options.insert(options.end(), request.options.begin(), request.options.end());
  if (!has_option(options, {"-arch", "--gpu-architecture"}))
    options.push_back("--gpu-architecture=" + supported_architecture(request.architecture));
  if (!has_option(options, {"-std", "--std"})) options.emplace_back("-std=c++17");
  for (const std::string& folder : toolkit_folders()) options.push_back("-I" + folder);
  return options;
}

std::string digest_of_headers() {
  std::string all;
  for (unsigned i = 0; i < embedded_kernel_file_count; ++i)
    all += fmt::format("{}\n{}\n", embedded_kernel_files[i].name, embedded_kernel_files[i].text);
  return hexadecimal(sha256(all));
}

}  // namespace
}  // namespace cuda

compiled_program run_compiler(const compile_request& request) {
  using namespace cuda;
  std::vector<const char*> names, texts;
  for (unsigned i = 0; i < embedded_kernel_file_count; ++i) {
    const embedded_file& file = embedded_kernel_files[i];
    if (!request.kernel_headers && !std::string_view(file.name).starts_with("gparray/")) continue;
    names.push_back(file.name);
    texts.push_back(file.text);
  }
  const program p(request.source.c_str(), request.file_name.c_str(), texts, names);
  for (const std::string& expression : request.name_expressions)
    program::check("nvrtcAddNameExpression", nvrtc().nvrtcAddNameExpression(p.get(), expression.c_str()));

  const std::vector<std::string> options = all_options(request);
  std::vector<const char*> option_texts;
  for (const std::string& option : options) option_texts.push_back(option.c_str());
  const nvrtcResult status =
      nvrtc().nvrtcCompileProgram(p.get(), static_cast<int>(option_texts.size()), option_texts.data());

  compiled_program result;
  result.log = p.bytes("nvrtcGetProgramLog", nvrtc().nvrtcGetProgramLogSize, nvrtc().nvrtcGetProgramLog);
  while (!result.log.empty() && (result.log.back() == '\0' || result.log.back() == '\n'))
    result.log.pop_back();
  if (status == NVRTC_ERROR_COMPILATION || status == NVRTC_ERROR_INVALID_OPTION)
    throw compile_error(fmt::format("{} does not compile with the options {}:\n{}", request.file_name,
                                    fmt::join(options, " "), result.log));
  program::check("nvrtcCompileProgram", status);

  for (const std::string& expression : request.name_expressions) {
    const char* lowered = nullptr;
    program::check("nvrtcGetLoweredName", nvrtc().nvrtcGetLoweredName(p.get(), expression.c_str(), &lowered));
    result.lowered_names.emplace_back(lowered);
  }
  // A virtual architecture has no machine code, only text for the driver.
  result.image = p.bytes("nvrtcGetCUBIN", nvrtc().nvrtcGetCUBINSize, nvrtc().nvrtcGetCUBIN);
  if (result.image.empty())
    result.image = p.bytes("nvrtcGetPTX", nvrtc().nvrtcGetPTXSize, nvrtc().nvrtcGetPTX);
  return result;
}

const compiler_library& load_compiler() {
  static const auto& loaded = *new compiler_library([] {
    int major = 0, minor = 0;
    cuda::program::check("nvrtcVersion", cuda::nvrtc().nvrtcVersion(&major, &minor));
    return compiler_library{fmt::format("NVRTC {}.{}", major, minor), cuda::nvrtc().file};
  }());
  return loaded;
}

const std::string& compiler_additions() {
  static const auto& identity =
      *new std::string(fmt::format("{} {} {}", fmt::join(cuda::own_float_options, " "),
                                   cuda::digest_of_headers(), fmt::join(cuda::toolkit_folders(), " ")));
  return identity;
}

}  // namespace core
GPARRAY_END_NAMESPACE
