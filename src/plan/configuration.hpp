// What backends know of themselves, for show_config().
#pragma once
#include <vector>

#include <support/library_facts.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct processor_facts {
  std::string vectors;  ///< that the processor has: "AVX-512", "AVX2", or empty
  std::string loops;    ///< the levels that the library's loops are compiled for
};
processor_facts host_processor();
/// Those of the CPU backend. Loads them.
std::vector<library_facts> host_libraries();

struct cuda_facts {
  std::string compiler;       ///< "nvcc 13.0.48"; empty in builds without CUDA
  std::string architectures;  ///< that kernels are compiled for: "75;80;90"
  std::string runtime;        ///< CUDA's version that the library was built with
  std::string driver;         ///< CUDA's version that the driver supports; empty if there is no driver
  std::string module;         ///< the driver's own version
};
cuda_facts about_cuda();
/// Those of the CUDA backend, which need no GPU to be loaded; none in builds without CUDA.
std::vector<library_facts> cuda_libraries();

}  // namespace core
GPARRAY_END_NAMESPACE
