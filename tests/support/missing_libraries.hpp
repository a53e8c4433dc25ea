// Libraries that are loaded at first use: that none is loaded before, and what a machine without one says.
#pragma once
#include <dlfcn.h>
#include <initializer_list>
#include <string>

#include <doctest/doctest.h>

#include <gparray/error.hpp>
#include <support/shared_library.hpp>

namespace missing {

using names = std::initializer_list<const char*>;

/// Whether one of them is.
inline bool is_loaded(names libraries) {
  for (const char* name : libraries)
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_NOLOAD)) return dlclose(library), true;
  return false;
}

/// While it lives no library can be opened.
struct nothing_opens {
  nothing_opens()
      : before(gparray::core::exchange_opener([](const char*, int mode) {
          return dlopen("/nowhere/libgparray_missing.so", mode);  // fails, and says so
        })) {}
  ~nothing_opens() { gparray::core::exchange_opener(before); }
  gparray::core::library_opener before;
};

/// What `use`, the first use of a library, says where none can be opened.
template<class Use>
std::string complaint(Use use) {
  const nothing_opens scope;
  try {
    use();
  } catch (const gparray::library_error& e) {
    return e.what();
  }
  return "nothing";
}

inline void check_complaint(const std::string& text, const std::string& name, const std::string& package) {
  CAPTURE(text);
  CHECK(text.starts_with(name + " could not be loaded (/nowhere/libgparray_missing.so"));
  CHECK(text.find(package) != std::string::npos);
}

/// `use` is the first use of a library that has one of the names. A process that runs all tests may have it
/// by now, and then there is nothing to check; one that runs a file has not.
template<class Use>
void check_missing(names libraries, const std::string& package, Use use) {
  if (is_loaded(libraries)) {
    MESSAGE(std::string(*libraries.begin()) << " is loaded already: not checked");
    return;
  }
  check_complaint(complaint(use), *libraries.begin(), package);
  CHECK_FALSE(is_loaded(libraries));
}

}  // namespace missing
