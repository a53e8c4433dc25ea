// The CUDA C++ of ElementwiseKernel and ReductionKernel.
#pragma once
#include <core/kernels/user_kernel_call.hpp>
#include <plan/compiler.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The texts that a user wrote.
struct elementwise_text {
  std::string operation, preamble, loop_prep, after_loop;
};
struct reduction_text {
  std::string map, reduce, post_map, identity, preamble, reduce_type;
};

/// What one compiled kernel is for.
struct kernel_variant {
  kernel_types types;
  std::vector<operand_form> forms;
  std::vector<std::size_t> raw_ndim;  ///< for each parameter; 0 if it is not raw
  std::size_t ndim = 1;               ///< elementwise: of the loop; reductions: of what is reduced
  std::size_t kept_ndim = 1;          ///< reductions only
  bool indexes_64_bits = false;       ///< more elements than 32 bits count

  kernel_variant() = default;
  kernel_variant(kernel_types bound, const std::vector<bound_operand>& operands);
  /// Equal for variants that share a kernel.
  std::string key() const;
};

/// The variant for packed operands in one dimension, to compile a kernel before it is called.
kernel_variant simplest_variant(const kernel_signature& signature, kernel_types types);

/// extern "C" __global__ void NAME(index_space, operands...).
std::string elementwise_source(const kernel_signature& signature, const elementwise_text& text,
                               const kernel_variant& variant);
/// extern "C" __global__ void NAME(reduction_arguments, reduced_space, index_space, operands...), and
/// NAME_size, a variable of the size of the type that is reduced.
std::string reduction_source(const kernel_signature& signature, const reduction_text& text,
                             const kernel_variant& variant);

/// The options of the compiler for such a source: a user's kernel contracts products and sums, as with nvcc.
compile_request kernel_request(const kernel_signature& signature, std::string source,
                               const std::vector<std::string>& options);

}  // namespace core
GPARRAY_END_NAMESPACE
