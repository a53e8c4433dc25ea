#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

#include <core/compiler/included_files.hpp>
#include <support/sha256.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

std::string_view without_spaces(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == text.npos ? std::string_view() : text.substr(first);
}

/// The folder of a file, with the '/' at its end.
std::string folder_of(const std::string& file) { return file.substr(0, file.rfind('/') + 1); }

class scanner {
 public:
  explicit scanner(const std::vector<std::string>& options) {
    for (std::size_t i = 0; i < options.size(); ++i) {
      for (std::string_view name : {"--include-path", "-I"}) add_folder(options, i, name);
      for (std::string_view name : {"--pre-include", "-include"})
        if (std::string_view(options[i]).starts_with(name)) known_ = false;
    }
  }

  void scan(std::string_view text, const std::string& file) {
    while (!text.empty() && known_) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      scan_line(text.substr(0, end), file);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  std::optional<std::string> result() const { return known_ ? std::optional(result_) : std::nullopt; }

 private:
  // "-Ifolder", "-I folder" as one or two options, "--include-path=folder"
  void add_folder(const std::vector<std::string>& options, std::size_t i, std::string_view name) {
    std::string_view rest = options[i];
    if (!rest.starts_with(name)) return;
    rest.remove_prefix(name.size());
    if (rest.empty() && i + 1 < options.size()) rest = options[i + 1];
    else if (rest.starts_with('=')) rest.remove_prefix(1);
    folders_.push_back(std::string(without_spaces(rest)) + "/");
  }

  void scan_line(std::string_view line, const std::string& file) {
    line = without_spaces(line);
    if (!line.starts_with('#')) return;
    line = without_spaces(line.substr(1));
    if (!line.starts_with("include")) return;
    line = without_spaces(line.substr(std::string_view("include").size()));
    const char close = line.starts_with('"') ? '"' : line.starts_with('<') ? '>' : '\0';
    const std::size_t end = close ? line.find(close, 1) : line.npos;
    if (end == line.npos) known_ = false;
    else include(std::string(line.substr(1, end - 1)), close == '"', file);
  }

  void include(const std::string& name, bool quoted, const std::string& from) {
    if (quoted && add_file(name.starts_with('/') ? name : folder_of(from) + name)) return;
    for (const std::string& folder : folders_)
      if (add_file(folder + name)) return;
    // In none of these places: a header inside the library or of the toolkit, or the compiler's error.
  }

  bool add_file(const std::string& path) {
    if (seen_.contains(path)) return true;
    std::ifstream in(path, std::ios::binary);
    if (!in) return false;
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (in.bad()) return false;
    seen_.insert(path);
    result_ += path + " " + hexadecimal(sha256(text)) + "\n";
    scan(text, path);
    return true;
  }

  std::vector<std::string> folders_;
  std::set<std::string> seen_;
  std::string result_;
  bool known_ = true;
};

}  // namespace

std::optional<std::string> digest_of_included_files(const compile_request& request) {
  scanner s(request.options);
  s.scan(request.source, request.file_name);
  return s.result();
}

}  // namespace core
GPARRAY_END_NAMESPACE
