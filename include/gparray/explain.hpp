// How an expression will be computed, as text.
#pragma once
#include <string>

#include <gparray/reductions.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

GPARRAY_API std::string explain(const any_array& a);
GPARRAY_API std::string explain(const any_array& a, reduction r, const dims* axes);

}  // namespace detail

/// The plan of an expression that has not been computed: its operands with dtype, strides and kind of access,
/// its steps, and its dimensions after merging; then what carries it out on its device, and what became of
/// that so far; then, in builds with CUDA, the kernel that is generated for it on a GPU (for an assumed
/// architecture, if there is no GPU). For reading, not for parsing: the text changes between versions.
///
///   fmt::print("{}\n", gp::explain(gp::sin(a) * 2.f + b));
///
/// Computes nothing, compiles nothing, waits for nothing. Not for what `a` is made of: named arrays in it
/// were computed when it was built.
template<array_like A>
[[nodiscard]] std::string explain(A&& a) {
  return detail::explain(a);
}

/// The plan of a reduction of an expression over all axes, or over some: explain(x - y, gp::reduction::norm).
/// Throws as the reduction does.
template<array_like A>
[[nodiscard]] std::string explain(A&& a, reduction r) {
  return detail::explain(a, r, nullptr);
}
template<array_like A, detail::axes_like D>
[[nodiscard]] std::string explain(A&& a, reduction r, const D& axis) {
  const dims axes(axis);
  return detail::explain(a, r, &axes);
}
template<array_like A>
[[nodiscard]] std::string explain(A&& a, reduction r, std::initializer_list<std::int64_t> axis) {
  return explain(std::forward<A>(a), r, dims(axis));
}

GPARRAY_END_NAMESPACE
