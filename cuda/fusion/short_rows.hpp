// Maps along rows of a few elements: which they are, and what is generated for them.
#pragma once
#include <string>

#include <cuda/fusion/jit_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Makes a plan one of the form short_rows: of many rows of two to four elements, or of components of such.
/// False, and the key is as it was, if its operands do not lie so.
bool plan_short_rows(const map_plan& plan, std::span<const jump> jumps, fused_plan& fused);

/// Where the first row of operand i begins that such a kernel reads.
const char* short_rows_begin(const map_plan& plan, int i, const operand_class& operand,
                             std::span<const jump> jumps);

/// What a generated function of that form has beside those of other forms: where its operands are, and its
/// calls, of which one is without branches if it `is_quick`.
std::string short_rows_text(const kernel_key& key, const std::string& struct_name, bool is_quick);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
