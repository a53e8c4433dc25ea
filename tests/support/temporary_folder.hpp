// A folder of its own for a test, gone with the object.
#pragma once
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <stdlib.h>
#include <string>
#include <string_view>

struct temporary_folder {
  temporary_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gparray-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    path = pattern;
  }
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  /// The path of a file in it.
  std::string file(const std::string& name) const { return (path / name).string(); }
  /// Writes one, and returns its path.
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return file(name);
  }

  std::filesystem::path path;
};
