// What a generated function says of where its operands are.
#pragma once
#include <string>

#include <cuda/fusion/jit_key.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Static members for each operand of the expression, as kernels of the key's form ask for them.
std::string operands_text(const kernel_key& key);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
