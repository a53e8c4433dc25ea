#include <algorithm>
#include <filesystem>

#include <support/cuda_folders.hpp>
#include <support/environment.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = environment(name);
  return value ? value : "";
}

/// The folders in a folder, in the order of their names; none of one that cannot be read.
std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error, ignored;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
    if (i->is_directory(ignored)) found.push_back(i->path());
  std::sort(found.begin(), found.end());
  return found;
}

/// Those that have this name in the packages of the environment's Python: .../site-packages/nvidia/*/lib.
void add_wheels(std::vector<std::string>& list, const char* name) {
  for (const char* environment_folder : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string prefix = variable(environment_folder);
    if (prefix.empty()) continue;
    for (const fs::path& python : folders_in(fs::path(prefix) / "lib")) {
      if (!python.filename().string().starts_with("python3")) continue;
      for (const fs::path& package : folders_in(python / "site-packages" / "nvidia")) {
        std::error_code ignored;
        if (fs::is_directory(package / name, ignored)) list.push_back((package / name).string());
      }
    }
  }
}

/// The toolkits that the environment names.
std::vector<std::string> named_toolkits() {
  std::vector<std::string> list;
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
    if (std::string folder = variable(name); !folder.empty()) list.push_back(std::move(folder));
  return list;
}
constexpr const char* usual_toolkits[] = {"/usr/local/cuda", "/opt/cuda"};

}  // namespace

std::vector<std::string> cuda_library_folders() {
  std::vector<std::string> list;
  // The user's word, then what the loader knows, which the environment may have told it, too.
  if (const std::string folder = variable("GPARRAY_CUDA_PATH"); !folder.empty()) list.push_back(folder);
  list.emplace_back();
  for (const std::string& toolkit : named_toolkits()) list.push_back(toolkit + "/lib64");
  for (const char* toolkit : usual_toolkits) list.push_back(std::string(toolkit) + "/lib64");
  if (const std::string conda = variable("CONDA_PREFIX"); !conda.empty()) list.push_back(conda + "/lib");
  add_wheels(list, "lib");
  return list;
}

std::vector<std::string> cuda_include_folders() {
  std::vector<std::string> list;
  for (const std::string& toolkit : named_toolkits()) list.push_back(toolkit + "/include");
  if (const std::string folder = variable("GPARRAY_CUDA_PATH"); !folder.empty())
    list.push_back(folder + "/../include");
  for (const char* toolkit : usual_toolkits) list.push_back(std::string(toolkit) + "/include");
  add_wheels(list, "include");
  return list;
}

}  // namespace core
GPARRAY_END_NAMESPACE
