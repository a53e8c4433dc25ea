// CUDA's libraries: loaded at first use, and named where they are missing. No GPU is needed for that.
#include <cuda/backend.hpp>
#include <cuda/compiler/nvrtc.hpp>
#include <cuda/fft/cufft.hpp>
#include <cuda/linalg/cusolver.hpp>
#include <cuda/products/blas.hpp>
#include <cuda/sparse/cusparse.hpp>
#include <gparray/random/curand_generator.hpp>

#include "cuda/support/fake_runtime.hpp"
#include "support/missing_libraries.hpp"

using namespace gparray;
using namespace gparray::core;

namespace {

constexpr missing::names cublas = {"libcublas.so.13"}, cusolver = {"libcusolver.so.12"},
                         cufft = {"libcufft.so.12"}, cusparse = {"libcusparse.so.12"},
                         curand = {"libcurand.so.10"};

// Before main, so before any test.
const bool loaded_at_start = missing::is_loaded(cublas) || missing::is_loaded(cusolver) ||
                             missing::is_loaded(cufft) || missing::is_loaded(cusparse) ||
                             missing::is_loaded(curand);

// These tests are linked with NVRTC, which they compile with themselves; so before main is the one time that
// is surely before its first use by the library.
const std::string without_nvrtc = missing::complaint([] { (void)cuda::nvrtc(); });

void generate() {
  const fake_cuda::session session;
  cuda::cuda_backend_type gpu(1);
  exchange_gpu_backend(&gpu);
  struct restored {
    ~restored() { exchange_gpu_backend(nullptr); }
  } const scope;
  (void)random::curand_generator(random::curand_kind::XORWOW, 1, {.device = device::cuda(0)});
}

}  // namespace

TEST_CASE("no library of CUDA's is loaded before it is used") { CHECK_FALSE(loaded_at_start); }

TEST_CASE("a library of CUDA's that is missing names its packages") {
  const auto packages = [](const std::string& toolkit, const std::string& wheel) {
    return "Install the CUDA toolkit's " + toolkit + ", or the Python package " + wheel +
           ", or set GPARRAY_CUDA_PATH";
  };
  missing::check_missing(cublas, packages("libcublas", "nvidia-cublas"), [] { (void)cuda::blas(); });
  missing::check_missing(cusolver, packages("libcusolver", "nvidia-cusolver"), [] { (void)cuda::solver(); });
  missing::check_missing(cufft, packages("libcufft", "nvidia-cufft"), [] { (void)cuda::cufft(); });
  missing::check_missing(cusparse, packages("libcusparse", "nvidia-cusparse"),
                         [] { (void)cuda::cusparse(); });
  missing::check_missing(curand, packages("libcurand", "nvidia-curand"), generate);
  missing::check_complaint(without_nvrtc, "libnvrtc.so.13", packages("libnvrtc", "nvidia-cuda-nvrtc"));
}
