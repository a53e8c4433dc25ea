// Keyword arguments of Fourier transforms.
#pragma once
#include <string_view>

#include <gparray/indexing/index.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// A list of sizes or axes, or none. Not one number: {8, 8} would be options, too.
struct optional_dims {
  optional_dims(none_t) : given(false) {}
  optional_dims(std::initializer_list<std::int64_t> list) : value(list) {}
  template<class D>
    requires(std::convertible_to<D, dims> && !std::integral<D>)
  optional_dims(const D& list) : value(list) {}

  dims value;
  bool given = true;
};

}  // namespace detail

namespace fft {

/// NumPy's keyword arguments of transforms along one axis.
struct options {
  /// The length: the axis is cropped to it, or padded with zeros at its end; gp::none is the whole axis.
  detail::slice_end n = none;
  /// The axis to transform, counted from the end if negative.
  int axis = -1;
  /// "backward" divides the inverse transform by n, "forward" the forward transform, "ortho" both by sqrt(n).
  std::string_view norm = "backward";
};

/// NumPy's keyword arguments of transforms along two axes.
struct options_2d {
  /// The lengths of the axes, which are cropped or padded with zeros at their ends; -1 is a whole axis,
  /// gp::none all whole axes.
  detail::optional_dims s = none;
  /// The axes to transform, the last two by default.
  detail::optional_dims axes = {-2, -1};
  /// "backward" divides the inverse transform by n, "forward" the forward transform, "ortho" both by sqrt(n).
  std::string_view norm = "backward";
};

/// NumPy's keyword arguments of transforms along several axes.
struct options_nd {
  /// The lengths of the axes, which are cropped or padded with zeros at their ends; -1 is a whole axis,
  /// gp::none all whole axes.
  detail::optional_dims s = none;
  /// The axes to transform; gp::none are the last s.size() axes, or all if s is not given. An axis may occur
  /// twice.
  detail::optional_dims axes = none;
  /// "backward" divides the inverse transform by n, "forward" the forward transform, "ortho" both by sqrt(n).
  std::string_view norm = "backward";
};

}  // namespace fft
GPARRAY_END_NAMESPACE
