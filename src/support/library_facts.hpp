// What show_config() says of the libraries that are loaded at first use.
#pragma once
#include <string>

#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct library_facts {
  std::string name, use;      ///< "cuFFT", "Fourier transforms on a GPU"
  std::string path, version;  ///< of the file that was loaded; the version as the library or its file says
  std::string problem;        ///< why it is missing, and the remedy; empty if it is there
};

/// Fills in the file of the library that `address` lies in, and the version: as `version_of` reads it from
/// the library, or else from the file's name.
void locate(library_facts& facts, const void* address, std::string (*version_of)(void* library));

/// The text that a function of that name gives; empty without one.
std::string version_text(void* library, const char* function);
/// CUDA's libraries have a function each for the parts of their versions.
std::string version_of_cuda(void* library, const char* function);

/// `load` loads a library and returns the address of a function of it.
template<class Load>
library_facts look_at_library(const char* name, const char* use, Load load,
                              std::string (*version_of)(void* library)) {
  library_facts facts{name, use, {}, {}, {}};
  try {
    locate(facts, reinterpret_cast<const void*>(load()), version_of);
  } catch (const error& e) {
    facts.problem = e.what();
  }
  return facts;
}

}  // namespace core
GPARRAY_END_NAMESPACE
