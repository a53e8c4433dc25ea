// Bits packed into bytes, and numbers spelled in other bases.
#pragma once
#include <string>

#include <gparray/manipulation/joining.hpp>
#include <gparray/ufunc/operators.hpp>

GPARRAY_BEGIN_NAMESPACE

/// Keyword arguments of packbits.
struct bits_options {
  /// The axis along which bits are packed; none flattens first.
  detail::slice_end axis = none;
  /// "big": the first of eight is the highest bit of the byte; "little": the lowest.
  std::string_view bitorder = "big";
};
/// Keyword arguments of unpackbits.
struct unpackbits_options {
  /// The axis along which bits are unpacked; none flattens first.
  detail::slice_end axis = none;
  /// How many bits to keep; negative: how many to leave out at the end.
  detail::slice_end count = none;
  /// "big": the highest bit of a byte comes first; "little": the lowest.
  std::string_view bitorder = "big";
};

namespace detail {
GPARRAY_API any_array packbits(const any_array& flags, const bits_options& options);
GPARRAY_API any_array unpackbits(const any_array& bytes, const unpackbits_options& options);
}  // namespace detail

/// Packs integers or flags as bits, 1 for those that are not zero, eight of them along an axis into each
/// byte; the last byte is filled up with zeros. Throws value_error for an unknown bitorder, axis_error.
template<array_like A>
  requires std::is_integral_v<detail::element_t<A>>
[[nodiscard]] ndarray<std::uint8_t> packbits(const A& a, const bits_options& options = {}) {
  if constexpr (std::same_as<detail::element_t<A>, bool>)
    return detail::typed<std::uint8_t>(detail::packbits(a, options));
  else return detail::typed<std::uint8_t>(detail::packbits(a != detail::element_t<A>(0), options));
}
/// Unpacks bytes into bits, each a uint8 of 0 or 1: the axis becomes eight times as long. Throws value_error
/// for an unknown bitorder, axis_error.
template<array_like A>
  requires std::same_as<detail::element_t<A>, std::uint8_t>
[[nodiscard]] ndarray<std::uint8_t> unpackbits(const A& a, const unpackbits_options& options = {}) {
  return detail::typed<std::uint8_t>(detail::unpackbits(a, options));
}

/// An integer in base 2 as text: with a minus sign if it is negative, or, with a width, as two's complement
/// of that many digits. Throws value_error if the number needs more.
[[nodiscard]] GPARRAY_API std::string binary_repr(std::int64_t number, std::optional<int> width = {});
/// An integer as text in a base from 2 to 36, with `padding` zeros in front. Throws value_error for another
/// base.
[[nodiscard]] GPARRAY_API std::string base_repr(std::int64_t number, int base = 2, int padding = 0);

GPARRAY_END_NAMESPACE
