// Cumulative sums, products, extremes and operations on bits: from a call to a scan plan.
#include <bit>

#include <core/array/evaluate.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/array/pending_nodes.hpp>
#include <core/array/plan_builder.hpp>
#include <core/array/turns.hpp>
#include <core/array/unstored_names.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/reduction/pending_reductions.hpp>
#include <core/reduction/reduction.hpp>
#include <core/runtime/stream_state.hpp>
#include <support/checked_numbers.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

scan scan_of(reduction op, dtype type) {
  const bool skips_nan = is_inexact(type) && (op == reduction::nansum || op == reduction::nanprod);
  if (op == reduction::sum || op == reduction::nansum) return skips_nan ? scan::nansum : scan::sum;
  return skips_nan ? scan::nanprod : scan::prod;
}

/// Of two truth values at most one is the larger, and so on: logic is arithmetic of bool.
scan scan_of(ufunc op, dtype type) {
  switch (op) {
    case ufunc::maximum:
    case ufunc::logical_or:
      return scan::max;
    case ufunc::minimum:
    case ufunc::logical_and:
      return scan::min;
    case ufunc::fmax:
      return is_inexact(type) ? scan::fmax : scan::max;
    case ufunc::fmin:
      return is_inexact(type) ? scan::fmin : scan::min;
    case ufunc::bitwise_and:
      return scan::bitwise_and;
    case ufunc::bitwise_or:
      return scan::bitwise_or;
    default:
      return scan::bitwise_xor;
  }
}

/// The axes of a plan: those of more than one element, and then the scanned one.
dims axes_of(const dims& shape, int axis) {
  dims axes;
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (static_cast<int>(d) != axis && shape[d] != 1) axes.push_back(static_cast<std::int64_t>(d));
  axes.push_back(axis);
  return axes;
}

scan_plan plan_of(scan op, dtype type, const dims& shape, const dims& axes, const dims& in_strides,
                  const dims& out_strides, void* data) {
  scan_plan plan;
  plan.op = op;
  plan.type = type;
  plan.ndim = 0;
  for (const std::int64_t axis : axes) {
    const auto d = static_cast<std::size_t>(axis);
    plan.shape[plan.ndim] = shape[d];
    plan.in_strides[plan.ndim] = in_strides[d];
    plan.out_strides[plan.ndim++] = out_strides[d];
  }
  plan.out = data;
  plan.in = nullptr;
  return plan;
}

scan_plan plan_of(scan op, const array_rep* target, const dims& axes, const dims& in_strides) {
  return plan_of(op, target->type, target->shape, axes, in_strides, target->strides, target->data);
}

void run_scan(scan op, const array_rep* target, const array_rep* source, int axis) {
  if (target->size == 0) return;
  scan_plan plan = plan_of(op, target, axes_of(source->shape, axis), source->strides);
  plan.in = source->data;
  const queue q = current_queue(target->device_);
  backend_of(target->device_).scan(plan, q);
  record_use(target->memory, q);
  record_uses(source, q);
}

/// Fewer elements are not worth a kernel of their own.
constexpr std::int64_t fewest_computed = 4096;

/// Those axes alone, in this order.
void keep_axes(map_plan& plan, const dims& axes) {
  const auto keep = [&](std::int64_t* of) {
    std::int64_t all[max_ndim];
    std::copy_n(of, plan.ndim, all);
    for (std::size_t k = 0; k < axes.size(); ++k) of[k] = all[axes[k]];
  };
  for (int i = 0; i < plan.n_inputs; ++i) keep(plan.inputs[i].strides);
  keep(plan.out.strides);
  keep(plan.shape);
  plan.ndim = static_cast<int>(axes.size());
}

/// Whether a scan may compute the elements of this array, and convert them, as it goes.
bool may_be_computed(const array_rep* rep, dtype type) {
  if (rep->device_.is_cpu() || rep->size < fewest_computed || recording_on(any_device)) return false;
  if (!is_pending(rep)) return rep->type != type;
  return !rep->computed_by && !rep->view && !rep->operation.rolls && rep->operation.reductions == 0 &&
         rep->home == own_pending_list();
}

/// Where the elements of an array lie that is scanned as `type`, or would if they were stored: what has to be
/// converted where the result does.
dims strides_of_scanned(const array_rep* source, dtype type, const dims& of_result) {
  if (source->type != type) return of_result;
  return is_pending(source) ? result_strides(source) : source->strides;
}

/// The scan of an array, pending or of another dtype, by a kernel that computes what it adds up; false if
/// there is none, or if the array is better stored. `uses`: references to it that are no names.
bool scans_computed(scan op, const array_rep* target, array_rep* source, int uses, int axis) {
  const auto lock = hold_expression(source);
  const bool pending = is_pending(source);
  if (!may_be_computed(source, target->type)) return false;
  if (pending) {
    compute_names(source);
    if (!is_pending(source) || (pending_nodes::lives_on({source, uses}) && !stays_pending(source)))
      return false;
  }
  const dims strides = strides_of_scanned(source, target->type, target->strides);
  const dims axes = axes_of(source->shape, axis);
  const scan_plan plan = plan_of(op, target, axes, strides);
  map_plan elements;
  plan_builder builder(elements, source->shape);
  const int value = builder.cast(builder.expression(source), target->type);
  builder.store_to(nullptr, target->type, target->strides);
  builder.finish_rows(value);
  keep_axes(elements, axes);
  const queue q = current_queue(target->device_);
  if (!backend_of(target->device_).scan_computed(plan, elements, q)) return false;
  record_use(target->memory, q);
  record_uses(source, q);
  if (pending) source->was_used.store(true, std::memory_order_relaxed);
  return true;
}

/// The scan of an array of as many axes into one of the same shape.
void scan_lines(scan how, const array_rep* target, array_rep* source, int uses, int axis) {
  if (scans_computed(how, target, source, uses, axis)) return;
  if (is_pending(source)) evaluate(source);
  if (source->type == target->type) return run_scan(how, target, source, axis);
  // What must be converted is written to its place first: it takes no memory beside that.
  copy_elements(target, source);
  run_scan(how, target, target, axis);
}

void compute_waiting(array_rep* rep) {
  const any_array result = allocate(rep->type, rep->shape, rep->device_);
  scan_lines(scan_of(rep->reduced.op, rep->type), result.rep(), rep->operation.arguments[0].array, 1,
             std::countr_zero(rep->reduced.axes));
  publish(rep, result);
}

constexpr computation waiting_scan{.compute = compute_waiting,
                                   .compute_into = nullptr,
                                   .reads = nullptr,
                                   .reduce_without_names = nullptr,
                                   .scans = true};

/// Whether the scan waits, as one kernel may do a reduction of what is made of it. Its result is in C order.
bool scan_waits(reduction op, array_rep* source, dtype type, int axis) {
  const bool is_plain = op == reduction::sum || op == reduction::prod;
  if (!is_plain || source->device_.is_cpu() || source->size < fewest_computed || recording_on(any_device))
    return false;
  const auto lock = hold_expression(source);
  if (is_pending(source) ? !may_be_computed(source, type) : !source->c_contiguous) return false;
  const dims strides = c_strides(source->shape, itemsize(type));
  return backend_of(source->device_)
      .takes_scanned(plan_of(scan_of(op, type), type, source->shape, axes_of(source->shape, axis),
                             strides_of_scanned(source, type, strides), strides, nullptr));
}

// Elements that are widened at a time where the result is narrower than what it is added up in: 8 MiB.
constexpr std::int64_t most_widened = std::int64_t{1} << 20;

/// Through a buffer in `accumulator`, piece by piece: each begins with the last results of the one before.
void scan_widened(scan op, dtype accumulator, double identity, const any_array& target,
                  const any_array& source, int axis) {
  if (target.size() == 0) return;
  const std::int64_t n = target.shape(axis), lines = target.size() / n;
  if (lines > most_widened) {
    int other = axis == 0 ? 1 : 0;
    for (int d = 0; d < target.ndim(); ++d)
      if (d != axis && target.shape(d) > target.shape(other)) other = d;
    const std::int64_t all = target.shape(other), half = all / 2;
    for (const auto& [start, count] : {std::pair(std::int64_t{0}, half), std::pair(half, all - half)})
      scan_widened(op, accumulator, identity, slice_along(target, other, start, count),
                   slice_along(source, other, start, count), axis);
    return;
  }
  const std::int64_t most = std::min(n, std::max<std::int64_t>(most_widened / lines, 1));
  dims shape = target.shape();
  shape[static_cast<std::size_t>(axis)] = most + 1;
  const any_array buffer = allocate(accumulator, shape, target.device());
  const any_array before = slice_along(buffer, axis, 0, 1);
  for (std::int64_t start = 0; start < n; start += most) {
    const std::int64_t count = std::min(most, n - start);
    if (start == 0) fill(before.rep(), accumulator, constant_bits(identity, accumulator));
    else copy_elements(before.rep(), slice_along(target, axis, start - 1, 1).rep());
    const any_array piece = slice_along(buffer, axis, 1, count),
                    all = slice_along(buffer, axis, 0, count + 1);
    copy_elements(piece.rep(), slice_along(source, axis, start, count).rep());
    run_scan(op, all.rep(), all.rep(), axis);
    copy_elements(slice_along(target, axis, start, count).rep(), piece.rep());
  }
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

namespace {

/// A scan of elements of one dtype into an array of it. `accumulator` is what they are put together in; an
/// initial element is the identity.
any_array scanned(scan how, gparray::dtype accumulator, double identity, const argument& source,
                  gparray::dtype type, slice_end axis_argument, bool include_initial) {
  // Numbers are true or false before they are added, not after.
  const bool is_truth = type == gparray::dtype::bool_;
  const any_array given = is_truth ? astype(source, type, false) : *source.array;
  const array_rep* from = shaped(given);
  const bool flattens = !axis_argument.given;
  dims shape = flattens || from->shape.empty() ? dims(from->size) : from->shape;
  const int axis = flattens ? 0 : normalize_axis(axis_argument.value, static_cast<int>(shape.size()));
  const std::int64_t n = shape[static_cast<std::size_t>(axis)];
  shape[static_cast<std::size_t>(axis)] = checked_sum(n, include_initial, "the length of cumulative sums");
  const any_array result = from->type == type && !is_pending(from) ? allocate_beside(from, shape)
                                                                   : allocate(type, shape, from->device_);
  if (include_initial) fill(slice_along(result, axis, 0, 1).rep(), type, constant_bits(identity, type));
  const any_array target = include_initial ? slice_along(result, axis, 1, n) : result;
  if (accumulator == type && from->shape.size() == shape.size()) {
    scan_lines(how, target.rep(), const_cast<array_rep*>(from), is_truth || source.fuse ? 1 : 0, axis);
    return result;
  }
  from = computed(given);
  if (accumulator != type) {
    const any_array lines = flattens ? ravel(given, order::C) : at_least(given, 1);
    scan_widened(how, accumulator, identity, target, lines, axis);
  } else if (from->type == type && (!flattens || from->c_contiguous)) {
    run_scan(how, target.rep(), computed(flattens ? ravel(given, order::C) : at_least(given, 1)), axis);
  } else {
    // What must be converted or put in order is written to its place first: it takes no memory beside that.
    copy_elements(reshape(target, from->shape, order::C).rep(), from);
    run_scan(how, target.rep(), target.rep(), axis);
  }
  return result;
}

}  // namespace

any_array cumulate(reduction op, const argument& source, gparray::dtype type, slice_end axis,
                   bool include_initial) {
  // Narrow integers are summed in 64 bits, which wraps to the same bits when it is narrowed.
  const gparray::dtype accumulator = result_dtype(reduction::sum, type);
  const double identity = op == reduction::prod || op == reduction::nanprod ? 1 : 0;
  array_rep* const from = const_cast<array_rep*>(shaped(*source.array));
  if (axis.given && !include_initial && accumulator == type && type != gparray::dtype::bool_ &&
      !from->shape.empty()) {
    const int along = normalize_axis(axis.value, static_cast<int>(from->shape.size()));
    if (scan_waits(op, from, type, along))
      return pending_along(from, {op, type, std::uint32_t{1} << along, 0}, type, from->shape, waiting_scan,
                           is_temporary(source, from));
  }
  return scanned(scan_of(op, accumulator), accumulator, identity, source, type, axis, include_initial);
}

any_array accumulate(ufunc op, const argument& source, gparray::dtype type, slice_end axis) {
  if (source.array->ndim() == 0) throw type_error("cannot accumulate on a scalar");
  return scanned(scan_of(op, type), type, 0, source, type, axis, false);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
