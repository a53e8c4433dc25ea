// Cumulative sums and products: from a call to a scan plan.
#include <core/creation.hpp>
#include <core/evaluate.hpp>
#include <core/layout.hpp>
#include <core/manipulation.hpp>
#include <gparray/numeric.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

scan scan_of(reduction op, dtype type) {
  const bool skips_nan = is_inexact(type) && (op == reduction::nansum || op == reduction::nanprod);
  if (op == reduction::sum || op == reduction::nansum) return skips_nan ? scan::nansum : scan::sum;
  return skips_nan ? scan::nanprod : scan::prod;
}

void run_scan(scan op, const array_rep* target, const array_rep* source, int axis) {
  if (target->size == 0) return;
  scan_plan plan;
  plan.op = op;
  plan.type = target->type;
  plan.ndim = 0;
  const auto add = [&](std::size_t d) {
    plan.shape[plan.ndim] = source->shape[d];
    plan.in_strides[plan.ndim] = source->strides[d];
    plan.out_strides[plan.ndim++] = target->strides[d];
  };
  for (std::size_t d = 0; d < source->shape.size(); ++d)
    if (static_cast<int>(d) != axis && source->shape[d] != 1) add(d);
  add(static_cast<std::size_t>(axis));
  plan.in = source->data;
  plan.out = target->data;
  const queue q = current_queue(target->place);
  backend_of(target->place).scan(plan, q);
  record_use(target->memory, q);
  record_uses(source, q);
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array cumulate(reduction op, const argument& source, gparray::dtype type, slice_end axis_argument,
                   bool include_initial) {
  // Narrow integers are summed in 64 bits, which wraps to the same bits when it is narrowed.
  const gparray::dtype wide = result_dtype(reduction::sum, type);
  any_array input = astype(source, wide, false);
  input = axis_argument.given ? at_least(input, 1) : ravel(input, order::C);
  const int axis = axis_argument.given ? normalize_axis(axis_argument.value, input.ndim()) : 0;
  const array_rep* from = computed(input);
  dims shape = from->shape;
  shape[static_cast<std::size_t>(axis)] += include_initial;
  any_array result = allocate_beside(from, shape);
  any_array target = result;
  if (include_initial) {
    const bool product = op == reduction::prod || op == reduction::nanprod;
    fill(slice_along(result, axis, 0, 1).rep(), wide, constant_bits(product ? 1.0 : 0.0, wide));
    target = slice_along(result, axis, 1, shape[static_cast<std::size_t>(axis)] - 1);
  }
  run_scan(scan_of(op, wide), target.rep(), from, axis);
  if (wide == type) return result;
  argument scanned;
  scanned.array = &result;
  scanned.type = wide;
  return astype(scanned, type, false).eval();
}

}  // namespace detail
GPARRAY_END_NAMESPACE
