// Where CUDA's libraries and headers are looked for.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <support/cuda_folders.hpp>

#include "support/temporary_folder.hpp"

using namespace gparray;

namespace {

/// The environment's variables for CUDA are those that a test sets, and are given back at its end.
class cuda_environment {
 public:
  cuda_environment() {
    for (const char* name : core::cuda_variables) {
      const char* const value = std::getenv(name);
      values_.push_back(value ? std::optional<std::string>(value) : std::nullopt);
      unsetenv(name);
    }
  }
  ~cuda_environment() {
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (values_[i]) setenv(core::cuda_variables[i], values_[i]->c_str(), 1);
      else unsetenv(core::cuda_variables[i]);
  }
  cuda_environment(const cuda_environment&) = delete;
  cuda_environment& operator=(const cuda_environment&) = delete;

 private:
  std::vector<std::optional<std::string>> values_;
};

using folders = std::vector<std::string>;

}  // namespace

TEST_CASE("CUDA is looked for where the loader looks and in the usual folders") {
  const cuda_environment nothing;
  CHECK(core::cuda_library_folders() == folders{"", "/usr/local/cuda/lib64", "/opt/cuda/lib64"});
  CHECK(core::cuda_include_folders() == folders{"/usr/local/cuda/include", "/opt/cuda/include"});
}

TEST_CASE("CUDA is looked for where the environment says") {
  const cuda_environment scope;
  setenv("GPARRAY_CUDA_PATH", "/mine", 1);
  setenv("CUDA_HOME", "/home", 1);
  setenv("CUDA_PATH", "/path", 1);
  setenv("VIRTUAL_ENV", "", 1);
  CHECK(core::cuda_library_folders() ==
        folders{"/mine", "", "/path/lib64", "/home/lib64", "/usr/local/cuda/lib64", "/opt/cuda/lib64"});
  CHECK(core::cuda_include_folders() == folders{"/path/include", "/home/include", "/mine/../include",
                                                "/usr/local/cuda/include", "/opt/cuda/include"});
}

TEST_CASE("CUDA is looked for in the packages of Python's environment") {
  const cuda_environment scope;
  const temporary_folder environment;
  const auto packages = environment.path / "lib/python3.12/site-packages/nvidia";
  for (const char* folder : {"cublas/lib", "cu13/lib", "cu13/include", "empty"})
    std::filesystem::create_directories(packages / folder);
  std::filesystem::create_directories(environment.path / "lib/other");
  setenv("VIRTUAL_ENV", environment.path.c_str(), 1);
  setenv("CONDA_PREFIX", "/nowhere", 1);
  const folders libraries = core::cuda_library_folders();
  REQUIRE(libraries.size() == 6);
  CHECK(libraries[3] == "/nowhere/lib");
  CHECK(libraries[4] == (packages / "cu13/lib").string());
  CHECK(libraries[5] == (packages / "cublas/lib").string());
  CHECK(core::cuda_include_folders().back() == (packages / "cu13/include").string());
}

TEST_CASE("CUDA is looked for beside a library that is a package of Python's") {
  const cuda_environment nothing;
  const temporary_folder environment;
  const auto site = environment.path / "lib/python3.12/site-packages";
  for (const char* folder : {"cu13/lib", "cu13/include"})
    std::filesystem::create_directories(site / "nvidia" / folder);
  const std::string library = site / "libgparray/lib/libgparray.so.0.1";
  CHECK(core::cuda_library_folders(library).back() == site / "nvidia/cu13/lib");
  CHECK(core::cuda_include_folders(library).back() == site / "nvidia/cu13/include");
  const auto found = core::cuda_library_folders(library).size();
  // The active environment is the same one.
  setenv("VIRTUAL_ENV", environment.path.c_str(), 1);
  CHECK(core::cuda_library_folders(library).size() == found);
  unsetenv("VIRTUAL_ENV");
  // Elsewhere a folder of that name means nothing.
  CHECK(core::cuda_library_folders(site / "other/lib/libgparray.so.0.1").back() == "/opt/cuda/lib64");
}

TEST_CASE("code knows the file that it was loaded from") {
  CHECK(std::filesystem::exists(core::this_library()));
}
