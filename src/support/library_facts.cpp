#include <dlfcn.h>
#include <filesystem>

#include <fmt/format.h>

#include <support/library_facts.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// "7.0.1" of libx.so.7.0.1.
std::string version_in_name(const std::string& path) {
  constexpr std::string_view mark = ".so.";
  const std::size_t at = path.rfind(mark);
  return at == std::string::npos ? "" : path.substr(at + mark.size());
}

}  // namespace

void locate(library_facts& facts, const void* address, std::string (*version_of)(void* library)) {
  Dl_info where;
  if (dladdr(address, &where) == 0 || !where.dli_fname) return;
  std::error_code failed;
  facts.path = std::filesystem::canonical(where.dli_fname, failed).string();
  if (failed) facts.path = where.dli_fname;
  if (void* const library = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
    facts.version = version_of(library);
    dlclose(library);
  }
  if (facts.version.empty()) facts.version = version_in_name(facts.path);
}

std::string version_text(void* library, const char* function) {
  const auto call = reinterpret_cast<const char* (*)()>(dlsym(library, function));
  const char* const text = call ? call() : nullptr;
  return text ? text : "";
}

std::string version_of_cuda(void* library, const char* function) {
  const auto part = reinterpret_cast<int (*)(int, int*)>(dlsym(library, function));
  int parts[3] = {};
  for (int i = 0; i < 3; ++i)
    if (!part || part(i, &parts[i]) != 0) return {};
  return fmt::format("{}.{}.{}", parts[0], parts[1], parts[2]);
}

}  // namespace core
GPARRAY_END_NAMESPACE
