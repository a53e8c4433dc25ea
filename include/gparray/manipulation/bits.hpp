// Bits packed into bytes, and numbers spelled in other bases.
#pragma once
#include <string>

#include <gparray/manipulation/joining.hpp>
#include <gparray/ufunc/operators.hpp>

GPARRAY_BEGIN_NAMESPACE

struct bits_options {
  detail::slice_end axis = none;
  /// "big": the first of eight is the highest bit of the byte; "little": the lowest.
  std::string_view bitorder = "big";
};
struct unpackbits_options {
  detail::slice_end axis = none;
  /// How many bits to keep; negative: how many to leave out at the end.
  detail::slice_end count = none;
  std::string_view bitorder = "big";
};

namespace detail {
GPARRAY_API any_array packbits(const any_array& flags, const bits_options& options);
GPARRAY_API any_array unpackbits(const any_array& bytes, const unpackbits_options& options);
}  // namespace detail

/// Elements that are not zero as the bits of bytes, eight along the axis (none: of the flattened array) in
/// each; the last byte is filled up with zeros. Throws value_error for an unknown bitorder, axis_error.
template<array_like A>
  requires std::is_integral_v<detail::element_t<A>>
auto packbits(const A& a, const bits_options& options = {}) {
  return detail::typed<std::uint8_t>(detail::packbits(a != detail::element_t<A>(0), options));
}
/// The inverse: an axis eight times as long.
template<array_like A>
  requires std::same_as<detail::element_t<A>, std::uint8_t>
auto unpackbits(const A& a, const unpackbits_options& options = {}) {
  return detail::typed<std::uint8_t>(detail::unpackbits(a, options));
}

/// A number in base 2: "-101", or with a width two's complement of so many digits. Throws value_error if it
/// needs more.
GPARRAY_API std::string binary_repr(std::int64_t number, std::optional<int> width = {});
/// A number in a base from 2 to 36, with so many zeros in front. Throws value_error for another base.
GPARRAY_API std::string base_repr(std::int64_t number, int base = 2, int padding = 0);

GPARRAY_END_NAMESPACE
