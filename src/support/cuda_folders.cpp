#include <algorithm>
#include <dlfcn.h>
#include <filesystem>

#include <support/cuda_folders.hpp>
#include <support/environment.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

namespace fs = std::filesystem;

std::string value_of(variable name) {
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

/// Those that have this name in NVIDIA's packages, site-packages/nvidia/*/lib: of the Python environment that
/// the library was installed into, and of the active one.
void add_wheels(std::vector<std::string>& list, const char* name, const fs::path& library_file) {
  std::vector<fs::path> sites;
  const fs::path package_folder = library_file.parent_path().parent_path();
  if (package_folder.filename() == "libgparray") sites.push_back(package_folder.parent_path());
  for (const variable environment_folder : {variable("VIRTUAL_ENV"), variable("CONDA_PREFIX")}) {
    const std::string prefix = value_of(environment_folder);
    if (prefix.empty()) continue;
    for (const fs::path& python : folders_in(fs::path(prefix) / "lib"))
      if (python.filename().string().starts_with("python3")) sites.push_back(python / "site-packages");
  }
  for (const fs::path& site : sites) {
    for (const fs::path& package : folders_in(site / "nvidia")) {
      std::error_code ignored;
      std::string folder = (package / name).string();
      if (fs::is_directory(folder, ignored) && std::find(list.begin(), list.end(), folder) == list.end())
        list.push_back(std::move(folder));
    }
  }
}

/// The toolkits that the environment names.
std::vector<std::string> named_toolkits() {
  std::vector<std::string> list;
  for (const variable name : {variable("CUDA_PATH"), variable("CUDA_HOME")})
    if (std::string folder = value_of(name); !folder.empty()) list.push_back(std::move(folder));
  return list;
}
constexpr const char* usual_toolkits[] = {"/usr/local/cuda", "/opt/cuda"};

}  // namespace

std::string this_library() {
  Dl_info about{};
  return dladdr(reinterpret_cast<void*>(&this_library), &about) && about.dli_fname ? about.dli_fname : "";
}

std::vector<std::string> cuda_library_folders(const std::string& library_file) {
  std::vector<std::string> list;
  // The user's word, then what the loader knows, which the environment may have told it, too.
  if (const std::string folder = value_of("GPARRAY_CUDA_PATH"); !folder.empty()) list.push_back(folder);
  list.emplace_back();
  for (const std::string& toolkit : named_toolkits()) list.push_back(toolkit + "/lib64");
  for (const char* toolkit : usual_toolkits) list.push_back(std::string(toolkit) + "/lib64");
  if (const std::string conda = value_of("CONDA_PREFIX"); !conda.empty()) list.push_back(conda + "/lib");
  add_wheels(list, "lib", library_file);
  return list;
}

std::vector<std::string> cuda_include_folders(const std::string& library_file) {
  std::vector<std::string> list;
  for (const std::string& toolkit : named_toolkits()) list.push_back(toolkit + "/include");
  if (const std::string folder = value_of("GPARRAY_CUDA_PATH"); !folder.empty())
    list.push_back(folder + "/../include");
  for (const char* toolkit : usual_toolkits) list.push_back(std::string(toolkit) + "/include");
  add_wheels(list, "include", library_file);
  return list;
}

}  // namespace core
GPARRAY_END_NAMESPACE
