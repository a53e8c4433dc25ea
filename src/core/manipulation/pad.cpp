// pad: axis after axis, from what the array holds so far, as NumPy does it.
#include <limits>

#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/creation/creation.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/reduction/reduction.hpp>
#include <gparray/manipulation/joining.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// A view of the padded array while one axis is being done: what is filled lies in [before, length - after).
struct region {
  any_array view;
  int axis;
  std::int64_t before, after, length;

  any_array slice(std::int64_t start, std::int64_t count, std::int64_t step = 1) const {
    return slice_along(view, axis, start, count, step);
  }
  void set(std::int64_t start, std::int64_t count, const any_array& source) const {
    if (count > 0) copy_elements(slice(start, count).rep(), computed(source));
  }
};

void fill_scalar(const any_array& target, const scalar& value) {
  fill(target.rep(), value.as_argument().type, bits_of(value.as_argument()));
}

void pad_constant(const region& r, const std::pair<scalar, scalar>& values) {
  fill_scalar(r.slice(0, r.before), values.first);
  fill_scalar(r.slice(r.length - r.after, r.after), values.second);
}

void pad_edge(const region& r) {
  r.set(0, r.before, r.slice(r.before, 1));
  r.set(r.length - r.after, r.after, r.slice(r.length - r.after - 1, 1));
}

void pad_linear_ramp(const region& r, const std::pair<scalar, scalar>& ends) {
  const dtype type = r.view.dtype(), compute = is_complex(type) ? dtype::complex128 : dtype::float64;
  const auto ramp = [&](const scalar& end, std::int64_t edge_index, std::int64_t count) {
    const any_array edge = detail::squeeze(r.slice(edge_index, 1), r.axis);
    return detail::linspace(end.as_argument(), named(edge), count, compute, type,
                            {.endpoint = false, .axis = r.axis});
  };
  if (r.before > 0) r.set(0, r.before, ramp(ends.first, r.before, r.before));
  if (r.after > 0)
    r.set(r.length - r.after, r.after,
          detail::flip(ramp(ends.second, r.length - r.after - 1, r.after), r.axis));
}

/// Of `count` elements next to each border; all if that is more than there are.
void pad_statistic(const region& r, reduction statistic, const std::pair<std::int64_t, std::int64_t>& count) {
  const std::int64_t filled = r.length - r.before - r.after;
  const auto value_of = [&](std::int64_t first, std::int64_t n) {
    if (n == 0 && statistic != reduction::mean)
      throw value_error("stat_length of 0 yields no value for padding");
    const any_array source = r.slice(first, n);
    const dims axis = r.axis;
    const any_array value =
        detail::reduce(statistic, named(source), source.dtype(), &axis, {.keepdims = true});
    return statistic == reduction::mean && is_integer(source.dtype())
               ? apply(ufunc::rint, value.dtype(), {named(value)}).eval()
               : value;
  };
  const std::int64_t front = std::min(filled, count.first), back = std::min(filled, count.second);
  const any_array before = value_of(r.before, front), after = front == filled && back == filled
                                                                  ? before
                                                                  : value_of(r.before + filled - back, back);
  r.set(0, r.before, before);
  r.set(r.length - r.after, r.after, after);
}

/// 2 edge - values.
any_array beyond_edge(const any_array& edge, const any_array& values) {
  const dtype type = values.dtype();
  const any_array twice = apply(ufunc::multiply, type, {number(2, type), named(edge)});
  return apply(ufunc::subtract, type, {temporary(twice), named(values)}).eval();
}

/// Repeats reflections of what is there, whole periods of it, until the border is full.
void pad_reflect(region r, std::int64_t original, bool with_edge, bool odd) {
  if (original == 1) return pad_edge(r);
  const std::int64_t edge = with_edge ? 1 : 0, period = with_edge ? original : original - 1;
  while (r.before > 0 || r.after > 0) {
    const std::int64_t filled = r.length - r.before - r.after;
    const std::int64_t whole = with_edge ? filled / period * period : (filled - 1) / period * period;
    const std::int64_t front = std::min(whole, r.before), back = std::min(whole, r.after);
    const auto reflected = [&](std::int64_t first, std::int64_t count, std::int64_t at) {
      const any_array values = r.slice(first, count, -1);
      return odd && count > 0 ? beyond_edge(r.slice(at, 1), values) : values;
    };
    r.set(r.before - front, front, reflected(r.before - edge + front, front, r.before));
    r.before -= front;
    r.set(r.length - r.after, back, reflected(r.length - r.after + edge - 2, back, r.length - r.after - 1));
    r.after -= back;
  }
}

void pad_wrap(region r, std::int64_t original) {
  while (r.before > 0 || r.after > 0) {
    const std::int64_t period = (r.length - r.before - r.after) / original * original;
    const std::int64_t front = std::min(period, r.before), back = std::min(period, r.after);
    r.set(r.before - front, front, r.slice(r.before + period - front, front));
    r.set(r.length - r.after, back, r.slice(r.length - r.after - period, back));
    r.before -= front;
    r.after -= back;
  }
}

template<class T>
void check_pairs(const detail::per_side<T>& values, int ndim) {
  const std::size_t n = values.pairs().size();
  if (n != 1 && n != static_cast<std::size_t>(ndim))
    fail<value_error>(
        "operands could not be broadcast together with remapped shapes [original->remapped]: ({},2)  and "
        "requested shape ({},2)",
        n, ndim);
}

constexpr std::string_view modes[] = {"constant", "empty", "edge",    "linear_ramp", "maximum",
                                      "minimum",  "mean",  "reflect", "symmetric",   "wrap"};

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array pad(const any_array& a, const per_side<std::int64_t>& width, std::string_view mode,
              const pad_options& options) {
  const array_rep* rep = computed(a);
  const int ndim = a.ndim();
  for (const auto& [before, after] : width.pairs())
    if (before < 0 || after < 0) throw value_error("index can't contain negative values");
  check_pairs(width, ndim);
  if (std::ranges::find(modes, mode) == std::ranges::end(modes))
    fail<value_error>("mode '{}' is not supported", mode);
  if (mode == "constant") check_pairs(options.constant_values, ndim);
  if (mode == "linear_ramp") check_pairs(options.end_values, ndim);
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  const per_side<std::int64_t> counts = options.stat_length.value_or(per_side<std::int64_t>(all));
  check_pairs(counts, ndim);
  for (const auto& [before, after] : counts.pairs())
    if (before < 0 || after < 0) throw value_error("index can't contain negative values");
  const bool odd = options.reflect_type == "odd";
  if (!odd && options.reflect_type != "even")
    fail<value_error>("reflect_type must be 'even' or 'odd', not '{}'", options.reflect_type);
  dims shape = rep->shape;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto& [before, after] = width.of(d);
    if (shape[d] == 0 && (before > 0 || after > 0) && mode != "constant" && mode != "empty")
      fail<value_error>("can't extend empty axis {} using modes other than 'constant' or 'empty'", d);
    if (__builtin_add_overflow(shape[d], before, &shape[d]) ||
        __builtin_add_overflow(shape[d], after, &shape[d]))
      fail<overflow_error>("pad: axis {} would have more than 2^63 elements", d);
  }
  checked_size(shape, itemsize(rep->type));
  const bool fortran = rep->f_contiguous && !rep->c_contiguous;
  const any_array result =
      empty(shape, rep->type, fortran ? order::F : order::C, rep->memory->space, rep->device_);
  any_array inner = result;
  for (int axis = 0; axis < ndim; ++axis)
    inner = slice_along(inner, axis, width.of(static_cast<std::size_t>(axis)).first, a.shape(axis));
  copy_elements(inner.rep(), rep);
  if (mode == "empty") return result;
  for (int axis = 0; axis < ndim; ++axis) {
    const auto d = static_cast<std::size_t>(axis);
    const auto& [before, after] = width.of(d);
    // Later axes are done later, for all that there is then: only their middle matters now.
    region r{result, axis, before, after, shape[d]};
    for (int later = axis + 1; later < ndim; ++later)
      r.view = slice_along(r.view, later, width.of(static_cast<std::size_t>(later)).first, a.shape(later));
    if (before + after == 0 || r.view.size() == 0) continue;
    if (mode == "constant") pad_constant(r, options.constant_values.of(d));
    else if (mode == "edge") pad_edge(r);
    else if (mode == "linear_ramp") pad_linear_ramp(r, options.end_values.of(d));
    else if (mode == "maximum") pad_statistic(r, reduction::max, counts.of(d));
    else if (mode == "minimum") pad_statistic(r, reduction::min, counts.of(d));
    else if (mode == "mean") pad_statistic(r, reduction::mean, counts.of(d));
    else if (mode == "wrap") pad_wrap(r, a.shape(axis));
    else pad_reflect(r, a.shape(axis), mode == "symmetric", odd);
  }
  return result;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
