// Derivatives by differences.
#pragma once
#include <gparray/numeric.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The keyword arguments of gradient.
struct gradient_options {
  /// The axis along which to differentiate.
  int axis = -1;
  /// The order of the differences at the edges, 1 or 2.
  int edge_order = 1;
};

/// The keyword arguments of gradients.
struct gradients_options {
  /// The axes, in the order of the results; nothing given is all.
  detail::dims_option axis = {};
  /// The order of the differences at the edges, 1 or 2.
  int edge_order = 1;
};

namespace detail {

/// Throws axis_error, and value_error with NumPy's texts.
GPARRAY_API void check_gradient(const dims& shape, int axis, int edge_order);
/// The derivative by differences of first order at the edges, pending: f's neighbours are read where they
/// are.
GPARRAY_API any_array gradient(const any_array& f, int axis, double spacing);
/// Coordinates must be a vector as long as the axis.
GPARRAY_API void check_coordinates(const dims& coordinates, std::int64_t length);
/// Axes in the order given; as many distances as axes, or one, or none.
GPARRAY_API dims gradient_axes(const std::optional<dims>& axes, int ndim, std::size_t distances);

/// A vector seen along the first of ndim axes.
template<element V>
ndarray<V> along_first(const ndarray<V>& v, int ndim) {
  dims shape = dims::filled(static_cast<std::size_t>(ndim), 1);
  shape[0] = v.size();
  return v.reshape(shape);
}

/// Writes the derivative along an axis of n elements, of which y(index) and out(index) are those with an
/// index or a slice.
template<class Y, class Out>
void write_gradient(const Y& y, const Out& out, std::int64_t n, double spacing, int edge_order) {
  if (n > 2) out(slice(1, -1)) = (y(slice(2, none)) - y(slice(none, -2))) / (2 * spacing);
  if (edge_order == 1) {
    out(0) = (y(1) - y(0)) / spacing;
    out(-1) = (y(-1) - y(-2)) / spacing;
  } else {
    out(0) = (-1.5 / spacing) * y(0) + (2 / spacing) * y(1) + (-0.5 / spacing) * y(2);
    out(-1) = (0.5 / spacing) * y(-3) + (-2 / spacing) * y(-2) + (1.5 / spacing) * y(-1);
  }
}

}  // namespace detail

/// The derivative along one axis by differences of second order inside and one-sided ones at the edges, for
/// samples at the distance `spacing`: an ndarray of a's shape, float64 for integers. Throws value_error if
/// the axis has edge_order elements or fewer.
template<array_like A>
[[nodiscard]] auto gradient(const A& f, double spacing = 1, const gradient_options& options = {}) {
  using V = detail::inexact_t<A>;
  detail::check_gradient(f.shape(), options.axis, options.edge_order);
  const ndarray<V> values = detail::as_elements<V>(f);
  // A CPU divides by one number in less time than by one for each element.
  if (options.edge_order == 1 && values.device().is_cuda())
    return detail::typed<V>(detail::gradient(values, options.axis, spacing));
  const ndarray<V> result = empty_like<V>(f);
  const ndarray<V> y = moveaxis(values, options.axis, 0), out = moveaxis(result, options.axis, 0);
  detail::write_gradient(y, out, y.shape(0), spacing, options.edge_order);
  return result;
}

/// The derivative along one axis for samples at these coordinates, a vector as long as the axis. NumPy's
/// formulas for uneven distances, which it gives in the notes of numpy.gradient.
template<array_like A, array_like X>
[[nodiscard]] auto gradient(const A& f, const X& coordinates, const gradient_options& options = {}) {
  using V = detail::inexact_t<A>;
  detail::check_gradient(f.shape(), options.axis, options.edge_order);
  detail::check_coordinates(coordinates.shape(), f.shape(options.axis));
  const ndarray<V> result = empty_like<V>(f);
  const ndarray<V> y = moveaxis(detail::as_elements<V>(f), options.axis, 0),
                   out = moveaxis(result, options.axis, 0);
  const ndarray<V> h = detail::as_elements<V>(diff(coordinates));
  if (y.shape(0) > 2) {
    const ndarray<V> left = detail::along_first<V>(h(slice(none, -1)), y.ndim()),
                     right = detail::along_first<V>(h(slice(1, none)), y.ndim());
    const ndarray<V> a = -right / (left * (left + right)), b = (right - left) / (left * right),
                     c = left / (right * (left + right));
    out(slice(1, -1)) = a * y(slice(none, -2)) + b * y(slice(1, -1)) + c * y(slice(2, none));
  }
  if (options.edge_order == 1) {
    out(0) = (y(1) - y(0)) / h(0);
    out(-1) = (y(-1) - y(-2)) / h(-1);
  } else {
    const ndarray<V> p = h(0), q = h(1), r = h(-2), s = h(-1);
    out(0) = (-(2 * p + q) / (p * (p + q))) * y(0) + ((p + q) / (p * q)) * y(1) - (p / (q * (p + q))) * y(2);
    out(-1) =
        (s / (r * (r + s))) * y(-3) - ((s + r) / (r * s)) * y(-2) + ((2 * s + r) / (s * (r + s))) * y(-1);
  }
  return result;
}

/// The derivatives along several axes, one array for each, in the order of the axes; the distances are one
/// for all or one for each axis.
template<array_like A>
[[nodiscard]] auto gradients(const A& f, const std::vector<double>& spacing = {},
                             const gradients_options& options = {}) {
  std::vector<ndarray<detail::inexact_t<A>>> result;
  std::size_t i = 0;
  for (std::int64_t axis : detail::gradient_axes(options.axis, f.ndim(), spacing.size())) {
    const double distance = spacing.empty() ? 1 : spacing[spacing.size() == 1 ? 0 : i++];
    result.push_back(
        gradient(f, distance, {.axis = static_cast<int>(axis), .edge_order = options.edge_order}));
  }
  return result;
}
/// The derivatives along several axes, for samples at these coordinates along each axis.
template<array_like A, element X>
[[nodiscard]] auto gradients(const A& f, const std::vector<ndarray<X>>& coordinates,
                             const gradients_options& options = {}) {
  std::vector<ndarray<detail::inexact_t<A>>> result;
  std::size_t i = 0;
  for (std::int64_t axis : detail::gradient_axes(options.axis, f.ndim(), coordinates.size()))
    result.push_back(gradient(f, coordinates[coordinates.size() == 1 ? 0 : i++],
                              {.axis = static_cast<int>(axis), .edge_order = options.edge_order}));
  return result;
}

/// The derivatives along all axes, for samples at a distance for each axis: auto [dy, dx] = gradient(f, 0.5,
/// 0.25) is NumPy's gradient(f, 0.5, 0.25). Throws type_error, as NumPy, unless f has as many axes.
template<array_like A, std::convertible_to<double>... D>
  requires(sizeof...(D) > 1)
[[nodiscard]] auto gradient(const A& f, D... spacing) {
  const std::vector<ndarray<detail::inexact_t<A>>> each = gradients(f, {static_cast<double>(spacing)...});
  std::array<ndarray<detail::inexact_t<A>>, sizeof...(D)> result;
  std::copy(each.begin(), each.end(), result.begin());
  return result;
}

GPARRAY_END_NAMESPACE
