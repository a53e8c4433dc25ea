// Condition numbers.
#include <limits>

#include <core/array/arguments.hpp>
#include <core/linalg/lu.hpp>
#include <core/products/products.hpp>
#include <gparray/linalg.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// NaN means inf, unless the matrix itself holds a NaN.
any_array without_nan(const any_array& numbers, const any_array& matrices) {
  const dtype real = numbers.dtype();
  const any_array nan = apply(ufunc::isnan, real, {named(numbers)});
  const any_array own = with_nan(named(matrices));
  const any_array others = apply(ufunc::logical_not, dtype::bool_, {named(own)});
  const any_array replaced = apply(ufunc::logical_and, dtype::bool_, {temporary(nan), temporary(others)});
  return apply(ufunc::where, real,
               {temporary(replaced), number(std::numeric_limits<double>::infinity(), real), named(numbers)})
      .eval();
}

any_array quotient_of_extremes(const any_array& s, bool largest_first) {
  const std::int64_t last = s.shape(-1) - 1;
  const detail::index_item first_items[] = {ellipsis, std::int64_t{0}}, last_items[] = {ellipsis, last};
  const any_array largest = detail::basic_index(s, first_items),
                  smallest = detail::basic_index(s, last_items);
  return apply(ufunc::divide, s.dtype(),
               {named(largest_first ? largest : smallest), named(largest_first ? smallest : largest)})
      .eval();
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array cond(const argument& a, gparray::dtype type, const norm_order& ord) {
  const any_array x = product_operand(a, type);
  const bool no_elements = x.ndim() > 1 ? x.shape(-1) * x.shape(-2) == 0 : x.size() == 0;
  if (no_elements) throw linalg_error("cond is not defined on empty arrays");
  const bool is_default = !ord.given || (ord.name.empty() && ord.number == 2);
  if (is_default || (ord.name.empty() && ord.number == -2))
    return without_nan(quotient_of_extremes(svdvals(named(x), type), is_default), x);
  check_square(x);
  const dims last_two{-2, -1};
  const any_array inverted = inverse(named(x), type, false);
  const any_array own = matrix_norm(named(x), type, ord, last_two, false),
                  of_inverse = matrix_norm(named(inverted), type, ord, last_two, false);
  const any_array numbers = apply(ufunc::multiply, own.dtype(), {named(own), named(of_inverse)}).eval();
  return without_nan(numbers, x);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
