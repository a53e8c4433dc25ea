// ElementwiseKernel: an element-wise kernel from a line of CUDA C++, in CuPy's mini-language.
//
//   gp::ElementwiseKernel axpy("T a, T x", "T y", "y += a * x", "axpy");
//   gp::ElementwiseKernel diff("float32 x, float32 y", "float32 z", "z = (x - y) * (x - y)", "squared_diff");
//   gp::ndarray<float> z = diff(a, b);          // broadcasts, any strides
//   axpy(2.f, a, z);                            // outputs may be given, after the inputs
//   gp::ElementwiseKernel shift("raw T x, int32 by", "T y", "y = x[(i + by) % n]", "shift");
//   gp::ndarray<float> s = shift(a, 3, {.size = a.size()});
//
// A parameter is a type and a name. A type is a dtype (float32) or a placeholder (one letter, or a name that
// begins with a capital), which takes the dtype of the arrays that are passed; numbers adapt to it. Before
// the type may stand `raw`: the whole array, indexed by the kernel, x[i] in C order or x[_ind.get()], with
// x.size(), x.shape(), x.strides(). The text also sees i (number of the element in C order), n (number of
// elements), _ind.size(), _ind.shape(), _ind.get()[d], and the placeholders as types. The types of a kernel:
// C++'s, float16, bfloat16, complex<float>, complex<double>.
#pragma once
#include <memory>
#include <string>

#include <gparray/kernels/kernel_result.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace core {
class elementwise_kernel_state;
}

/// CuPy's keyword arguments of the constructor.
struct elementwise_kernel_options {
  std::string preamble = {};              ///< in front of the kernel: functions, types, #include
  std::string loop_prep = {};             ///< in the kernel, before the loop over elements
  std::string after_loop = {};            ///< in the kernel, after it
  std::vector<std::string> options = {};  ///< of the compiler: "-DN=3", "--use_fast_math"
  bool reduce_dims = true;                ///< merge dimensions where memory allows; _ind.get() sees the rest
};

/// Keyword arguments of a call.
struct elementwise_call {
  std::int64_t size = -1;  ///< elements of the loop, if all arrays are raw
  int block_size = 128;    ///< threads of a block
};

/// CuPy's ElementwiseKernel. Kernels are compiled when first called with a combination of dtypes, number of
/// dimensions and contiguity, and kept. Copies share them. Safe to call from several threads.
///
/// A call (detail::kernel_calls) enqueues the kernel on the current stream. Arguments are the inputs, or the
/// inputs and all outputs, on one GPU, then keyword arguments; outputs that are not given are new arrays in C
/// order. Throws type_error (number of arguments, dtypes), value_error (shapes; no size), device_error
/// (arrays on the CPU), compile_error.
class GPARRAY_API ElementwiseKernel : public detail::kernel_calls<ElementwiseKernel, elementwise_call> {
 public:
  /// Parses the parameters and, if every dtype is written out, compiles; neither needs a GPU. Throws
  /// value_error, showing the position in the text, or compile_error, whose log counts the lines of each text
  /// from 1.
  ElementwiseKernel(std::string in_params, std::string out_params, std::string operation,
                    std::string name = "kernel", elementwise_kernel_options options = {});

  /// The name given to the constructor.
  const std::string& name() const noexcept;

 private:
  friend class detail::kernel_calls<ElementwiseKernel, elementwise_call>;
  kernel_result launch(std::span<const detail::argument> arguments, const elementwise_call& call) const;

  std::shared_ptr<core::elementwise_kernel_state> state_;
};

GPARRAY_END_NAMESPACE
