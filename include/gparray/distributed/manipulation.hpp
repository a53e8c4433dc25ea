// Other shapes and orders of sharded arrays, by the names of ndarray's. Results are arrays of their own, not
// views; what lies on another rank then is sent. Every rank must call them.
#pragma once
#include <gparray/distributed/operations.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace distributed::detail {

GPARRAY_API node_ptr swapped_axes(const node_ptr& a, int axis1, int axis2);
GPARRAY_API node_ptr moved_axes(const node_ptr& a, const dims& source, const dims& destination);
GPARRAY_API node_ptr rolled(const node_ptr& a, const dims& shifts, const dims& axes);
/// Of all axes for null.
GPARRAY_API node_ptr flipped(const node_ptr& a, const dims* axes);
GPARRAY_API node_ptr concatenated(std::span<const node_ptr> arrays, dtype type, int axis);
GPARRAY_API node_ptr stacked(std::span<const node_ptr> arrays, dtype type, int axis);
GPARRAY_API node_ptr padded(const node_ptr& a, const gparray::detail::per_side<std::int64_t>& width,
                            std::string_view mode, const pad_options& options);
/// By the modes whose borders are elements of the array.
GPARRAY_API node_ptr padded_with_copies(const node_ptr& a,
                                        const gparray::detail::per_side<std::int64_t>& width,
                                        std::string_view mode, const pad_options& options);
/// By fftshift, or the inverse; of all axes for null.
GPARRAY_API node_ptr shifted_spectrum(const node_ptr& a, const dims* axes, bool inverse);

template<class A>
using sharded_of = sharded<typename std::remove_cvref_t<A>::value_type>;

/// Two or more arrays of which one at least is sharded, then perhaps an axis.
template<class... X>
constexpr bool joinable() {
  const bool arrays[] = {(sharded_like<X> || array_like<X>)..., true};
  const bool integers[] = {std::integral<std::remove_cvref_t<X>>..., false};
  constexpr std::size_t n = sizeof...(X);
  for (std::size_t i = 0; i < n; ++i)
    if (!arrays[i] && !(i > 1 && i + 1 == n && integers[i])) return false;
  return n > 1 && (sharded_like<X> || ...);
}

template<class X>
using joined_operand = std::conditional_t<std::integral<std::remove_cvref_t<X>>, bool, local_operand_t<X>>;

/// join(nodes, dtype, axis) of arrays, and perhaps an axis behind them.
template<class Join, class... X>
auto joined(const Join& join, const X&... arguments) {
  using V = dtype_t<gparray::detail::common_dtype<joined_operand<X>...>()>;
  std::vector<node_ptr> arrays;
  int axis = 0;
  const auto take = [&](const auto& argument) {
    if constexpr (std::integral<std::remove_cvref_t<decltype(argument)>>) axis = static_cast<int>(argument);
    else arrays.push_back(node_of_operand(argument));
  };
  (take(arguments), ...);
  return sharded<V>(join(arrays, dtype_of<V>, axis));
}

}  // namespace distributed::detail

/// The axes of a sharded array in reverse order, each cut as it was: nothing is sent.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto transpose(const A& a) {
  return distributed::detail::sharded_of<A>(distributed::detail::transposed(a.state(), {}));
}
/// An array whose axis i is axis axes[i] of `a`, each cut as it was: nothing is sent. Throws value_error
/// unless `axes` is a permutation, axis_error for an axis that `a` does not have.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto transpose(const A& a, const dims& axes) {
  return distributed::detail::sharded_of<A>(distributed::detail::transposed(a.state(), axes));
}

/// `a` with two axes exchanged, each cut as it was: nothing is sent. Throws axis_error.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto swapaxes(const A& a, int axis1, int axis2) {
  return distributed::detail::sharded_of<A>(distributed::detail::swapped_axes(a.state(), axis1, axis2));
}
/// `a` with the axes `source` at the positions `destination`, each cut as it was: nothing is sent. The others
/// keep their order. Throws value_error unless both are as many and each axis occurs once, axis_error.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto moveaxis(const A& a, const dims& source, const dims& destination) {
  return distributed::detail::sharded_of<A>(distributed::detail::moved_axes(a.state(), source, destination));
}

/// The elements of `a` in C order in another shape, cut along its first axis. One size may be -1, which is
/// then computed. Throws value_error if the sizes do not fit, and unless `a` is cut along its first axis
/// alone.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto reshape(const A& a, const dims& shape) {
  return a.reshape(shape);
}
/// The elements of `a` in C order as a vector. Throws value_error unless it is cut along its first axis
/// alone.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto ravel(const A& a) {
  return a.reshape(dims{-1});
}

/// The elements of `a` shifted cyclically along one axis or several, in the layout of `a`: of an axis that is
/// cut each rank sends what leaves its block. Shifts and axes are one for one. Throws axis_error,
/// value_error.
template<distributed::detail::sharded_like A, detail::axes_like D>
[[nodiscard]] auto roll(const A& a, const dims& shift, const D& axis) {
  return distributed::detail::sharded_of<A>(distributed::detail::rolled(a.state(), shift, dims(axis)));
}
template<distributed::detail::sharded_like A>
[[nodiscard]] auto roll(const A& a, const dims& shift, const detail::axis_list& axes) {
  return roll(a, shift, dims(axes));
}
/// The elements of `a` shifted cyclically in C order over all axes. Throws value_error unless it is cut along
/// its first axis alone.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto roll(const A& a, std::int64_t shift) {
  return roll(ravel(a), dims{shift}, 0).reshape(a.shape());
}

/// The elements of `a` in reverse order along all axes, or along those given, in the layout of `a`.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto flip(const A& a) {
  return distributed::detail::sharded_of<A>(distributed::detail::flipped(a.state(), nullptr));
}
template<distributed::detail::sharded_like A, detail::axes_like D>
[[nodiscard]] auto flip(const A& a, const D& axes) {
  const dims list(axes);
  return distributed::detail::sharded_of<A>(distributed::detail::flipped(a.state(), &list));
}
template<distributed::detail::sharded_like A>
[[nodiscard]] auto flip(const A& a, const detail::axis_list& axes) {
  return flip(a, dims(axes));
}

/// The arrays one behind the other along an existing axis, the last argument (0 without one), in the layout
/// of the first that is sharded: an axis that is cut gets even blocks. Some may be ndarrays that are the same
/// on all ranks. Dtypes promote. Throws value_error if shapes differ along another axis, axis_error.
template<class... X>
  requires(distributed::detail::joinable<X...>())
[[nodiscard]] auto concatenate(const X&... arguments) {
  return distributed::detail::joined(distributed::detail::concatenated, arguments...);
}
/// The arrays, of one shape, side by side along a new axis, the last argument (0 without one), which no rank
/// has a part of; in the layout of the first that is sharded. Some may be ndarrays that are the same on all
/// ranks. Dtypes promote. Throws value_error if shapes differ, axis_error.
template<class... X>
  requires(distributed::detail::joinable<X...>())
[[nodiscard]] auto stack(const X&... arguments) {
  return distributed::detail::joined(distributed::detail::stacked, arguments...);
}

/// `a` with a border around it, as of ndarrays: of constants, or by the modes "edge", "reflect", "symmetric"
/// and "wrap", with the reflect_type "even"; axes that are cut and grow get even blocks. Throws value_error
/// for negative widths and other modes.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto pad(const A& a, const detail::per_side<std::int64_t>& width,
                       std::string_view mode = "constant", const pad_options& options = {}) {
  return distributed::detail::sharded_of<A>(distributed::detail::padded(a.state(), width, mode, options));
}

namespace fft {

/// The element of frequency 0 in the middle, at index n / 2, of all axes or of those given, in the layout of
/// `a`.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto fftshift(const A& a) {
  return distributed::detail::sharded_of<A>(distributed::detail::shifted_spectrum(a.state(), nullptr, false));
}
template<distributed::detail::sharded_like A, detail::axes_like D>
[[nodiscard]] auto fftshift(const A& a, const D& axes) {
  const dims list(axes);
  return distributed::detail::sharded_of<A>(distributed::detail::shifted_spectrum(a.state(), &list, false));
}
/// The inverse of fftshift, which differs from it for odd sizes.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto ifftshift(const A& a) {
  return distributed::detail::sharded_of<A>(distributed::detail::shifted_spectrum(a.state(), nullptr, true));
}
template<distributed::detail::sharded_like A, detail::axes_like D>
[[nodiscard]] auto ifftshift(const A& a, const D& axes) {
  const dims list(axes);
  return distributed::detail::sharded_of<A>(distributed::detail::shifted_spectrum(a.state(), &list, true));
}

}  // namespace fft

GPARRAY_END_NAMESPACE
