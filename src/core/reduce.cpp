// Reductions: from a call to a reduce plan, with the map in front of it fused in.
#include <core/array_rep.hpp>
#include <core/creation.hpp>
#include <core/errors.hpp>
#include <core/evaluate.hpp>
#include <core/layout.hpp>
#include <core/operands.hpp>
#include <core/plan_builder.hpp>
#include <core/reduce_where.hpp>
#include <core/stream_state.hpp>
#include <gparray/reductions.hpp>

#include <cstring>
#include <limits>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// The value of a reduction of nothing; throws value_error if there is none.
scalar_bits empty_value(reduction r, dtype element) {
  const dtype type = result_dtype(r, element);
  double value = 0;
  switch (r) {
    case reduction::prod:
    case reduction::nanprod:
    case reduction::all:
      value = 1;
      break;
    case reduction::sum:
    case reduction::nansum:
    case reduction::any:
    case reduction::count_nonzero:
    case reduction::norm:
      break;
    case reduction::mean:
    case reduction::var:
    case reduction::std:
    case reduction::nanmean:
    case reduction::nanvar:
    case reduction::nanstd:
      value = std::numeric_limits<double>::quiet_NaN();
      break;
    default:
      if (returns_index(r)) fail<value_error>("attempt to get {} of an empty sequence", name(r));
      fail<value_error>("zero-size array to reduction operation {} which has no identity",
                        r == reduction::max   ? "maximum"
                        : r == reduction::min ? "minimum"
                                              : name(r));
  }
  scalar_bits bits{};
  std::memcpy(&bits, &value, sizeof value);
  return convert_scalar(bits, dtype::float64, type);
}

/// The ufunc that folds an initial value into a finished reduction.
ufunc folding(reduction r) {
  switch (r) {
    case reduction::sum:
    case reduction::nansum:
      return ufunc::add;
    case reduction::prod:
    case reduction::nanprod:
      return ufunc::multiply;
    case reduction::min:
      return ufunc::minimum;
    case reduction::max:
      return ufunc::maximum;
    case reduction::nanmin:
      return ufunc::fmin;
    case reduction::nanmax:
      return ufunc::fmax;
    default:
      fail<value_error>("{} takes no initial value", name(r));
  }
}

/// source where the mask is true, else the element that does not change the reduction.
any_array masked(reduction r, const detail::argument& source, dtype element,
                 const reduction_options& options) {
  detail::argument neutral;
  if (r == reduction::nanmean || r == reduction::nanvar || r == reduction::nanstd) {
    // NaN, which is left out
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const scalar_bits value = constant_bits(nan, element);
    neutral.type = element;
    std::memcpy(neutral.value, &value, sizeof value);
  } else if (has_identity(r) && r != reduction::norm && r != reduction::count_nonzero) {
    const scalar_bits value = convert_scalar(empty_value(r, element), result_dtype(r, element), element);
    neutral.type = element;
    std::memcpy(neutral.value, &value, sizeof value);
  } else if (r == reduction::norm || r == reduction::count_nonzero) {
    neutral.type = element;  // zero
  } else if (options.initial) {
    neutral = options.initial->as_argument();
  } else {
    fail<value_error>(
        "reduction operation '{}' does not have an identity, so to use a where mask one has to specify "
        "'initial'",
        name(r));
  }
  detail::argument condition;
  condition.array = &options.where;
  condition.type = options.where.dtype();
  const detail::argument arguments[] = {condition, source, neutral};
  return detail::make_expression(ufunc::where, element, arguments);
}

any_array run(reduction r, const any_array& source, dtype element, const dims& reduced,
              const reduction_options& options) {
  const array_rep* rep = rep_of(source);
  const int ndim = static_cast<int>(rep->shape.size());
  dims axes, result_shape, kept_shape;
  for (int i = 0; i < ndim; ++i) {
    const bool is_reduced = std::ranges::find(reduced, i) != reduced.end();
    if (!is_reduced) axes.push_back(i), kept_shape.push_back(rep->shape[static_cast<std::size_t>(i)]);
    if (!is_reduced || options.keepdims)
      result_shape.push_back(is_reduced ? 1 : rep->shape[static_cast<std::size_t>(i)]);
  }
  const int n_kept = static_cast<int>(axes.size());
  for (std::int64_t axis : reduced) axes.push_back(axis);
  std::int64_t n_reduced = 1;
  for (std::int64_t axis : reduced) n_reduced *= rep->shape[static_cast<std::size_t>(axis)];

  const dtype type = result_dtype(r, element);
  any_array result = allocate(type, result_shape, rep->place);
  const array_rep* out = result.rep();
  if (n_reduced == 0) {
    if (options.initial && !has_identity(r)) {  // the caller folds it in once more, which changes nothing
      const detail::argument& initial = options.initial->as_argument();
      scalar_bits value;
      std::memcpy(&value, initial.value, sizeof value);
      fill(out, initial.type, value);
    } else {
      fill(out, type, empty_value(r, element));
    }
    return result;
  }
  if (out->size == 0) return result;

  reduce_plan plan;
  plan_builder builder(plan.map, rep->shape);
  const int value = builder.cast(builder.expression(rep), element);
  plan.op = r;
  plan.element = element;
  plan.n_out = out->size;
  plan.n_reduced = n_reduced;
  plan.ddof = options.ddof;
  plan.out.data = out->data;
  plan.out.type = type;
  const dims kept_strides = c_strides(kept_shape, itemsize(type));
  std::fill_n(plan.out.strides, ndim, 0);
  for (int i = 0; i < n_kept; ++i)
    plan.out.strides[axes[static_cast<std::size_t>(i)]] = kept_strides[static_cast<std::size_t>(i)];
  plan.n_kept = builder.finish_reduction(value, axes, n_kept, !returns_index(r), plan.out);
  const queue q = current_queue(rep->place);
  backend_of(rep->place).reduce(plan, q);
  record_uses(rep, q);
  return result;
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array reduce(reduction r, const argument& source, gparray::dtype element, const dims* axes,
                 const reduction_options& options) {
  const int ndim = source.array->ndim();
  // NumPy lets the one element of a 0-d array be reduced along axis 0 or -1.
  if (ndim == 0 && axes && axes->size() == 1 && (*axes)[0] >= -1 && (*axes)[0] <= 0) axes = nullptr;
  const dims reduced = normalize_axes(axes ? std::optional<dims>(*axes) : std::nullopt, ndim);
  if (returns_index(r) && axes && axes->size() != 1) fail<value_error>("{} takes one axis or none", name(r));
  any_array input = *source.array;
  if (options.where.rep()) {
    if (options.where.dtype() != gparray::dtype::bool_) throw type_error("where must be an array of bool");
    if (!broadcasts_to(options.where.shape(), input.shape()))
      fail<value_error>("where of shape {} does not broadcast to the array's shape {}",
                        text(options.where.shape()), text(input.shape()));
    if (r == reduction::mean || r == reduction::var || r == reduction::std)
      return masked_moment(r, source, element, reduced, options);
    input = masked(r, source, element, options);
  } else if (!source.fuse) {
    input.eval();
  }
  any_array result = run(r, input, element, reduced, options);
  if (!options.initial) return result;
  argument partial, initial = options.initial->as_argument();
  partial.array = &result;
  partial.type = result.dtype();
  const argument arguments[] = {partial, initial};
  return make_expression(folding(r), result.dtype(), arguments).eval();
}

}  // namespace detail
GPARRAY_END_NAMESPACE
