// Variables of the environment, which name libraries that are loaded, folders whose kernels are run, and
// devices.
#pragma once
#include <cstdlib>
#include <string_view>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A row of environment.def.
struct environment_row {
  const char *name, *values, *meaning;
};
inline constexpr environment_row environment_rows[] = {
#define GPARRAY_VARIABLE(name, values, meaning) {#name, values, meaning},
#include <support/environment.def>
#undef GPARRAY_VARIABLE
};

/// The name of a variable, which does not compile unless environment.def has it: so all that is read is
/// documented.
class variable {
 public:
  template<std::size_t N>
  consteval variable(const char (&name)[N]) : name_(nullptr) {
    for (const environment_row& row : environment_rows)
      if (std::string_view(row.name) == name) name_ = row.name;
    if (!name_) throw "environment.def has no row for this variable";
  }
  explicit constexpr variable(const environment_row& row) noexcept : name_(row.name) {}
  constexpr operator const char*() const noexcept { return name_; }
  [[nodiscard]] constexpr const char* name() const noexcept { return name_; }

 private:
  const char* name_;
};

/// Null where the variable is not set, and in a program that runs with more rights than its caller (set-uid):
/// its caller could otherwise have it load and run anything.
inline const char* environment(variable name) noexcept { return secure_getenv(name); }

}  // namespace core
GPARRAY_END_NAMESPACE
