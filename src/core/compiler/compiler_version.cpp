#include <cstdlib>
#include <sys/stat.h>

#include <fmt/format.h>

#include <core/compiler/compiler_version.hpp>
#include <core/compiler/program_file.hpp>
#include <support/cuda_folders.hpp>
#include <support/environment.hpp>
#include <support/sha256.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// Where the library would be looked for.
std::string search_paths() {
  std::string paths = "the compiler's version\n";
  const auto add = [&](variable name) {
    const char* const value = environment(name);
    paths += fmt::format("{}={}\n", static_cast<const char*>(name), value ? value : "");
  };
  for (const variable name : cuda_variables) add(name);
  add("LD_LIBRARY_PATH");
  return paths;
}

/// Empty if there is no such file.
std::string state_of(const std::string& file) {
  struct stat s;
  if (file.empty() || stat(file.c_str(), &s) != 0) return {};
  return fmt::format("{} {} {}.{}", s.st_ino, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
}

}  // namespace

std::optional<std::string> noted_compiler_version(disk_cache& disk) {
  const std::string paths = search_paths();
  const auto bytes = disk.load(hexadecimal(sha256(paths)));
  if (!bytes) return std::nullopt;
  const auto note = decode_program(*bytes, paths);
  if (!note || note->lowered_names.size() != 2 || state_of(note->lowered_names[0]) != note->lowered_names[1])
    return std::nullopt;
  return note->image;
}

void note_compiler_version(disk_cache& disk, const compiler_library& library) {
  const std::string state = state_of(library.file), paths = search_paths();
  if (state.empty()) return;
  const compiled_program note{.image = library.version, .lowered_names = {library.file, state}, .log = {}};
  disk.store(hexadecimal(sha256(paths)), encode_program(paths, note));
}

}  // namespace core
GPARRAY_END_NAMESPACE
