#include <core/array/arguments.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/reduction/reduce_where.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using detail::argument;

/// x / max(count - less, 0), so that too few elements give inf or NaN.
any_array divided(const any_array& x, const any_array& count, double less) {
  const any_array rest = apply(ufunc::subtract, dtype::float64, {named(count), detail::constant(less)}),
                  divisor = apply(ufunc::maximum, dtype::float64, {temporary(rest), detail::constant(0.0)});
  return apply(ufunc::divide, x.dtype(), {named(x), temporary(divisor)}).eval();
}

}  // namespace

any_array masked_moment(reduction r, const argument& source, dtype element, const dims& axes,
                        const reduction_options& options) {
  const dtype type = accumulator_dtype(r, element), real = real_dtype(type);
  const any_array x = detail::astype(source, type, false).eval(),
                  mask = detail::broadcast_to(options.where, x.shape());
  const bool is_variance = r != reduction::mean && r != reduction::nanmean;
  const reduction_options included{.where = options.where, .keepdims = is_variance || options.keepdims};
  const any_array counted = detail::reduce(reduction::count_nonzero, named(mask), dtype::bool_, &axes,
                                           {.keepdims = included.keepdims}),
                  total = detail::reduce(reduction::sum, named(x), type, &axes, included),
                  mean = divided(total, counted, 0);
  if (!is_variance) return detail::astype(temporary(mean), result_dtype(r, element), false).eval();

  const any_array difference = apply(ufunc::subtract, type, {named(x), named(mean)}),
                  distance =
                      is_complex(type) ? apply(ufunc::absolute, type, {temporary(difference)}) : difference,
                  square = apply(ufunc::square, real, {temporary(distance)}),
                  squares = detail::reduce(reduction::sum, temporary(square), real, &axes, included);
  any_array result = divided(squares, counted, options.ddof);
  if (r == reduction::std || r == reduction::nanstd)
    result = apply(ufunc::sqrt, real, {temporary(result)}).eval();
  if (!options.keepdims) result = detail::squeeze(result, axes);
  return detail::astype(temporary(result), result_dtype(r, element), false).eval();
}

}  // namespace core
GPARRAY_END_NAMESPACE
