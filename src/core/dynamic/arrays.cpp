// Making, joining, searching: what asks for the dtypes of arrays that are known at run time.
#include <array>
#include <cstring>
#include <vector>

#include <core/dynamic/numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace dynamic {

using core::fail;
using core::named;

any_array full(const dims& shape, const operand& value, dtype type, const array_options& options) {
  return detail::create_full(shape, type, options, value_as(value, type));
}

namespace {

template<class V>
V value_of(const detail::argument& number) {
  const detail::argument a = number_as(number, dtype_of<V>);
  V value;
  std::memcpy(&value, a.value, sizeof value);
  return value;
}

/// As gparray::arange: N is what the ends are counted in, K what the steps are made in.
template<class N, class K>
any_array range(const scalar& start, const scalar& stop, const scalar& step, dtype type,
                const array_options& options) {
  const N from = value_of<N>(start.as_argument()), by = value_of<N>(step.as_argument());
  const std::int64_t length = detail::arange_length(from, value_of<N>(stop.as_argument()), by);
  const auto element = [type](N value) {
    return value_of<K>(number_as(detail::constant(value), real_dtype(type)));
  };
  K first = 0, delta = 0;
  if (length > 0) first = element(from);
  if (length > 1) delta = element(static_cast<N>(from + by)) - first;
  return detail::arange(length, type, detail::constant(first), detail::constant(delta), options);
}

template<class N>
any_array range_of(const scalar& start, const scalar& stop, const scalar& step, dtype type,
                   const array_options& options) {
  if (!is_inexact(type)) return range<N, std::int64_t>(start, stop, step, type, options);
  if (itemsize(real_dtype(type)) == 8) return range<N, double>(start, stop, step, type, options);
  return range<N, float>(start, stop, step, type, options);
}

dtype promoted(std::span<const any_array> arrays) {
  dtype result = arrays.empty() ? dtype::float64 : arrays[0].dtype();
  for (const any_array& a : arrays) result = promote_types(result, a.dtype());
  return result;
}

}  // namespace

any_array arange(const scalar& start, const scalar& stop, const scalar& step, dtype type,
                 const array_options& options) {
  bool floating = false;
  for (const scalar* number : {&start, &stop, &step}) floating |= is_floating(number->as_argument().type);
  if (floating) return range_of<double>(start, stop, step, type, options);
  return range_of<std::int64_t>(start, stop, step, type, options);
}

any_array linspace(const operand& start, const operand& stop, std::int64_t num, dtype type,
                   const linspace_options& options) {
  const operand ends[] = {start, stop};
  const dtype common = detail::promote_weak(result_type(ends), 'f');
  const bool arrays = start.is_array() || stop.is_array();
  const dtype compute = arrays ? common : promote_types(common, dtype::float64);
  return detail::linspace(value_as(start, compute), value_as(stop, compute), num, compute, type, options);
}

any_array concatenate(std::span<const any_array> arrays, detail::slice_end axis) {
  return detail::join(detail::joining::concatenate, arrays, axis, promoted(arrays));
}

any_array stack(std::span<const any_array> arrays, int axis) {
  return detail::join(detail::joining::stack, arrays, axis, promoted(arrays));
}

any_array searchsorted(const any_array& a, const operand& values, std::string_view side,
                       const any_array& sorter) {
  const bool right = detail::parse_side(side);
  const any_array wanted =
      values.is_array() ? values.array() : full(dims{}, values, values.dtype(), {.device = a.device()});
  const any_array sorted = sorter.rep() ? detail::in_sorting_order(a, sorter) : a;
  return detail::searchsorted(sorted, wanted, promote_types(a.dtype(), wanted.dtype()), right);
}

any_array take(const any_array& a, const any_array& indices, detail::slice_end axis) {
  return detail::take(a, detail::to_indices(index_item(indices).as_pick_item(), a), axis,
                      detail::index_mode::raise);
}

any_array take_along_axis(const any_array& a, const any_array& indices, detail::slice_end axis) {
  return detail::take_along_axis(a, detail::to_indices(index_item(indices).as_pick_item(), a), axis);
}

unique_result unique(const any_array& a, bool equal_nan) {
  const any_array flat = detail::ravel(a, order::C);
  const any_array order = argsort(flat), sorted = take(flat, order, 0);
  const array_options here{.device = a.device()};
  // Where an element differs from the one before it.
  const any_array starts = full(order.shape(), true, dtype::bool_, here);
  if (order.size() > 1) {
    const slice later_ones(1, none), earlier_ones(none, -1);
    const any_array later = index(sorted, {later_ones}), earlier = index(sorted, {earlier_ones});
    any_array differ = apply(ufunc::not_equal, {later, earlier});
    if (equal_nan && is_inexact(a.dtype())) {
      const any_array both =
          apply(ufunc::logical_and, {apply(ufunc::isnan, {later}), apply(ufunc::isnan, {earlier})});
      differ = apply(ufunc::logical_and, {differ, apply(ufunc::logical_not, {both})});
    }
    set_index(starts, {later_ones}, differ);
  }
  const any_array first = nonzero(starts)[0], end = full({1}, order.size(), dtype::int64, here);
  const any_array inverse = empty(order.shape(), dtype::int64, here);
  const any_array numbers = apply(ufunc::subtract, {accumulate(ufunc::add, starts, 0), 1});
  set_index(inverse, {order}, numbers);
  return {index(sorted, {starts}), index(order, {starts}), reshape(inverse, a.shape()),
          diff(first, 1, -1, {}, end)};
}

}  // namespace dynamic
GPARRAY_END_NAMESPACE
