// RawKernel: a CUDA kernel of your own from its source text, with no nvcc. CuPy's class of that name.
//
//   gp::RawKernel scale(R"(extern "C" __global__ void scale(float* x, float by, int n) {
//     int i = blockIdx.x * blockDim.x + threadIdx.x;
//     if (i < n) x[i] *= by;
//   })", "scale");
//   auto x = gp::ones<float>(1000);
//   scale(4, 256, x, 2.f, 1000);
//   scale({4}, {256}, {.shared_mem = 1024, .stream = s}, x, 2.f, 1000);
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gparray/ndarray.hpp>
#include <gparray/stream.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The size of a grid or a block in up to three dimensions: 256, {16, 16}, {8, 8, 4}.
struct launch_size {
  /// Of these sizes in x, y and z.
  constexpr launch_size(std::int64_t x, std::int64_t y = 1, std::int64_t z = 1) : counts{x, y, z} {}
  std::int64_t counts[3];  ///< The sizes in x, y and z.
};

/// Keyword arguments of a launch.
struct launch_options {
  std::size_t shared_mem = 0;              ///< dynamic shared memory of a block in bytes
  std::optional<stream_view> stream = {};  ///< default: the current stream of the device
  bool cooperative = false;  ///< grid-wide synchronisation; all blocks must fit on the device at once
};

namespace core {
class raw_kernel;
}

namespace detail {

/// One argument of a launch: an array, or the bytes of a value, which live as long as the call.
struct launch_argument {
  const any_array* array;  // null: a value
  const void* value;
  std::size_t bytes;
  bool is_pointer;
  bool has_type;  // whether `type` says what it is; not for classes and void*
  dtype type;     // of the value, or of what it points to
  void* address;  // room for the library
};

/// The dtype whose bytes a C++ type has; not known for classes and for plain char, which may be anything.
template<class T>
struct launched_dtype {
  using type =
      std::conditional_t<std::is_same_v<T, long long>, std::int64_t,
                         std::conditional_t<std::is_same_v<T, unsigned long long>, std::uint64_t, T>>;
  static constexpr bool known = element<type>;
  static constexpr dtype value() {
    if constexpr (known) return dtype_of<type>;
    else return dtype::bool_;
  }
};

template<class T>
launch_argument make_launch_argument(const T& x) {
  if constexpr (std::is_base_of_v<any_array, T>) {
    return {&x, nullptr, sizeof(void*), true, false, {}, nullptr};
  } else if constexpr (std::is_null_pointer_v<T>) {
    static constexpr void* null = nullptr;
    return {nullptr, &null, sizeof null, true, false, {}, nullptr};
  } else {
    static_assert(!std::is_array_v<T>,
                  "a C array is in host memory: pass an ndarray, or a struct that holds the array");
    static_assert(std::is_trivially_copyable_v<T>,
                  "kernels take arrays, numbers, pointers and trivially copyable structs");
    if constexpr (std::is_pointer_v<T>) {
      using pointee = std::remove_cv_t<std::remove_pointer_t<T>>;
      return {nullptr, &x, sizeof x, true, launched_dtype<pointee>::known, launched_dtype<pointee>::value(),
              nullptr};
    } else {
      return {nullptr, &x, sizeof x, false, launched_dtype<T>::known, launched_dtype<T>::value(), nullptr};
    }
  }
}

GPARRAY_API void launch_raw_kernel(core::raw_kernel& kernel, const launch_size& grid,
                                   const launch_size& block, const launch_options& options,
                                   std::span<launch_argument> arguments, void** addresses);

}  // namespace detail

/// A kernel. Copies are the same kernel; launches are safe from several threads.
class GPARRAY_API RawKernel {
 public:
  /// Compiles, now and for the architecture of the default GPU (without one for $GPARRAY_JIT_ARCH, or sm_90),
  /// or takes the result from the caches of jit.hpp; another GPU gets its own when first used. `name` is a
  /// kernel's, extern "C" or not, or an instance of a template: "scale<float>". `options` are NVRTC's:
  /// "-DN=3",
  /// "-std=c++20" (default c++17), "--use_fast_math", "-I/include/path"; those of CUDA's toolkit are found.
  /// Throws compile_error with the whole log (and, if $GPARRAY_SAVE_SOURCE_ON_ERROR names a folder, saves the
  /// source there), value_error if the source has no such kernel, library_error if there is no compiler.
  RawKernel(std::string source, std::string name, std::vector<std::string> options = {});

  /// Enqueues the kernel on the device of its arrays; with none, of the stream or the default one. Arguments
  /// are ndarrays (the address of their first element; strides are the kernel's business), expressions
  /// (computed first), numbers as their own C++ types, pointers to device memory, and trivially copyable
  /// structs. What this thread has left pending is enqueued before it. Throws type_error (number, sizes or,
  /// where the declaration shows them, types of arguments), value_error (grid, block, shared memory),
  /// device_error (no GPU; an array that is elsewhere), cuda_error.
  template<class... Args>
  void operator()(const launch_size& grid, const launch_size& block, const Args&... args) const {
    (*this)(grid, block, launch_options{}, args...);
  }
  template<class... Args>
  void operator()(const launch_size& grid, const launch_size& block, const launch_options& options,
                  const Args&... args) const {
    std::array<detail::launch_argument, sizeof...(Args)> list{detail::make_launch_argument(args)...};
    std::array<void*, sizeof...(Args) + 1> addresses;
    detail::launch_raw_kernel(*kernel_, grid, block, options, list, addresses.data());
  }

  /// The name of the function.
  const std::string& name() const noexcept;

  // Attributes on the default GPU, by CuPy's names. Loads the kernel there. Throw device_error without a GPU.
  int num_regs() const;                       ///< registers of a thread
  std::size_t shared_size_bytes() const;      ///< static shared memory of a block
  std::size_t local_size_bytes() const;       ///< of a thread
  std::size_t const_size_bytes() const;       ///< constant memory of the program
  int max_threads_per_block() const;          ///< the largest block it can be launched with
  int ptx_version() const;                    ///< of the PTX it was made from, 90 for 9.0
  int binary_version() const;                 ///< of the machine code, 90 for sm_90
  int max_dynamic_shared_size_bytes() const;  ///< dynamic shared memory that a launch may ask for
  /// Allows launches with more than 48 KiB of dynamic shared memory, on every GPU. Throws value_error if the
  /// GPU has less.
  void max_dynamic_shared_size_bytes(std::size_t bytes);

 private:
  friend class RawModule;
  explicit RawKernel(std::shared_ptr<core::raw_kernel> kernel) : kernel_(std::move(kernel)) {}

  std::shared_ptr<core::raw_kernel> kernel_;
};

GPARRAY_END_NAMESPACE
