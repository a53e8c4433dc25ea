#include <algorithm>
#include <bit>
#include <cstring>

#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/plan_builder.hpp>
#include <core/array/reduction_plan.hpp>
#include <support/errors.hpp>

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

namespace {

/// `layout`: the strides of the source as the builder sees it, computed or not.
void fill_plan(reduce_plan& plan, plan_builder& builder, reduction r, const array_rep* source, dtype element,
               const reduction_axes& axes, const dims& layout, double ddof, std::byte* data) {
  builder.set_jumps(plan.jumping);
  const int value = builder.cast(builder.expression(source), element);
  plan.op = r;
  plan.element = element;
  plan.n_out = axes.n_results;
  plan.n_reduced = axes.n_reduced;
  plan.ddof = ddof;
  plan.out.data = data;
  plan.out.type = result_dtype(r, element);
  const dims kept_strides = c_strides(axes.kept_shape, result_bytes(r, element));
  std::fill_n(plan.out.strides, axes.order.size(), 0);
  for (std::size_t i = 0; i < kept_strides.size(); ++i) plan.out.strides[axes.order[i]] = kept_strides[i];
  plan.n_kept = builder.finish_reduction(value, axes.order, axes.n_kept, !returns_index(r), layout, plan.out);
}

/// Those that a pending array would have there.
dims strides_in_memory(const array_rep* rep) { return is_pending(rep) ? result_strides(rep) : rep->strides; }

}  // namespace

void make_reduce_plan(reduce_plan& plan, reduction r, const array_rep* source, dtype element,
                      const reduction_axes& axes, double ddof, std::byte* data) {
  plan_builder builder(plan.map, source->shape);
  fill_plan(plan, builder, r, source, element, axes, strides_in_memory(source), ddof, data);
}

void make_reduce_plan(reduce_plan& plan, const array_rep* rep, const row_layout& rows, std::byte* data) {
  const array_rep* source = rep->operation.arguments[0].array;
  const dims shape{rows.rows, rows.columns};
  plan_builder builder(plan.map, rows, true);
  fill_plan(plan, builder, rep->reduced.op, source, rep->reduced.element, reduction_axes(shape, {1}, false),
            c_strides(shape, itemsize(source->type)), rep->reduced.ddof, data);
}

void make_reduce_plan(reduce_plan& plan, reduction r, const array_rep* source, dtype element,
                      const detail::axis_blocks& blocks) {
  const auto ndim = static_cast<int>(source->shape.size());
  plan_builder builder(plan.map, source->shape);
  const int value = builder.cast(builder.expression(source), element);
  builder.cut_axis(blocks.axis, blocks.first, blocks.block, blocks.count);
  // Axis number `axis` is now that of the blocks, and the next one that of the elements of each.
  dims shape = source->shape, order;
  shape[static_cast<std::size_t>(blocks.axis)] = blocks.block;
  shape.insert(static_cast<std::size_t>(blocks.axis), blocks.count);
  const array_rep* const out = blocks.out.rep();
  std::fill_n(plan.out.strides, shape.size(), 0);
  plan.n_out = plan.n_reduced = 1;
  for (int d = 0; d <= ndim; ++d) {
    const auto at = static_cast<std::size_t>(d);
    if (d > blocks.axis && d <= blocks.last) {
      plan.n_reduced *= shape[at];
      continue;
    }
    plan.n_out *= shape[at];
    plan.out.strides[d] = out->strides[static_cast<std::size_t>(d > blocks.axis ? d - 1 : d)];
    order.push_back(d);
  }
  const auto n_kept = static_cast<int>(order.size());
  for (int d = blocks.axis + 1; d <= blocks.last; ++d) order.push_back(d);
  plan.op = r;
  plan.element = element;
  plan.ddof = 0;
  plan.out.data = out->data;
  plan.out.type = out->type;
  const bool as_columns = blocks.columns && plan.n_reduced <= std::int64_t{1} << 30;
  plan.order = as_columns ? element_order::columns : element_order::rows;
  plan.n_kept =
      builder.finish_reduction(value, order, n_kept, false, c_strides(shape, itemsize(element)), plan.out);
}

int make_reduce_plan(reduce_plan& plan, const array_rep* rep, const array_rep* scan, std::byte* data) {
  const array_rep* source = rep->operation.arguments[0].array;
  const reduction_node& what = rep->reduced;
  dims axes;
  for (std::uint32_t left = what.axes; left; left &= left - 1) axes.push_back(std::countr_zero(left));
  plan_builder builder(plan.map, source->shape);
  builder.set_scan(scan);
  fill_plan(plan, builder, what.op, source, what.element, reduction_axes(source->shape, axes, false),
            strides_in_memory(source), what.ddof, data);
  return builder.scan_step();
}

void make_reduce_plan(reduce_plan& plan, const array_rep* rep, std::byte* data) {
  make_reduce_plan(plan, rep, nullptr, data);
}

namespace {

bool same_strides(const std::int64_t* a, const std::int64_t* b, int ndim) {
  return std::equal(a, a + ndim, b);
}

bool same_input(const input& a, const input& b, int ndim) {
  if (a.kind != b.kind || a.type != b.type) return false;
  if (a.kind == input_kind::constant) return std::memcmp(&a.value, &b.value, sizeof a.value) == 0;
  return (a.kind == input_kind::array ? a.data == b.data : a.first == b.first) &&
         same_strides(a.strides, b.strides, ndim);
}

bool same_step(const step& a, const step& b) {
  return a.op == b.op && a.loop == b.loop && (a.op != ufunc::user || a.user == b.user) &&
         std::equal(a.args.begin(), a.args.begin() + arity(a), b.args.begin());
}

bool same_jumps(const jump_list& a, const jump_list& b) {
  return std::ranges::equal(a.all_jumps(), b.all_jumps());
}

bool same_map(const map_plan& a, const map_plan& b) {
  if (a.ndim != b.ndim || a.n_inputs != b.n_inputs || a.n_steps != b.n_steps) return false;
  if (!std::equal(a.shape, a.shape + a.ndim, b.shape)) return false;
  if (!same_strides(a.out.strides, b.out.strides, a.ndim)) return false;
  for (int i = 0; i < a.n_inputs; ++i)
    if (!same_input(a.inputs[i], b.inputs[i], a.ndim)) return false;
  for (int s = 0; s < a.n_steps; ++s)
    if (!same_step(a.steps[s], b.steps[s])) return false;
  return true;
}

}  // namespace

bool same_elements(const reduce_plan& a, const reduce_plan& b) {
  if (a.element != b.element || a.order != b.order || a.n_kept != b.n_kept || a.n_reduced != b.n_reduced ||
      !same_map(a.map, b.map) || !same_jumps(a.jumping, b.jumping))
    return false;
  const auto size_of_a = static_cast<std::int64_t>(result_bytes(a.op, a.element)),
             size_of_b = static_cast<std::int64_t>(result_bytes(b.op, b.element));
  for (int d = 0; d < a.n_kept; ++d)
    if (a.out.strides[d] * size_of_b != b.out.strides[d] * size_of_a) return false;
  return true;
}

}  // namespace core
GPARRAY_END_NAMESPACE
