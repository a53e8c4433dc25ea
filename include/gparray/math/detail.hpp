// The way from numeric.hpp into the library.
#pragma once
#include <gparray/array/any_array.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

GPARRAY_API any_array diff(const any_array& a, int n, int axis, const any_array& prepend,
                           const any_array& append);
GPARRAY_API any_array ediff1d(const any_array& a, const any_array& to_end, const any_array& to_begin);
/// weights as a view that broadcasts with a. Throws type_error, value_error with NumPy's texts.
GPARRAY_API any_array align_weights(const any_array& a, const any_array& weights, const dims* axes);
[[noreturn]] GPARRAY_API void throw_zero_weights();
[[noreturn]] GPARRAY_API void throw_cumulative_axis();
[[noreturn]] GPARRAY_API void throw_no_initial_extreme();

}  // namespace detail
GPARRAY_END_NAMESPACE
