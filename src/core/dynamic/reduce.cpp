// Reductions, scans, conversions and indexing of arrays whose dtypes are known at run time.
#include <algorithm>
#include <vector>

#include <core/dynamic/numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace dynamic {

using core::fail;
using core::named;

any_array astype(const any_array& a, dtype type, bool copy) {
  any_array result = detail::astype(named(a), type, copy);
  detail::name_expression(result);
  return result;
}

any_array reduce(reduction function, const any_array& a, const reduction_options& options,
                 std::optional<dtype> type) {
  if (has_two_results(function)) fail<type_error>("{} has two results", name(function));
  const dtype element = type.value_or(a.dtype());
  if (!detail::has(detail::row(function).domain, kind(element) == 'u' ? 'i' : kind(element)))
    fail<type_error>("{} does not take {}", name(function), name(element));
  const bool accumulates = function == reduction::sum || function == reduction::prod;
  any_array result = detail::reduce_later(function, named(a), element, nullptr, options);
  // The sum of int8 in int8 accumulates in 64 bits and wraps at the end, which gives the same bits.
  if (type && accumulates && result.dtype() != element) result = astype(result, element);
  detail::name_expression(result);
  return result;
}

any_array accumulate(ufunc function, const any_array& a, detail::slice_end axis, std::optional<dtype> type,
                     bool include_initial) {
  const bool adds = function == ufunc::add;
  if (adds || function == ufunc::multiply)
    return detail::cumulate(adds ? reduction::sum : reduction::prod, named(a),
                            type.value_or(result_dtype(reduction::sum, a.dtype())), axis, include_initial);
  using enum ufunc;
  constexpr ufunc scans[] = {maximum,    minimum,     fmax,        fmin,       logical_and,
                             logical_or, logical_xor, bitwise_and, bitwise_or, bitwise_xor};
  if (std::ranges::find(scans, function) == std::end(scans))
    fail<type_error>("accumulate is not for {}", name(function));
  if (include_initial) detail::throw_no_initial_extreme();
  const bool logical = function == logical_and || function == logical_or || function == logical_xor;
  const dtype element = type.value_or(logical ? dtype::bool_ : a.dtype());
  if (!detail::resolve_loop(function, element).valid)
    fail<type_error>("accumulate of {} does not take {}", name(function), name(element));
  return detail::accumulate(function, named(a), element, axis);
}

index_item::index_item(const any_array& a) : item_(ellipsis) {
  if (!is_integer(a.dtype()) && a.dtype() != gparray::dtype::bool_)
    fail<index_error>("arrays used as indices must be of integer (or boolean) type, not of {}",
                      name(a.dtype()));
  item_.kind = detail::pick_item::kind_type::array;
  item_.array = a;
}

namespace {

bool is_basic(const index_item& item) {
  return item.as_pick_item().kind == detail::pick_item::kind_type::basic;
}

std::vector<detail::index_item> basic_items(std::span<const index_item> items) {
  std::vector<detail::index_item> result;
  for (const index_item& item : items) result.push_back(item.as_pick_item().basic);
  return result;
}

std::vector<detail::pick_item> pick_items(std::span<const index_item> items) {
  std::vector<detail::pick_item> result;
  for (const index_item& item : items) result.push_back(item.as_pick_item());
  return result;
}

}  // namespace

any_array index(const any_array& a, std::span<const index_item> items) {
  if (std::ranges::all_of(items, is_basic)) return detail::basic_index(a, basic_items(items));
  return detail::read(detail::select(a, pick_items(items)));
}

void set_index(const any_array& a, std::span<const index_item> items, const operand& value) {
  if (is_complex(value.dtype()) && !is_complex(a.dtype()))
    fail<type_error>("complex values cannot be elements of an array of {}", name(a.dtype()));
  const detail::argument source = value_as(value, a.dtype());
  if (std::ranges::all_of(items, is_basic))
    detail::assign(detail::basic_index(a, basic_items(items)), source);
  else detail::write(detail::select(a, pick_items(items)), source);
}

}  // namespace dynamic
GPARRAY_END_NAMESPACE
