// What a fuzzer calls: each target takes any bytes, and must end with an answer or one of gparray's
// exceptions.
#pragma once
#include <span>
#include <string_view>

namespace fuzz {

struct target {
  const char* name;  ///< that of its folder in corpus/ and of its file in dictionaries/
  void (*run)(std::string_view input);
};

/// Readers of files.
std::span<const target> file_targets();
/// Readers of texts and of other libraries' structs.
std::span<const target> text_targets();

/// Null if there is none of this name.
const target* find_target(std::string_view name);
/// Whether the target gave an answer and no exception of those that a caller has to expect.
bool is_read(const target& t, std::string_view input);

}  // namespace fuzz
