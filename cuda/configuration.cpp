// The toolkit, the driver and the libraries of the CUDA backend, for show_config().
#include <cuda_runtime_api.h>
#include <fstream>

#include <fmt/format.h>

#include <cuda/compiler/nvrtc.hpp>
#include <cuda/fft/cufft.hpp>
#include <cuda/linalg/cusolver.hpp>
#include <cuda/products/blas.hpp>
#include <cuda/products/blas_lt.hpp>
#include <cuda/random/curand.hpp>
#include <cuda/runtime/runtime.hpp>
#include <cuda/sparse/cusparse.hpp>
#include <plan/configuration.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

std::string cuda_version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

/// The driver says it where it is loaded: "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.82.07  ...".
std::string module_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word, line;
  std::getline(file, line);
  for (std::size_t at = 0; (at = line.find_first_of("0123456789", at)) != std::string::npos;) {
    const std::size_t end = std::min(line.find_first_not_of("0123456789.", at), line.size());
    word = line.substr(at, end - at);
    if (word.find('.') != std::string::npos) return word;
    at = end;
  }
  return {};
}

std::string nvrtc_version(void*) {
  int major = 0, minor = 0;
  return cuda::nvrtc().nvrtcVersion(&major, &minor) == NVRTC_SUCCESS ? fmt::format("{}.{}", major, minor)
                                                                     : "";
}

}  // namespace

cuda_facts about_cuda() {
  int driver = 0;
  cuda::try_call<&cuda::rt::cudaDriverGetVersion>(&driver);
  return {"nvcc " GPARRAY_NVCC_VERSION, GPARRAY_CUDA_ARCHITECTURES, cuda_version(CUDART_VERSION),
          driver == 0 ? "" : cuda_version(driver), module_version()};
}

std::vector<library_facts> cuda_libraries() {
#define GPARRAY_LIBRARY(name, use, function, version) \
  look_at_library(                                    \
      name, use, [] { return function; }, [](void* library) { return version_of_cuda(library, version); })
  return {
      look_at_library(
          "NVRTC", "kernels compiled at run time", [] { return cuda::nvrtc().nvrtcVersion; }, nvrtc_version),
      GPARRAY_LIBRARY("cuBLAS", "matrix products on a GPU", cuda::blas().cublasCreate_v2,
                      "cublasGetProperty"),
      GPARRAY_LIBRARY("cuBLASLt", "matrix products with an epilogue on a GPU",
                      cuda::blas_lt().cublasLtMatmulDescCreate, "cublasLtGetProperty"),
      GPARRAY_LIBRARY("cuFFT", "Fourier transforms on a GPU", cuda::cufft().cufftCreate, "cufftGetProperty"),
      GPARRAY_LIBRARY("cuSOLVER", "factorisations on a GPU", cuda::solver().cusolverDnCreate,
                      "cusolverGetProperty"),
      GPARRAY_LIBRARY("cuSPARSE", "sparse matrices on a GPU", cuda::cusparse().cusparseCreate,
                      "cusparseGetProperty"),
      GPARRAY_LIBRARY("cuRAND", "the generators of cuRAND", cuda::curand().curandCreateGenerator,
                      "curandGetProperty")};
#undef GPARRAY_LIBRARY
}

}  // namespace core
GPARRAY_END_NAMESPACE
