// The processor and the libraries of the CPU backend, for show_config().
#include <dlfcn.h>

#include <host/fft/fftw.hpp>
#include <host/sparse/superlu.hpp>
#include <host/support/clones.hpp>
#include <host/support/openblas.hpp>
#include <plan/configuration.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

#define GPARRAY_TEXT(text) #text
#define GPARRAY_TEXT_OF(macro) GPARRAY_TEXT(macro)

/// FFTW keeps its version in a variable.
std::string fftw_version(void* library) {
  const void* const text = dlsym(library, "fftw_version");
  return static_cast<const char*>(text ? text : dlsym(library, "fftwf_version"));
}

/// "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Zen MAX_THREADS=64 " without the name.
std::string openblas_version(void* library) {
  std::string text = version_text(library, "openblas_get_config");
  if (constexpr std::string_view name = "OpenBLAS "; text.starts_with(name)) text.erase(0, name.size());
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace

processor_facts host_processor() {
  processor_facts facts;
  const host::vectors has = host::vectors_of_processor();
  facts.vectors = has == host::vectors::avx512 ? "AVX-512" : has == host::vectors::avx2 ? "AVX2" : "";
  // Where clones.hpp makes none, loops are compiled for one level alone.
#if defined(__AVX512F__)
  facts.loops = "AVX-512";
#elif defined(__AVX2__)
  facts.loops = "AVX2";
#else
  facts.loops = sizeof GPARRAY_TEXT_OF(GPARRAY_CLONES) > 1 ? "AVX-512, AVX2 and any x86-64" : "any processor";
#endif
  return facts;
}

std::vector<library_facts> host_libraries() {
  const auto fftw_of = [](dtype real) { return [real] { return host::fftw(real).destroy_plan; }; };
  return {look_at_library(
              "OpenBLAS", "matrix products and factorisations",
              [] { return host::find_in_openblas("dgemm_"); }, openblas_version),
          look_at_library("FFTW", "Fourier transforms", fftw_of(dtype::float64), fftw_version),
          look_at_library("FFTW, float32", "Fourier transforms", fftw_of(dtype::float32), fftw_version),
          look_at_library("SuperLU", "direct solvers of sparse matrices", host::load_superlu,
                          [](void*) { return std::string(); })};
}

}  // namespace core
GPARRAY_END_NAMESPACE
