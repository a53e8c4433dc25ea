#include <filesystem>
#include <sys/stat.h>

#include <fmt/format.h>

#include <core/compiler/saved_source.hpp>
#include <gparray/error.hpp>
#include <support/environment.hpp>
#include <support/output_file.hpp>
#include <support/sha256.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

std::string save_source_on_error(const compile_request& request) {
  namespace fs = std::filesystem;
  const char* const name = core::environment("GPARRAY_SAVE_SOURCE_ON_ERROR");
  if (!name || !*name) return {};
  const fs::path given(name), folder = given.has_filename() ? given : given.parent_path();
  std::error_code ignored;
  fs::create_directories(folder.parent_path(), ignored);
  mkdir(folder.c_str(), S_IRWXU);
  // The same program always goes to the same file. So its name is predictable, and in a folder that other
  // users can write to, a link of that name may have been placed: what has the name is replaced, and never
  // written through.
  const fs::path path = folder / fmt::format("{}-{}", hexadecimal(sha256(request.source)).substr(0, 16),
                                             fs::path(request.file_name).filename().string());
  try {
    output_file out(path, {.mode = S_IRUSR | S_IWUSR, .follow_links = false});
    out.write(request.source);
    out.commit();
  } catch (const os_error& e) {
    return fmt::format("\nThe source could not be written to {}: {}", path.string(), e.what());
  }
  return fmt::format("\nThe source is in {}", path.string());
}

}  // namespace core
GPARRAY_END_NAMESPACE
