// From a call of a reduction to its plan.
#pragma once
#include <core/array/plan_builder.hpp>
#include <gparray/reduction/blocks.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The axes that a caller names, normalised: all of them for nullptr. Throws axis_error, value_error.
dims reduced_axes(reduction r, const dims* axes, int ndim);

/// What the reduced axes make of a shape.
struct reduction_axes {
  reduction_axes(const dims& shape, const dims& reduced, bool keepdims);

  dims order;  // the kept axes, then the reduced ones as the caller gave them
  dims kept_shape, result_shape;
  int n_kept = 0;
  std::int64_t n_results = 1, n_reduced = 1;
};

/// Fills everything of the plan that reduces `source`, an array or an expression, converted to `element`
/// first. Neither the results nor the elements may be none. The results are written to `data`, the bytes of
/// one group of elements after the other in C order.
void make_reduce_plan(reduce_plan& plan, reduction r, const array_rep* source, dtype element,
                      const reduction_axes& axes, double ddof, std::byte* data);

/// The same for a pending reduction.
void make_reduce_plan(reduce_plan& plan, const array_rep* rep, std::byte* data);

/// The same with a pending scan as a step, whose number is returned.
int make_reduce_plan(reduce_plan& plan, const array_rep* rep, const array_rep* scan, std::byte* data);

/// The same for one along the columns of rows in which all that it reads lies.
void make_reduce_plan(reduce_plan& plan, const array_rep* rep, const row_layout& rows, std::byte* data);

/// The same of blocks, in an order that the number of elements of a result alone decides.
void make_reduce_plan(reduce_plan& plan, reduction r, const array_rep* source, dtype element,
                      const detail::axis_blocks& blocks);

/// Whether the plans reduce the same elements in the same order, each to one result for the same group of
/// them.
bool same_elements(const reduce_plan& a, const reduce_plan& b);

}  // namespace core
GPARRAY_END_NAMESPACE
