#include <atomic>
#include <dlfcn.h>
#include <link.h>

#include <support/errors.hpp>
#include <support/log.hpp>
#include <support/shared_library.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

std::atomic<library_opener> opener{&dlopen};

}  // namespace

library_opener exchange_opener(library_opener other) noexcept { return opener.exchange(other); }

namespace {

std::string file_of(void* library, const std::string& asked) {
  const link_map* map = nullptr;
  return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map ? map->l_name : asked;
}

/// `said` becomes what the loader said of the first failure, which is the telling one: a file that is there,
/// yet cannot be loaded, comes before the others.
void* find_library(std::initializer_list<const char*> names, std::span<const std::string> folders,
                   std::string& said) {
  for (const std::string& folder : folders) {
    for (const char* name : names) {
      const std::string path = folder.empty() ? name : folder + "/" + name;
      // Functions are bound when they are first called: of the thousands of OpenBLAS a program calls a few,
      // and to bind all took three quarters of its loading.
      if (void* library = opener.load()(path.c_str(), RTLD_LAZY | RTLD_LOCAL)) {
        if (logs(log_category::library)) log(log_category::library, "loaded {}", file_of(library, path));
        return library;
      }
      const char* text = dlerror();
      if (said.empty() && text) said = text;
    }
  }
  log(log_category::library, "could not load {} ({})", *names.begin(), said);
  return nullptr;
}

}  // namespace

void* try_library(std::initializer_list<const char*> names, std::span<const std::string> folders) {
  std::string ignored;
  return find_library(names, folders, ignored);
}

void* open_library(std::initializer_list<const char*> names, std::span<const std::string> folders,
                   std::string_view remedy) {
  std::string said;
  if (void* library = find_library(names, folders, said)) return library;
  fail<library_error>("{} could not be loaded ({}). {}", *names.begin(), said, remedy);
}

void* find_symbol(void* library, const char* symbol, std::string_view library_name, std::string_view remedy) {
  if (void* address = dlsym(library, symbol)) return address;
  fail<library_error>("{} has no function {}: it is too old. {}", library_name, symbol, remedy);
}

}  // namespace core
GPARRAY_END_NAMESPACE
