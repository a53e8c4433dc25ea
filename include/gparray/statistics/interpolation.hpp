// Linear interpolation.
#pragma once
#include <gparray/indexing.hpp>
#include <gparray/numeric.hpp>
#include <gparray/sorting.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The keyword arguments of interp.
struct interp_options {
  /// What to return left of all points; nothing given is the first value.
  std::optional<double> left = {};
  /// What to return right of all points; nothing given is the last value.
  std::optional<double> right = {};
  /// Points and x are periodic; left and right are ignored, and the points need not be in order.
  std::optional<double> period = {};
};

namespace detail {

GPARRAY_API ndarray<double> interp(const ndarray<double>& x, const ndarray<double>& xp,
                                   const ndarray<double>& fp, const interp_options& options);
GPARRAY_API ndarray<std::complex<double>> interp(const ndarray<double>& x, const ndarray<double>& xp,
                                                 const ndarray<std::complex<double>>& fp,
                                                 const interp_options& options);

}  // namespace detail

/// The function through the points (xp[i], fp[i]), linear in between, at x; float64, or complex128 for
/// complex fp. xp must be ascending. Throws value_error with NumPy's texts. Reads the two outermost values,
/// which waits.
template<operand_like X, array_like P, array_like F>
[[nodiscard]] auto interp(const X& x, const P& xp, const F& fp, const interp_options& options = {}) {
  using V = dtype_t<promote_types(dtype::float64, dtype_of<detail::element_t<F>>)>;
  if constexpr (array_like<X>)
    return detail::interp(detail::as_elements<double>(x), detail::as_elements<double>(xp),
                          detail::as_elements<V>(fp), options);
  else
    return detail::interp(full(dims{}, static_cast<double>(x), {.device = xp.device()}),
                          detail::as_elements<double>(xp), detail::as_elements<V>(fp), options);
}

GPARRAY_END_NAMESPACE
