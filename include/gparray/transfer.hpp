// Moving arrays between host and device memory and between devices. Nothing moves unless one of these is
// called.
//
// Copies are enqueued on the current stream of the GPU concerned, or on `stream`. They return at once if the
// host side is pinned or mapped memory: synchronise the stream before the CPU reads the result or changes the
// source. With pageable memory they return when the source may be changed, and on the way to the host when
// the data is there. Arrays may be dropped at any time. Work on another stream than the one that made an
// array must be ordered by the caller (stream.wait).
#pragma once
#include <optional>

#include <gparray/creation.hpp>
#include <gparray/stream.hpp>
#include <gparray/ufuncs.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

inline const stream_view* stream_of(const std::optional<stream_view>& s) { return s ? &*s : nullptr; }

}  // namespace detail

/// Keyword arguments of asnumpy.
struct asnumpy_options {
  std::optional<stream_view> stream = {};  ///< instead of the current one
  any_array out = {};  ///< host memory to copy to; pinned memory makes the copy asynchronous
};

/// The array in host memory. An array that is there already is returned as it is; else a new C-contiguous
/// one, or `out`. Throws value_error or type_error if the shape or dtype of `out` differs, device_error if it
/// is not in host memory or the stream is of neither device.
template<array_like A>
ndarray<detail::element_t<A>> asnumpy(const A& a, const asnumpy_options& options = {}) {
  return detail::typed<detail::element_t<A>>(
      detail::to_host(a, detail::stream_of(options.stream), options.out));
}
/// The array in host memory, copied on a stream.
template<array_like A, std::derived_from<stream_view> S>
ndarray<detail::element_t<A>> asnumpy(const A& a, const S& stream, const any_array& out = {}) {
  return detail::typed<detail::element_t<A>>(detail::to_host(a, &stream, out));
}

/// The array on a device: itself if it is there, else a copy of the same layout if it is contiguous, in C
/// order if not. Throws device_error if there is no such device or the stream is of neither.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> to_device(const A& a, device where) {
  return detail::typed<detail::element_t<A>>(detail::to_device(a, where, nullptr));
}
/// The array on a device, copied on a stream.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> to_device(const A& a, device where, const stream_view& stream) {
  return detail::typed<detail::element_t<A>>(detail::to_device(a, where, &stream));
}

/// Keyword arguments of asarray.
struct asarray_options {
  std::optional<stream_view> stream = {};      ///< instead of the current one
  std::optional<gparray::device> device = {};  ///< instead of the default one
};

/// The array itself if it is on the device and has the element type already, else a copy, as of to_device();
/// host arrays go to the default device.
template<class V = void, array_like A>
[[nodiscard]] ndarray<detail::value_or<V, A>> asarray(A&& a, const asarray_options& options = {}) {
  const device where = options.device ? *options.device : default_device();
  const auto converted = detail::as_elements<V>(std::forward<A>(a));
  return detail::typed<detail::value_or<V, A>>(
      detail::to_device(converted, where, detail::stream_of(options.stream)));
}
/// The array on the device of a stream, on which it is copied.
template<class V = void, array_like A, std::derived_from<stream_view> S>
[[nodiscard]] ndarray<detail::value_or<V, A>> asarray(A&& a, const S& stream) {
  return asarray<V>(std::forward<A>(a), asarray_options{.stream = stream, .device = stream.device()});
}
/// A vector of the numbers of a range, on a device and copied on a stream that the options name.
template<class V = void, std::ranges::input_range R>
  requires(!array_like<R> && element<std::ranges::range_value_t<R>>)
[[nodiscard]] auto asarray(const R& values, const asarray_options& options) {
  const device where = options.device ? *options.device : default_device();
  std::optional<stream_guard> on;
  if (options.stream) {
    detail::check_stream("asarray", *options.stream, where, where);
    on.emplace(*options.stream);
  }
  return array<V>(values, {.device = where});
}
template<class V = void, std::ranges::input_range R, std::derived_from<stream_view> S>
  requires(!array_like<R> && element<std::ranges::range_value_t<R>>)
[[nodiscard]] auto asarray(const R& values, const S& stream) {
  return asarray<V>(values, asarray_options{.stream = stream, .device = stream.device()});
}

/// Keyword arguments of copyto.
struct copyto_options {
  any_array where = {};  ///< bool, broadcast to the target: elements elsewhere keep what they have
  std::optional<stream_view> stream = {};  ///< instead of the current one
};

/// Writes the elements of `src` to `dst`, broadcast and converted, across devices, dtypes and layouts.
/// Overlap within one device is handled. Throws value_error if `src` does not broadcast to `dst`,
/// device_error if the stream is of neither device.
template<array_like D, operand_like X>
void copyto(D&& dst, X&& src, const copyto_options& options = {}) {
  using V = detail::element_t<D>;
  if constexpr (array_like<X>)
    static_assert(can_cast(dtype_of<detail::element_t<X>>, dtype_of<V>, casting::same_kind),
                  "copyto: the dtype does not cast by the same_kind rule; convert with astype");
  detail::copy_to(dst, detail::make_argument<V>(src), options.where, detail::stream_of(options.stream));
}
/// Writes the elements of `src` to `dst` on a stream.
template<array_like D, operand_like X, std::derived_from<stream_view> S>
void copyto(D&& dst, X&& src, const S& stream) {
  copyto(std::forward<D>(dst), std::forward<X>(src), copyto_options{.stream = stream});
}

/// A new array in a kind of memory, not initialised. Pinned and mapped arrays are the CPU's, device and
/// managed ones those of the default device, or of the first GPU. Throws device_error if there is no such
/// memory.
template<element V>
[[nodiscard]] ndarray<V> empty_in(memory_space space, const dims& shape) {
  const device d = default_device();
  const bool gpu = space == memory_space::device || space == memory_space::managed;
  return detail::typed<V>(detail::empty(shape, dtype_of<V>, order::C, space,
                                        !gpu          ? device::cpu()
                                        : d.is_cuda() ? d
                                                      : device::cuda()));
}

/// A new array of the CPU in page-locked memory, not initialised. A GPU copies to and from it at full speed
/// and asynchronously. Throws device_error without a GPU.
template<element V>
[[nodiscard]] ndarray<V> empty_pinned(const dims& shape) {
  return empty_in<V>(memory_space::pinned, shape);
}
/// A new array of zeros of the CPU in page-locked memory. Throws device_error without a GPU.
template<element V>
[[nodiscard]] ndarray<V> zeros_pinned(const dims& shape) {
  ndarray<V> a = empty_pinned<V>(shape);
  a.fill(V());
  return a;
}
/// A new array of the CPU in page-locked memory of the shape and dtype of `a`, not initialised. Throws
/// device_error without a GPU.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> empty_like_pinned(const A& a) {
  return empty_pinned<detail::element_t<A>>(a.shape());
}
/// A new array of zeros of the CPU in page-locked memory of the shape and dtype of `a`. Throws device_error
/// without a GPU.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> zeros_like_pinned(const A& a) {
  return zeros_pinned<detail::element_t<A>>(a.shape());
}

GPARRAY_END_NAMESPACE
