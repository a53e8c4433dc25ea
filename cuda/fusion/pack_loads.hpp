// Loads from addresses at which a thread's elements lie side by side, as in rows that an index array picks.
#pragma once
#include <cuda/fusion/jit_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Has steps that load a thread's elements from a pack of them do so at once: of a kernel of the form rows,
/// whose lanes are set. Its steps are done side by side then. Nothing changes if a thread may have elements
/// beyond a row's ends.
void set_pack_loads(const map_plan& plan, fused_plan& fused);

/// Whether a step of a kernel is such a load.
template<class Number>
bool loads_pack(const basic_step<Number>& s) {
  return s.op == ufunc::load && s.args[1] != 0;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
