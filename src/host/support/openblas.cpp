#include <array>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <unistd.h>
#include <vector>

#include <host/support/openblas.hpp>
#include <support/environment.hpp>
#include <support/log.hpp>
#include <support/shared_library.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

constexpr const char* remedy =
    "Matrix products and factorisations on the CPU need OpenBLAS: install libopenblas0-pthread (Debian, "
    "Ubuntu), openblas-threads (Fedora) or openblas (others)";
// This variable chooses OpenBLAS' kernels. It is read while OpenBLAS is being loaded.
constexpr core::variable kernels_variable = "OPENBLAS_CORETYPE";

void* open() {
  // Where the loader looks, and where the build found one. By these names, as Debian's alternatives may let
  // libblas.so be the slow reference BLAS. Fedora and its kin have three builds: p is that with threads,
  // which many threads may call at once; the one without a letter is for a single thread, and in that with
  // OpenMP, o, each of our threads would start a team of its own, so it is the last.
  const std::array<std::string, 2> folders{"", GPARRAY_OPENBLAS_FOLDER};
  const std::span<const std::string> used(folders.data(), folders[1].empty() ? 1u : 2u);
  if (void* const library = core::try_library({"libopenblasp.so.0"}, used)) return library;
  return core::open_library({"libopenblas.so.0", "libopenblas.so", "libopenblaso.so.0"}, used, remedy);
}

/// While it lives a variable has another value. The environment of the process is exchanged as a whole:
/// setenv moves memory that other threads may be reading.
class changed_variable {
 public:
  changed_variable(const char* name, const char* value)
      : text_(std::string(name) + "=" + value), before_(environ) {
    const std::string_view start = std::string_view(text_).substr(0, std::strlen(name) + 1);
    for (char** variable = before_; variable && *variable; ++variable)
      if (!std::string_view(*variable).starts_with(start)) all_.push_back(*variable);
    all_.insert(all_.end(), {text_.data(), nullptr});
    environ = all_.data();
  }
  ~changed_variable() { environ = before_; }
  changed_variable(const changed_variable&) = delete;
  changed_variable& operator=(const changed_variable&) = delete;

 private:
  std::string text_;
  std::vector<char*> all_;
  char** before_;
};

void* load() {
  // gparray's threads are its own, and each calls OpenBLAS for itself. Those that OpenBLAS starts while it is
  // being loaded would have nothing to do; where it may start none, it ends the process.
  const changed_variable one_thread("OPENBLAS_NUM_THREADS", "1");
  void* library = open();
  // Of a build for one processor there is nothing to ask.
  const auto kernels_of = [](void* from) {
    const auto ask = reinterpret_cast<const char* (*)()>(dlsym(from, "openblas_get_corename"));
    return std::string(ask ? ask() : "");
  };
  const std::string taken = kernels_of(library);
  if (const char* const better =
          core::environment(kernels_variable) ? nullptr : better_kernels(taken, vectors_of_processor())) {
    // Unless the program itself has the library, which then stays as it is.
    dlclose(library);
    {
      const changed_variable named(kernels_variable, better);
      library = open();
    }
    static core::warned before;
    if (kernels_of(library) == taken)
      core::warn(before, log_category::library,
                 "OpenBLAS has chosen its kernels for {}, with which products take several times as long "
                 "as this processor needs; set OPENBLAS_CORETYPE={}",
                 taken, better);
    else
      core::log(log_category::library,
                "OpenBLAS had chosen its kernels for {}; loaded again with those for {}", taken, better);
  }
  const auto set_num_threads = reinterpret_cast<void (*)(int)>(
      core::find_symbol(library, "openblas_set_num_threads", "OpenBLAS", remedy));
  set_num_threads(1);
  return library;
}

}  // namespace

void* find_in_openblas(const char* symbol) {
  static void* const library = load();
  return core::find_symbol(library, symbol, "OpenBLAS", remedy);
}

vectors vectors_of_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return vectors::avx512;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? vectors::avx2 : vectors::other;
#else
  return vectors::other;
#endif
}

const char* better_kernels(std::string_view taken, vectors processor) {
  // The names of those without AVX that it falls back to: by maker, and of builds for all x86-64.
  for (const std::string_view oldest : {"Prescott", "Core2", "Opteron", "Generic", "Unknown"})
    if (taken == oldest)
      return processor == vectors::avx512 ? "SkylakeX" : processor == vectors::avx2 ? "Haswell" : nullptr;
  return nullptr;
}

}  // namespace host
GPARRAY_END_NAMESPACE
