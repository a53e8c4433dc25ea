// What launching a user's kernel shares between ElementwiseKernel and ReductionKernel.
#pragma once
#include <core/kernels/user_kernel_call.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Throws value_error unless the array given for output i has the shape of the result.
void check_kernel_output(const kernel_signature& signature, std::size_t i, const any_array& out,
                         const dims& shape);
/// One dimension of size 1 in front of operands that have none: kernels have no arrays without dimensions.
dims prepend_dimension(std::vector<bound_operand>& operands);
/// Those that the dimensions of the loop matter to.
std::vector<bound_operand*> with_strides(std::vector<bound_operand>& operands);
/// Fills in the rest of `l` (ones for sizes that are zero) and enqueues it on the current stream. Throws
/// value_error if the parameters are more than a kernel may have.
void launch_user_kernel(const kernel_signature& signature, kernel_handle kernel, kernel_launch l,
                        parameter_block& parameters, device on_device);
/// Records with the pools what the current stream works on.
void record_kernel_uses(const std::vector<bound_operand>& operands, device on_device);

}  // namespace core
GPARRAY_END_NAMESPACE
