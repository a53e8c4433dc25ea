// A plan as one generated kernel sees it.
#pragma once
#include <cuda/device/loop_nest.hpp>
#include <cuda/fusion/jit_key.hpp>
#include <plan/row_chain.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct fused_plan {
  kernel_key key;
  /// Operand 0 is the output, operand 1 + i input i; behind them are the values that are stored too.
  loop_nest nest;
};

/// `fused` is new. False if the parameters would not fit a kernel: more than 8 inputs in more than 8
/// dimensions.
bool plan_map(const map_plan& plan, int device, fused_plan& fused);

/// The same of the map in front of a reduction, whose value would be C-contiguous in the plan's dimensions;
/// it is read by a kernel of the given form; `inner` in place of `whole` if the operands do not lie so. False
/// if there are too many dimensions, or more than 2^31 elements in more than one.
bool plan_source(const map_plan& plan, std::span<const reduction> reductions, dtype element, kernel_form form,
                 int device, fused_plan& fused);

/// A stage of a chain over rows, of the reduction or of none: what it does with a row.
kernel_key key_of_stage(const row_stage& stage, int device);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
