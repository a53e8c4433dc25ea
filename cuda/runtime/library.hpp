// CUDA libraries that are loaded at first use, so that a machine without them runs the same binary. The
// functions that we call of one are a table of pointers, for which tests can put another.
#pragma once
#include <initializer_list>

#include <gparray/config.hpp>
#include <support/lazy_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Opens the first of the shared libraries that can be opened. Throws library_error, which names the packages
/// that hold it and has the loader's message. Where they are looked for says
/// support/cuda_folders.hpp; the environment variable GPARRAY_CUDA_PATH names the first folder.
void* open_library(std::initializer_list<const char*> names, const char* package);

/// Fills the rows of a table from the first of the shared libraries that can be opened.
class table_loader {
 public:
  /// Throws library_error as open_library does. `name` is what errors call the library.
  table_loader(const char* name, std::initializer_list<const char*> files, const char* package)
      : name_(name), library_(open_library(files, package)) {}
  /// Throws library_error if the library does not have it.
  template<class Function>
  void operator()(Function*& row, const char* symbol) const {
    row = reinterpret_cast<Function*>(find(symbol));
  }

 private:
  void* find(const char* symbol) const;

  const char* name_;
  void* library_;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
