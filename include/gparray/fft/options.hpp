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
  detail::slice_end n = none;
  int axis = -1;
  std::string_view norm = "backward";
};

/// ... along two axes. s may hold -1 for the whole axis.
struct options_2d {
  detail::optional_dims s = none;
  detail::optional_dims axes = {-2, -1};
  std::string_view norm = "backward";
};

/// ... along any. Without axes: the last s.size(), or all. An axis may occur twice.
struct options_nd {
  detail::optional_dims s = none;
  detail::optional_dims axes = none;
  std::string_view norm = "backward";
};

}  // namespace fft
GPARRAY_END_NAMESPACE
