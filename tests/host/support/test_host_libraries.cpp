// The libraries of the CPU backend and of files: loaded at first use, and named where they are missing.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <core/files/files.hpp>
#include <gparray/fft.hpp>
#include <gparray/linalg.hpp>
#include <gparray/sparse/linalg.hpp>
#include <host/support/openblas.hpp>
#include <plan/configuration.hpp>

#include "support/missing_libraries.hpp"

namespace gp = gparray;

namespace {

constexpr missing::names openblas = {"libopenblas.so.0", "libopenblas.so", "libopenblasp.so.0",
                                     "libopenblaso.so.0"},
                         fftw_double = {"libfftw3.so.3"}, fftw_single = {"libfftw3f.so.3"},
                         superlu = {"libsuperlu.so.7", "libsuperlu.so.6", "libsuperlu.so.5"},
                         zlib = {"libz.so.1"};

// Before main, so before any test.
const bool loaded_at_start = missing::is_loaded(openblas) || missing::is_loaded(fftw_double) ||
                             missing::is_loaded(fftw_single) || missing::is_loaded(superlu) ||
                             missing::is_loaded(zlib);

// Of matrices that are not so small that gparray needs no library.
void factor() {
  (void)gp::linalg::solve(gp::eye(20, gp::none, 0, {.device = gp::device::cpu()}),
                          gp::ones({20}, {.device = gp::device::cpu()}));
}

/// While it lives the environment has no such variable.
class without_variable {
 public:
  explicit without_variable(const char* name) : name_(name) {
    if (const char* const value = std::getenv(name)) value_ = value;
    unsetenv(name);
  }
  ~without_variable() {
    if (value_) setenv(name_, value_->c_str(), 1);
  }

 private:
  const char* name_;
  std::optional<std::string> value_;
};

std::string kernels_of_openblas() {
  void* library = nullptr;
  for (const char* file : openblas)
    if (!library) library = dlopen(file, RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(library);
  const auto name = reinterpret_cast<const char* (*)()>(dlsym(library, "openblas_get_corename"));
  const std::string found = name ? name() : "of a build for one processor";
  dlclose(library);
  return found;
}

void multiply() {
  const gp::ndarray<double> a = gp::ones({20, 20}, {.device = gp::device::cpu()});
  (void)gp::matmul(a, a);
}

template<class V>
void transform() {
  (void)gp::fft::fft(gp::ones<V>({6}, {.device = gp::device::cpu()}));
}

void factorize() {
  const gp::device_guard on_cpu(gp::device::cpu());
  (void)gp::sparse::linalg::splu(gp::sparse::csc_matrix<double>(gp::eye(3)));
}

void compress() { (void)gp::core::deflate("aaaaaaaa"); }

}  // namespace

TEST_CASE("no library of the CPU's is loaded before it is used") { CHECK_FALSE(loaded_at_start); }

TEST_CASE("OpenBLAS' build with threads comes before that for one, and the one with OpenMP last") {
  if (missing::is_loaded(openblas)) return;
  static std::vector<std::string> asked;
  const missing::nothing_opens scope;
  gp::core::exchange_opener([](const char* path, int mode) {
    asked.emplace_back(path);
    return dlopen("/nowhere/libgparray_missing.so", mode);
  });
  CHECK_THROWS_AS(factor(), gp::library_error);
  REQUIRE(asked.size() >= 4);
  CHECK(asked.front() == "libopenblasp.so.0");
  CHECK(std::find(asked.begin(), asked.end(), "libopenblas.so.0") <
        std::find(asked.begin(), asked.end(), "libopenblaso.so.0"));
  CHECK(asked.back().ends_with("libopenblaso.so.0"));
}

TEST_CASE("the configuration says why a library is missing") {
  const missing::nothing_opens scope;
  for (const gp::core::library_facts& facts : gp::core::host_libraries()) {
    CAPTURE(facts.name);
    if (facts.path.empty()) CHECK(facts.problem.find("could not be loaded") != std::string::npos);
    else CHECK(facts.problem.empty());  // loaded by the test of another file
  }
}

TEST_CASE("a library of the CPU's that is missing names its package, and may come later") {
  missing::check_missing(openblas, "install libopenblas0-pthread", factor);
  missing::check_missing(openblas, "install libopenblas0-pthread", multiply);
  missing::check_missing(fftw_double, "install libfftw3-double3", transform<double>);
  missing::check_missing(fftw_single, "install libfftw3-single3", transform<float>);
  missing::check_missing(superlu, "install libsuperlu5", factorize);
  missing::check_missing(zlib, "Install zlib (the package zlib1g)", compress);
  {
    const without_variable no_advice("OPENBLAS_CORETYPE");
    factor();
    CHECK_FALSE(std::getenv("OPENBLAS_CORETYPE"));
  }
  const bool has_vectors = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  CAPTURE(kernels_of_openblas());
  CHECK_FALSE(gp::host::better_kernels(kernels_of_openblas(),
                                       has_vectors ? gp::host::vectors::avx2 : gp::host::vectors::other));
  multiply();
  transform<double>();
  transform<float>();
  factorize();
  compress();
}

TEST_CASE("the configuration says where the libraries are, and their versions") {
  for (const gp::core::library_facts& facts : gp::core::host_libraries()) {
    CAPTURE(facts.name);
    CHECK(facts.problem == "");
    CHECK(facts.path.front() == '/');
    CHECK(facts.version.find('.') != std::string::npos);
  }
}

TEST_CASE("OpenBLAS: kernels of a processor that it does not know") {
  using gp::host::better_kernels, gp::host::vectors;
  const auto better = [](const char* taken, vectors processor) {
    const char* const name = better_kernels(taken, processor);
    return std::string(name ? name : "no others");
  };
  for (const char* oldest : {"Prescott", "Core2", "Opteron", "Generic", "Unknown"}) {
    CHECK(better(oldest, vectors::avx512) == "SkylakeX");
    CHECK(better(oldest, vectors::avx2) == "Haswell");
    CHECK(better(oldest, vectors::other) == "no others");
  }
  // What it chose by itself stays, though Haswell's are not of AVX-512: some processors run those faster.
  for (const char* known : {"Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids", "neoversen1"})
    CHECK(better(known, vectors::avx512) == "no others");
}
