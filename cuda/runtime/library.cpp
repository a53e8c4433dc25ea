#include <fmt/format.h>

#include <cuda/runtime/library.hpp>
#include <support/cuda_folders.hpp>
#include <support/shared_library.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

void* open_library(std::initializer_list<const char*> names, const char* package) {
  return core::open_library(
      names, cuda_library_folders(),
      fmt::format("Install {}, or set GPARRAY_CUDA_PATH to the folder that holds it", package));
}

void* table_loader::find(const char* symbol) const {
  return core::find_symbol(library_, symbol, name_, "Install CUDA 13.0 or newer");
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
