#include "targets.hpp"

#include <new>

#include <gparray/error.hpp>

namespace fuzz {

const target* find_target(std::string_view name) {
  for (const auto list : {file_targets(), text_targets()})
    for (const target& t : list)
      if (t.name == name) return &t;
  return nullptr;
}

bool is_read(const target& t, std::string_view input) {
  try {
    t.run(input);
    return true;
  } catch (const gparray::error&) {
  } catch (const std::bad_alloc&) {
    // Memory that a caller may hope for: a text can name an array larger than the machine.
  }
  return false;
}

}  // namespace fuzz
