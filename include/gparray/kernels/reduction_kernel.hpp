// ReductionKernel: a reduction from three lines of CUDA C++, in CuPy's mini-language
// (elementwise_kernel.hpp).
//
//   gp::ReductionKernel l2norm("T x", "T y",   // parameters
//                              "x * x",        // map: the value of an element
//                              "a + b",        // reduce: of two values a and b
//                              "y = sqrt(a)",  // post_map: what becomes of the result a
//                              "0",            // identity: the reduction of nothing; "" for none
//                              "l2norm");
//   gp::ndarray<float> n = l2norm(x, {.axis = 1});
//
// The map also sees _in_ind, whose index lists the reduced axes first, then the kept ones (CuPy's order), _J
// (number of the element among those reduced to one result, in C order) and i (in that order, so the number
// of the element if all axes are reduced); the post_map sees _out_ind. reduce must be associative and
// commutative, the identity neutral. Values are combined by a tree that depends on sizes and layout alone:
// results are reproducible.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include <gparray/kernels/kernel_result.hpp>
#include <gparray/stream.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace core {
class reduction_kernel_state;
}

/// CuPy's keyword arguments of the constructor.
struct reduction_kernel_options {
  std::string preamble = {};              ///< in front of the kernel
  std::string reduce_type = {};           ///< what is reduced; the type of the first output if empty
  std::vector<std::string> options = {};  ///< of the compiler
  bool reduce_dims = true;                ///< merge dimensions where memory allows
};

/// Keyword arguments of a call.
struct reduction_call {
  std::optional<dims> axis = {};           ///< what to reduce; all axes if absent
  bool keepdims = false;                   ///< leave the reduced axes in the result with size 1
  any_array out = {};                      ///< where the result goes, for a kernel of one output
  std::optional<stream_view> stream = {};  ///< default: the current stream of the device
};

/// CuPy's ReductionKernel. Compiled when first called with a combination of dtypes and layouts, and kept;
/// copies share. Large inputs are reduced in two passes. Safe to call from several threads.
///
/// A call (detail::kernel_calls) enqueues the reduction on the stream. Arguments are the inputs,
/// which broadcast together, or the inputs and all outputs, then keyword arguments. Throws type_error,
/// value_error (nothing to reduce and no identity; shape of an output), axis_error, device_error (arrays on
/// the CPU, or elsewhere than the stream), compile_error.
class GPARRAY_API ReductionKernel : public detail::kernel_calls<ReductionKernel, reduction_call> {
 public:
  /// Parses, and compiles if every dtype is written out, as ElementwiseKernel does.
  ReductionKernel(std::string in_params, std::string out_params, std::string map_expr,
                  std::string reduce_expr, std::string post_map_expr, std::string identity,
                  std::string name = "reduce_kernel", reduction_kernel_options options = {});

  /// The name given to the constructor.
  const std::string& name() const noexcept;

 private:
  friend class detail::kernel_calls<ReductionKernel, reduction_call>;
  kernel_result launch(std::span<const detail::argument> arguments, const reduction_call& call) const;

  std::shared_ptr<core::reduction_kernel_state> state_;
};

GPARRAY_END_NAMESPACE
