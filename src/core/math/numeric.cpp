// Differences, and the checks of the numeric helpers.
#include <cstring>

#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/array/rolled.hpp>
#include <core/array/temporary.hpp>
#include <core/manipulation/manipulation.hpp>
#include <gparray/math/gradient.hpp>
#include <plan/convert_scalar.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// later - earlier, or whether they differ.
any_array difference(const any_array& later, const any_array& earlier) {
  const dtype type = later.dtype();
  const detail::argument arguments[] = {named(later), named(earlier)};
  return detail::make_expression(type == dtype::bool_ ? ufunc::not_equal : ufunc::subtract, type, arguments)
      .eval();
}

/// `end` in a's shape but for the axis; one number is one element along it.
any_array as_end(const any_array& a, const any_array& end, int axis, std::string_view name) {
  if (promote_types(a.dtype(), end.dtype()) != a.dtype())
    fail<type_error>(
        "diff: {} has dtype {}, which does not promote to the array's {}; convert the array with astype",
        name, gparray::name(end.dtype()), gparray::name(a.dtype()));
  if (end.ndim() > 0) return end;
  dims shape = a.shape();
  shape[static_cast<std::size_t>(axis)] = 1;
  return detail::broadcast_to(end, shape);
}

/// Element i along the axis is f's i + by, or the nearest there is; `by` is 1 or -1.
any_array neighbour(const any_array& f, int axis, std::int64_t by) {
  rolled_index index(f.shape());
  rolled_index::axis& along = index.axes[static_cast<std::size_t>(axis)];
  (by > 0 ? along.end : along.begin) -= by;
  along.offset = by;
  along.jump = -by;
  return rolled_later(f, index);
}

/// 2 * spacing in so many axes of size 1, of which one has n elements: the first and the last are spacing.
any_array distances(const any_array& f, int axis, double spacing) {
  dims shape = dims::filled(f.shape().size(), 1);
  std::int64_t& along = shape[static_cast<std::size_t>(axis)];
  along = 2;
  const any_array two = allocate(f.dtype(), shape, f.device());
  generate(two, [&](plan_builder& plan) {
    const int at_end = plan.cast(plan.iota(0, shape), dtype::bool_);
    const int end = plan.constant(f.dtype(), constant_bits(spacing, f.dtype())),
              inner = plan.constant(f.dtype(), constant_bits(2 * spacing, f.dtype()));
    return plan.apply(ufunc::where, f.dtype(), {at_end, end, inner});
  });
  along = f.shape(axis);
  rolled_index index(shape);
  index.axes[static_cast<std::size_t>(axis)] = {0, 0, 1, along - 1, 1};
  return rolled_later(two, index);
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array diff(const any_array& a, int n, int axis_argument, const any_array& prepend,
               const any_array& append) {
  if (n < 0) fail<value_error>("order must be non-negative but got {}", n);
  if (n == 0) return a.eval();
  if (a.ndim() == 0) throw value_error("diff requires input that is at least one dimensional");
  const int axis = normalize_axis(axis_argument, a.ndim());
  any_array result = a;
  if (prepend.rep() || append.rep()) {
    std::vector<any_array> parts;
    if (prepend.rep()) parts.push_back(as_end(a, prepend, axis, "prepend"));
    parts.push_back(a);
    if (append.rep()) parts.push_back(as_end(a, append, axis, "append"));
    result = join(joining::concatenate, parts, axis, a.dtype());
  }
  // Of nothing the differences are nothing, however many times.
  for (int i = 0; i < n && (i == 0 || result.shape(axis) > 0); ++i) {
    const std::int64_t count = std::max<std::int64_t>(result.shape(axis) - 1, 0);
    result = difference(slice_later(result, axis, 1, count), slice_later(result, axis, 0, count));
  }
  return result;
}

namespace {

/// Throws overflow_error if a whole number became another one.
void check_whole(const scalar_bits& number, gparray::dtype from, const scalar_bits& converted,
                 gparray::dtype to) {
  const scalar_bits back = convert_scalar(converted, to, gparray::dtype::int64),
                    same = convert_scalar(number, from, gparray::dtype::int64);
  std::int64_t value, wanted;
  std::memcpy(&value, &back, sizeof value);
  std::memcpy(&wanted, &same, sizeof wanted);
  if (from == gparray::dtype::uint64 && wanted < 0 && to != from)
    throw_out_of_bounds(static_cast<std::uint64_t>(wanted), to);
  if (value != wanted || (wanted < 0 && from != gparray::dtype::uint64 && kind(to) == 'u'))
    throw_out_of_bounds(wanted, to);
}

}  // namespace

any_array end_beside(const array_or_number& end, dtype type, device where) {
  if (!end.kind) return end.array;
  const argument& number = end.number.as_argument();
  // A number that would make the result another dtype, 0.5 beside integers, is left to the checks of arrays.
  if (promote_weak(type, end.kind) != type) return from_host(number.value, {}, number.type, where);
  scalar_bits bits{};
  std::memcpy(&bits, number.value, sizeof bits);
  const scalar_bits converted = convert_scalar(bits, number.type, type);
  if (end.kind == 'i' && is_integer(type)) check_whole(bits, number.type, converted, type);
  return from_host(&converted, {}, type, where);
}

any_array ediff1d(const any_array& a, const any_array& to_end, const any_array& to_begin) {
  const auto check = [&](const any_array& end, std::string_view name) {
    if (end.rep() && !can_cast(end.dtype(), a.dtype(), casting::same_kind))
      fail<type_error>("dtype of `{}` must be compatible with input `ary` under the `same_kind` rule.", name);
  };
  check(to_begin, "to_begin");
  check(to_end, "to_end");
  if (a.dtype() == gparray::dtype::bool_)
    throw type_error(
        "boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, "
        "or the "
        "logical_xor function instead.");
  const any_array inner = diff(ravel(a, order::C), 1, 0, {}, {});
  if (!to_end.rep() && !to_begin.rep()) return inner;
  std::vector<any_array> parts;
  if (to_begin.rep()) parts.push_back(ravel(to_begin, order::C));
  parts.push_back(inner);
  if (to_end.rep()) parts.push_back(ravel(to_end, order::C));
  return join(joining::concatenate, parts, 0, a.dtype());
}

void check_gradient(const dims& shape, int axis, int edge_order) {
  if (edge_order > 2) throw value_error("'edge_order' greater than 2 not supported");
  if (edge_order < 1) fail<value_error>("'edge_order' must be 1 or 2, not {}", edge_order);
  if (shape[static_cast<std::size_t>(normalize_axis(axis, static_cast<int>(shape.size())))] <= edge_order)
    throw value_error(
        "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are "
        "required.");
}

any_array gradient(const any_array& f, int axis_argument, double spacing) {
  if (f.size() == 0) return allocate(f.dtype(), f.shape(), f.device());
  const int axis = normalize_axis(axis_argument, f.ndim());
  const any_array after = neighbour(f, axis, 1), before = neighbour(f, axis, -1),
                  length = distances(f, axis, spacing);
  const any_array rise = apply(ufunc::subtract, f.dtype(), {temporary(after), temporary(before)});
  const any_array result = apply(ufunc::divide, f.dtype(), {temporary(rise), temporary(length)});
  name_expression(result);
  return result;
}

void check_coordinates(const dims& coordinates, std::int64_t length) {
  if (coordinates.size() != 1) throw value_error("distances must be either scalars or 1d");
  if (coordinates[0] != length)
    throw value_error("when 1d, distances must match the length of the corresponding dimension");
}

dims gradient_axes(const std::optional<dims>& axes, int ndim, std::size_t distances) {
  dims all;
  for (int i = 0; i < ndim; ++i) all.push_back(i);
  const dims result = axes ? normalize_axis_list(*axes, ndim) : all;
  if (distances > 1 && distances != result.size()) throw type_error("invalid number of arguments");
  return result;
}

any_array align_weights(const any_array& a, const any_array& weights, const dims* axes) {
  if (weights.shape() == a.shape()) return weights;
  if (!axes) throw type_error("Axis must be specified when shapes of a and weights differ.");
  const dims along = normalize_axis_list(*axes, a.ndim());
  dims expected, shape = dims::filled(a.shape().size(), 1), order;
  for (std::int64_t axis : along) expected.push_back(a.shape()[static_cast<std::size_t>(axis)]);
  if (weights.shape() != expected)
    throw value_error("Shape of weights must be consistent with shape of a along specified axis.");
  // The weights' axes are named in any order; in a's order they only lack the others.
  for (std::int64_t axis = 0; axis < a.ndim(); ++axis)
    for (std::size_t i = 0; i < along.size(); ++i)
      if (along[i] == axis) {
        order.push_back(static_cast<std::int64_t>(i));
        shape[static_cast<std::size_t>(axis)] = expected[i];
      }
  return reshape(transpose(weights, order), shape, order::C);
}

void throw_zero_weights() { throw value_error("Weights sum to zero, can't be normalized"); }

void throw_cumulative_axis() {
  throw value_error("For arrays which have more than one dimension ``axis`` argument is required.");
}

void throw_no_initial_extreme() {
  throw value_error("include_initial: the largest or smallest of nothing is no number");
}

}  // namespace detail
GPARRAY_END_NAMESPACE
