#include "library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <gparray/error.hpp>
#include <string>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

void* open_library(std::initializer_list<const char*> names, const char* package) {
  const char* folder = std::getenv("GPARRAY_CUDA_PATH");
  const std::string prefixes[] = {folder ? std::string(folder) + "/" : std::string(), std::string(),
                                  "/usr/local/cuda/lib64/"};
  std::string said;
  for (const std::string& prefix : prefixes) {
    for (const char* name : names) {
      if (void* library = dlopen((prefix + name).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
      // The first failure is the telling one: a file that is there, yet cannot be loaded, comes before the
      // others.
      const char* text = dlerror();
      if (said.empty() && text) said = text;
    }
  }
  throw library_error(
      fmt::format("{} could not be loaded ({}). Install {}, or set GPARRAY_CUDA_PATH to the folder that "
                  "holds it",
                  *names.begin(), said, package));
}

void* find_symbol(void* library, const char* symbol, const char* library_name) {
  if (void* address = dlsym(library, symbol)) return address;
  throw library_error(
      fmt::format("{} has no function {}: it is too old. Install CUDA 12 or newer", library_name, symbol));
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
