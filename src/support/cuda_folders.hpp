// Where a CUDA toolkit lies on this machine, besides where the loader looks: the folders that the environment
// names, the usual ones, and those of Python's packages.
#pragma once
#include <string>
#include <vector>

#include <support/environment.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The variables of the environment that are read below. What is noted about a library that was found holds
/// as long as they do.
inline constexpr variable cuda_variables[] = {"GPARRAY_CUDA_PATH", "CUDA_PATH", "CUDA_HOME", "VIRTUAL_ENV",
                                              "CONDA_PREFIX"};

/// The file that this code was loaded from.
std::string this_library();

/// Folders to look for CUDA's libraries in, one after the other; an empty one means where the loader looks.
/// If the library's file lies in a Python package, NVIDIA's packages beside it are among them.
std::vector<std::string> cuda_library_folders(const std::string& library_file = this_library());
/// Folders that may hold CUDA's headers, the best first.
std::vector<std::string> cuda_include_folders(const std::string& library_file = this_library());

}  // namespace core
GPARRAY_END_NAMESPACE
