#include <core/environment.hpp>
#include <core/saved_source.hpp>
#include <core/sha256.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

GPARRAY_BEGIN_NAMESPACE
namespace core {

std::string save_source_on_error(const compile_request& request) {
  const char* folder = core::environment("GPARRAY_SAVE_SOURCE_ON_ERROR");
  if (!folder || !*folder) return {};
  namespace fs = std::filesystem;
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  // The same program always goes to the same file.
  const fs::path path =
      fs::path(folder) / fmt::format("{}-{}", hexadecimal(sha256(request.source)).substr(0, 16),
                                     fs::path(request.file_name).filename().string());
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out << request.source;
  if (out.close(); out) return fmt::format("\nThe source is in {}", path.string());
  return fmt::format("\nThe source could not be written to {}: {}", path.string(), std::strerror(errno));
}

}  // namespace core
GPARRAY_END_NAMESPACE
