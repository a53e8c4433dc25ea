// RawModule: a program of several CUDA kernels and global variables. CuPy's class of that name.
//
//   gp::RawModule m({.code = source, .options = {"-DTILE=16"}, .name_expressions = {"scale<float>"}});
//   gp::RawKernel scale = m.get_function("scale<float>");
//   m.get_global<float>("coefficients")("0:3") = gp::ndarray<float>{1, 2, 1};
#pragma once
#include <gparray/kernels/raw_kernel.hpp>

GPARRAY_BEGIN_NAMESPACE

/// Either `code` or `path`: CUDA C++ source, PTX, machine code (cubin) or a fat binary; which it is shows in
/// the contents. Relative #includes of a source file are found beside it.
struct raw_module_options {
  std::string code = {};                           ///< the program itself
  std::string path = {};                           ///< the file that holds it
  std::vector<std::string> options = {};           ///< for sources: NVRTC's
  std::vector<std::string> name_expressions = {};  ///< templates to instantiate: "scale<float>"
};

/// A __device__ or __constant__ variable.
struct global_variable {
  void* pointer;      ///< on the device
  std::size_t bytes;  ///< its size
};

namespace core {
class raw_program;
}

/// A program of several CUDA kernels and global variables, from its source, PTX or machine code: CuPy's
/// RawModule.
class GPARRAY_API RawModule {
 public:
  /// Compiles sources, and reads what is compiled already; neither needs a GPU. Throws compile_error,
  /// value_error if `path` cannot be read, or if both or neither of `code` and `path` are given.
  explicit RawModule(const raw_module_options& options);

  /// A kernel by its name: as in the source if it is extern "C", or as in name_expressions. It keeps the
  /// program alive. Throws value_error if there is none, naming those that there are.
  RawKernel get_function(const std::string& name) const;

  /// A variable on the default GPU, by its name as with kernels ("&coefficients" in name_expressions if it is
  /// not extern "C"). It is valid as long as this module or one of its kernels. Throws value_error if there
  /// is none, device_error without a GPU.
  global_variable get_global(const std::string& name) const;
  /// A variable on the default GPU as a 1-D array, which keeps the program alive. Throws value_error if the
  /// variable's size is no multiple of T's.
  template<element T>
  [[nodiscard]] ndarray<T> get_global(const std::string& name) const {
    return detail::typed<T>(global_array(name, dtype_of<T>));
  }

  /// The compiler's warnings.
  const std::string& log() const noexcept;

 private:
  any_array global_array(const std::string& name, dtype type) const;

  std::shared_ptr<core::raw_program> program_;
};

GPARRAY_END_NAMESPACE
