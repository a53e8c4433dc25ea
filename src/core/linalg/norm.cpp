// Vector and matrix norms, as element-wise functions fused into reductions.
#include <cmath>
#include <limits>

#include <core/array/arguments.hpp>
#include <core/array/layout.hpp>
#include <core/linalg/svd.hpp>
#include <core/reduction/reduction.hpp>
#include <gparray/linalg.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

any_array magnitudes(const detail::argument& a, dtype element) {
  return apply(ufunc::absolute, element, {a});
}

any_array of_magnitudes(reduction r, const any_array& a, const dims* axes, bool keepdims) {
  reduction_options options;
  options.keepdims = keepdims;
  if (r == reduction::max) options.initial = 0.0;  // the largest of none is 0, as in NumPy
  return reduced(r, a, axes, options);
}

[[noreturn]] void fail_dimensions() { throw value_error("Improper number of dimensions to norm."); }

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array vector_norm(const argument& a, gparray::dtype element, double ord, const dims* axes,
                      bool keepdims) {
  // Reductions let axis 0 of a 0-d array pass; NumPy's norms do not.
  if (axes)
    for (const std::int64_t axis : *axes) normalize_axis(axis, a.array->ndim());
  reduction_options options;
  options.keepdims = keepdims;
  if (ord == 2) return reduce_later(reduction::norm, a, element, axes, options);
  const gparray::dtype real = real_dtype(element);
  if (ord == 0) {
    const any_array nonzero = apply(ufunc::not_equal, element, {a, number(0, element)});
    const any_array counted = apply(ufunc::cast, real, {temporary(nonzero)});
    return of_magnitudes(reduction::sum, counted, axes, keepdims);
  }
  const any_array magnitude = magnitudes(a, element);
  if (ord == infinity) return of_magnitudes(reduction::max, magnitude, axes, keepdims);
  if (ord == -infinity) return of_magnitudes(reduction::min, magnitude, axes, keepdims);
  if (ord == 1) return of_magnitudes(reduction::sum, magnitude, axes, keepdims);
  const any_array powers = apply(ufunc::power, real, {temporary(magnitude), number(ord, real)});
  const any_array sum = of_magnitudes(reduction::sum, powers, axes, keepdims);
  return apply(ufunc::power, real, {temporary(sum), number(1 / ord, real)}).eval();
}

any_array matrix_norm(const argument& a, gparray::dtype element, const norm_order& ord, const dims& axes,
                      bool keepdims) {
  const int ndim = a.array->ndim();
  const int row = normalize_axis(axes[0], ndim), column = normalize_axis(axes[1], ndim);
  if (row == column) throw value_error("Duplicate axes given.");
  reduction_options options;
  options.keepdims = keepdims;
  if (ord.name == "fro") return reduce_later(reduction::norm, a, element, &axes, options);
  const bool is_sum = ord.name == "nuc";
  if (is_sum || (ord.name.empty() && std::abs(ord.number) == 2))
    return singular_norm(*a.array, element, is_sum ? 0 : static_cast<int>(ord.number), row, column, keepdims);
  const bool of_columns = std::abs(ord.number) == 1;
  if (!ord.name.empty() || (!of_columns && std::abs(ord.number) != infinity))
    throw value_error("Invalid norm order for matrices.");
  // The summed axis stays until the end, so that the other keeps its number.
  const dims summed = of_columns ? row : column, compared = of_columns ? column : row;
  const any_array sums = of_magnitudes(reduction::sum, magnitudes(a, element), &summed, true);
  const any_array norm =
      of_magnitudes(ord.number > 0 ? reduction::max : reduction::min, sums, &compared, true);
  if (keepdims) return norm;
  return reduce(reduction::sum, temporary(norm), norm.dtype(), &axes, {});
}

any_array norm(const argument& a, gparray::dtype element, const norm_order& ord, const dims& axes,
               bool keepdims) {
  if (axes.size() == 2) return matrix_norm(a, element, ord, axes, keepdims);
  if (axes.size() != 1) fail_dimensions();
  if (ord.given && !ord.name.empty()) fail<value_error>("Invalid norm order '{}' for vectors", ord.name);
  return vector_norm(a, element, ord.number, &axes, keepdims);
}

dims norm_axes(const any_array& a) {
  if (a.ndim() == 1) return 0;
  if (a.ndim() != 2) fail_dimensions();
  return {0, 1};
}

}  // namespace detail
GPARRAY_END_NAMESPACE
