#include <core/reduction_plan.hpp>

#include <core/errors.hpp>
#include <core/evaluate.hpp>
#include <core/layout.hpp>
#include <core/plan_builder.hpp>

#include <algorithm>

GPARRAY_BEGIN_NAMESPACE
namespace core {

dims reduced_axes(reduction r, const dims* axes, int ndim) {
  // NumPy lets the one element of a 0-d array be reduced along axis 0 or -1.
  if (ndim == 0 && axes && axes->size() == 1 && (*axes)[0] >= -1 && (*axes)[0] <= 0) axes = nullptr;
  const dims reduced = normalize_axes(axes ? std::optional<dims>(*axes) : std::nullopt, ndim);
  if (returns_index(r) && axes && axes->size() != 1) fail<value_error>("{} takes one axis or none", name(r));
  return reduced;
}

reduction_axes::reduction_axes(const dims& shape, const dims& reduced, bool keepdims) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto axis = static_cast<std::int64_t>(i);
    const bool is_reduced = std::ranges::find(reduced, axis) != reduced.end();
    if (!is_reduced) {
      order.push_back(axis);
      kept_shape.push_back(shape[i]);
      n_results *= shape[i];
    }
    if (!is_reduced || keepdims) result_shape.push_back(is_reduced ? 1 : shape[i]);
  }
  n_kept = static_cast<int>(order.size());
  for (const std::int64_t axis : reduced) {
    order.push_back(axis);
    n_reduced *= shape[static_cast<std::size_t>(axis)];
  }
}

void make_reduce_plan(reduce_plan& plan, reduction r, const array_rep* source, dtype element,
                      const reduction_axes& axes, double ddof, std::byte* data) {
  plan_builder builder(plan.map, source->shape);
  const int value = builder.cast(builder.expression(source), element);
  plan.op = r;
  plan.element = element;
  plan.n_out = axes.n_results;
  plan.n_reduced = axes.n_reduced;
  plan.ddof = ddof;
  plan.out.data = data;
  plan.out.type = result_dtype(r, element);
  const dims kept_strides = c_strides(axes.kept_shape, result_bytes(r, element));
  std::fill_n(plan.out.strides, source->shape.size(), 0);
  for (std::size_t i = 0; i < kept_strides.size(); ++i) plan.out.strides[axes.order[i]] = kept_strides[i];
  const bool pending = source->pending.load(std::memory_order_acquire);
  plan.n_kept = builder.finish_reduction(value, axes.order, axes.n_kept, !returns_index(r),
                                         pending ? result_strides(source) : source->strides, plan.out);
}

}  // namespace core
GPARRAY_END_NAMESPACE
