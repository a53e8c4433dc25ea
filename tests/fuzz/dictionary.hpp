// Words of the language that a target reads, one a line in quotation marks, as AFL and libFuzzer have them:
// "\xff\"". A line may begin with a name and an equals sign; one that begins with # is a comment.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace fuzz {

inline std::vector<std::string> read_dictionary(const std::filesystem::path& file) {
  std::vector<std::string> words;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find('"'), last = line.rfind('"');
    if (line.starts_with('#') || first >= last) continue;
    std::string word;
    for (std::size_t i = first + 1; i < last; ++i) {
      if (line[i] == '\\' && line[++i] == 'x') {
        word += static_cast<char>(std::strtoul(line.substr(i + 1, 2).c_str(), nullptr, 16));
        i += 2;
      } else {
        word += line[i];
      }
    }
    words.push_back(word);
  }
  return words;
}

}  // namespace fuzz
