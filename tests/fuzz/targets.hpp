// What the fuzzer calls: each target takes any bytes, and must end with an answer or one of gparray's
// exceptions.
#pragma once
#include <span>
#include <string_view>

namespace fuzz {

struct target {
  const char* name;  ///< that of its folder in corpus/
  void (*run)(std::string_view input);
  /// What its language is made of, for mutations that stay close to it.
  std::span<const std::string_view> words;
};

/// Readers of files.
std::span<const target> file_targets();
/// Readers of texts and of other libraries' structs.
std::span<const target> text_targets();

}  // namespace fuzz
