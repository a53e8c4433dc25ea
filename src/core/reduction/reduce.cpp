// Reductions: from a call to a pending array, which knows the map in front of it. What a mask, an initial
// value and an output add.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include <core/array/arguments.hpp>
#include <core/array/array_rep.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/few_elements.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/reduction_plan.hpp>
#include <core/array/rolled.hpp>
#include <core/array/row_fusion.hpp>
#include <core/array/turns.hpp>
#include <core/reduction/pending_reductions.hpp>
#include <core/reduction/reduce_where.hpp>
#include <core/reduction/reduction.hpp>
#include <core/runtime/stream_state.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// What NumPy's messages call a reduction: the ufunc that it folds with.
std::string_view ufunc_name(reduction r) {
  const std::optional<ufunc> fold = detail::row(r).fold;
  return fold ? name(*fold) : name(r);
}

/// The value of a reduction of nothing, in a dtype; throws value_error if there is none.
scalar_bits empty_value(reduction r, dtype type) {
  const std::optional<double> value = detail::row(r).empty;
  if (!value && returns_index(r)) fail<value_error>("attempt to get {} of an empty sequence", name(r));
  if (!value)
    fail<value_error>("zero-size array to reduction operation {} which has no identity", ufunc_name(r));
  // Where it is NaN, it is a quotient of zeros, of which both parts of a complex number are NaN.
  if (is_complex(type)) return constant_bits(std::complex(*value, std::isnan(*value) ? *value : 0.), type);
  return constant_bits(*value, type);
}

/// The ufunc that folds an initial value into a finished reduction.
ufunc fold_of_initial(reduction r) {
  const std::optional<ufunc> fold = detail::row(r).fold;
  if (!fold || detail::row(r).result == 'b') fail<value_error>("{} takes no initial value", name(r));
  return *fold;
}

/// A number as an operand of a dtype.
detail::argument constant_of(const scalar_bits& value, dtype type) {
  detail::argument a;
  a.type = type;
  std::memcpy(a.value, &value, sizeof value);
  return a;
}

/// The element that does not change the reduction.
detail::argument neutral_element(reduction r, dtype element, const reduction_options& options) {
  switch (detail::row(r).masked) {
    case detail::reduction_mask::empty:
      return constant_of(empty_value(r, element), element);
    case detail::reduction_mask::nan:
      return constant_of(constant_bits(std::numeric_limits<double>::quiet_NaN(), element), element);
    default:
      if (options.initial) return options.initial->as_argument();
      fail<value_error>(
          "reduction operation '{}' does not have an identity, so to use a where mask one has to specify "
          "'initial'",
          name(r));
  }
}

/// source where the mask is true, else the element that does not change the reduction.
any_array masked(reduction r, const detail::argument& source, dtype element,
                 const reduction_options& options) {
  const detail::argument arguments[] = {named(options.where), source, neutral_element(r, element, options)};
  return detail::make_expression(ufunc::where, element, arguments);
}

/// Whether a reduction reads what is rolled where it is, and not as boxes: along the rows of a GPU's array.
/// Of bytes those that add all of them up: a map, which has 32 of a row at once, and another reduction of
/// what it stores take no longer.
bool reduces_rolled(reduction r, const array_rep* rep, dtype element, const dims& reduced) {
  constexpr std::int64_t bytes_at_once = 32;
  if (itemsize(rep->type) == 1 &&
      ((r != reduction::sum && r != reduction::mean) || itemsize(element) != 1 ||
       reduced.size() != rep->shape.size() || rep->shape.back() % bytes_at_once != 0))
    return false;
  const auto last = static_cast<std::int64_t>(rep->shape.size()) - 1;
  // A kernel reads them by whole accesses.
  const std::int64_t access = itemsize(element) <= 2 ? 8 : 16 / static_cast<std::int64_t>(itemsize(element));
  return rep->device_.is_cuda() && std::ranges::find(reduced, last) != reduced.end() &&
         rep->shape.back() % access == 0 && !recording_on(any_device) && reads_rolled(rep);
}

/// Whether a reduction may read what has a name before it is computed: steps of this thread.
bool may_wait(const array_rep* rep) {
  return !rep->pending.load(std::memory_order_acquire) ||
         (rep->home == own_pending_list() && reductions_in(rep) < most_reductions_below);
}

/// Pending, or what the reduction of nothing is.
any_array make_reduction(reduction r, const detail::argument& source, dtype element, const dims& reduced,
                         const reduction_options& options) {
  const array_rep* rep = shaped(*source.array);
  if (is_pending(rep) && rep->computed_by && !is_scan(rep) &&
      !(reduced.size() == 1 && may_be_gathered_by_steps(rep, static_cast<std::size_t>(reduced[0]))) &&
      !become_steps(source.array->rep()))
    computed(*source.array);
  if (reduced.size() == 1) compute_rolled_names(source.array->rep(), static_cast<std::size_t>(reduced[0]));
  // A reduction is one kernel with what it reads.
  const bool fuses = is_temporary(source, rep);
  if ((rolls(rep) && !reduces_rolled(r, rep, element, reduced)) || is_longer_than_kernel(rep) ||
      (!fuses && !may_wait(rep)))
    computed(*source.array);
  const reduction_axes axes(rep->shape, reduced, options.keepdims);
  if (axes.n_reduced > 0 && axes.n_results > 0) {
    reduction_node what{r, element, 0, options.ddof};
    for (const std::int64_t axis : reduced) what.axes |= std::uint32_t{1} << axis;
    return pending_along(const_cast<array_rep*>(rep), what, result_dtype(r, element), axes.result_shape,
                         together_with_others, fuses);
  }
  const dtype type = result_dtype(r, element);
  any_array result = allocate(type, axes.result_shape, rep->device_);
  const array_rep* out = result.rep();
  if (axes.n_reduced > 0) return result;
  if (options.initial && !has_identity(r)) {  // the caller folds it in again, which changes nothing
    const detail::argument& initial = options.initial->as_argument();
    scalar_bits value;
    std::memcpy(&value, initial.value, sizeof value);
    fill(out, initial.type, value);
  } else {
    fill(out, type, empty_value(r, type));
  }
  return result;
}

/// The result, or the output that was given, with the result in it.
any_array hand_over(reduction r, any_array result, const reduction_options& options) {
  if (!options.out.rep()) return result;
  const any_array& out = options.out;
  if (out.ndim() != result.ndim())
    fail<value_error>(
        "output parameter for reduction operation {} has the wrong number of dimensions: Found {} but "
        "expected "
        "{}{}",
        detail::row(r).fold ? ufunc_name(r) : name(ufunc::add), out.ndim(), result.ndim(),
        options.keepdims ? " (must match the operand's when keepdims=True)" : "");
  if (out.shape() != result.shape())
    fail<value_error>("output of shape {} does not have the shape {} of the reduction's result",
                      text(out.shape()), text(result.shape()));
  detail::assign(out, named(result));
  if (out.dtype() == result.dtype()) return out;
  return result;
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array reduce_later(reduction r, const argument& source, gparray::dtype element, const dims* axes,
                       const reduction_options& options) {
  const dims reduced = reduced_axes(r, chosen_axes(axes, options.axis), source.array->ndim());
  any_array result, where_true;
  if (options.where.rep()) {
    if (options.where.dtype() != gparray::dtype::bool_) throw type_error("where must be an array of bool");
    if (!broadcasts_to(options.where.shape(), source.array->shape()))
      fail<value_error>("where of shape {} does not broadcast to the array's shape {}",
                        text(options.where.shape()), text(source.array->shape()));
    const reduction_mask mask = row(r).masked;
    if (mask == reduction_mask::moments || (mask == reduction_mask::nan && !is_inexact(element)))
      return hand_over(r, masked_moment(r, source, element, reduced, options), options);
    where_true = masked(r, source, element, options);
    result = make_reduction(r, temporary(where_true), element, reduced, options);
  } else {
    result = make_reduction(r, source, element, reduced, options);
  }
  if (!options.initial) return hand_over(r, std::move(result), options);
  const argument arguments[] = {named(result), options.initial->as_argument()};
  return hand_over(r, make_expression(fold_of_initial(r), result.dtype(), arguments).eval(), options);
}

any_array reduce(reduction r, const argument& source, gparray::dtype element, const dims* axes,
                 const reduction_options& options) {
  return reduce_later(r, source, element, axes, options).eval();
}

result_pair reduce_pair(reduction r, const argument& source, gparray::dtype element, const dims* axes_or_null,
                        bool keepdims, double ddof) {
  const dims reduced = reduced_axes(r, axes_or_null, source.array->ndim());
  const array_rep* rep = rep_of(*source.array);
  if (!source.fuse || rolls(rep)) source.array->eval();
  const reduction_axes axes(rep->shape, reduced, keepdims);
  const gparray::dtype first = result_dtype(r, element), second = second_result_dtype(r, element);
  const any_array results = allocate(first, {axes.n_results, 2}, rep->device_);
  const dims strides = c_strides(axes.result_shape, result_bytes(r, element));
  const auto offset_of_second = static_cast<std::int64_t>(itemsize(first));
  result_pair pair{make_view(results.rep(), first, axes.result_shape, strides, 0),
                   make_view(results.rep(), second, axes.result_shape, strides, offset_of_second),
                   axes.n_reduced};
  if (axes.n_reduced > 0) {
    consuming(source, [&] {
      const auto lock = hold_expression(rep);
      if (axes.n_results == 0) return;
      compute_names(const_cast<array_rep*>(rep));
      reduce_plan plan;
      make_reduce_plan(plan, r, rep, element, axes, ddof, results.rep()->data);
      const queue q = current_queue(rep->device_);
      backend_of(rep->device_).reduce(plan, q);
      record_uses(rep, q);
    });
  } else {
    fill(pair.first.rep(), first, empty_value(row(r).first, first));
    fill(pair.second.rep(), second, empty_value(row(r).second, second));
  }
  return pair;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
