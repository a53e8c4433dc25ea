// Reductions of arrays of any dtype: what other rooms call.
#pragma once
#include <core/array/temporary.hpp>
#include <gparray/reduction/detail.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

inline const dims last_axis = -1;

inline bool rolls(const array_rep* rep) { return is_pending(rep) && rep->operation.rolls; }

inline bool is_longer_than_kernel(const array_rep* rep) {
  return is_pending(rep) && !rep->computed_by && rep->operation.steps + 1 > max_kernel_steps;
}

/// Over the axes, all for nullptr. `a` may be pending and is fused.
inline any_array reduced(reduction r, const any_array& a, const dims* axes,
                         const reduction_options& options = {}) {
  return detail::reduce(r, temporary(a), a.dtype(), axes, options);
}

}  // namespace core
GPARRAY_END_NAMESPACE
