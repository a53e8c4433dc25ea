// Generated kernels, compiled by g++ as they are and launched on the fake device.
#pragma once
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/fusion/jit_source.hpp>
#include <cuda/reduction/reduce_table.hpp>

#include "cuda/support/fake_runtime.hpp"
#include "support/temporary_folder.hpp"

namespace emulation {

using gparray::core::cuda::kernel_form;
using gparray::core::cuda::kernel_key;
using run_function = void (*)(const void* params, unsigned n_blocks, unsigned n_threads);

/// Before the functions that a test calls. All others are a library's own, as are its static variables: those
/// of the same name may have another size in another library.
inline const std::string entry = "extern \"C\" __attribute__((visibility(\"default\"))) ";

/// What g++ makes of `text`, loaded; files are left in `folder`.
inline void* load(const temporary_folder& folder, const std::string& text) {
  static int number = 0;  // a second library of the same name would be the first one
  const std::string file = (folder.path / ("kernels_" + std::to_string(++number) + ".cpp")).string(),
                    library = file + ".so";
  std::ofstream(file) << "#include \"cuda/support/emulated_device.hpp\"\n" << text;
  const std::string command =
      GPARRAY_TEST_COMPILER " -shared " + file + " -o " + library + " 2>" + file + ".log";
  const int status = std::system(command.c_str());
  if (status != 0) {
    std::stringstream log;
    log << std::ifstream(file + ".log").rdbuf();
    FAIL(command << "\n" << log.str().substr(0, 4000));
  }
  void* loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE_MESSAGE(loaded, dlerror());
  return loaded;
}

/// Programs are compiled together; add() them all, then build().
class program {
 public:
  /// Numbers the kernel.
  std::size_t add(const kernel_key& key) {
    const std::string name = "expression" + std::to_string(n_);
    source_ += "namespace gparray::core::cuda {\n" + gparray::core::cuda::kernel_struct(key, name) + "}\n";
    return add(gparray::core::cuda::kernel_expression(key, name),
               gparray::core::cuda::is_map(key.form) && key.form != kernel_form::short_rows);
  }
  /// An instance of a kernel template that is compiled ahead of time.
  std::size_t add(const std::string& expression, bool threads_are_alone) {
    source_ += entry + "void run" + std::to_string(n_) +
               "(const void* params, unsigned blocks, unsigned threads) {\n  emulated::" +
               (threads_are_alone ? "run_threads" : "run_blocks") + "(&" + expression +
               ", params, blocks, threads);\n}\n";
    return n_++;
  }

  /// A header of device code that is wanted beside those of generated kernels.
  void include(const std::string& header) { includes_ += "#include <" + header + ">\n"; }

  void build() {
    std::string text;
    for (const kernel_form form :
         {kernel_form::rows, kernel_form::inner, kernel_form::whole, kernel_form::neighbours,
          kernel_form::columns, kernel_form::interleaved, kernel_form::stencil, kernel_form::broadcast,
          kernel_form::scan, kernel_form::scanned})
      text += gparray::core::cuda::kernel_includes(form);
    library_ = load(folder_, text + includes_ + source_);
  }
  run_function kernel(std::size_t number) const {
    return reinterpret_cast<run_function>(dlsym(library_, ("run" + std::to_string(number)).c_str()));
  }

  program() = default;
  program(const program&) = delete;
  program& operator=(const program&) = delete;
  ~program() {
    if (library_) dlclose(library_);
  }

 private:
  temporary_folder folder_;
  std::string source_, includes_;
  std::size_t n_ = 0;
  void* library_ = nullptr;
};

}  // namespace emulation
