// The way from reductions.hpp, and from the sums of numeric.hpp, into the library.
#pragma once
#include <gparray/reduction/options.hpp>
#include <gparray/tables/reduction_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// The reduction of `source`, converted to `element` first, over the axes (all for nullptr); it may be
/// pending.
GPARRAY_API any_array reduce_later(reduction r, const argument& source, dtype element, const dims* axes,
                                   const reduction_options& options);
/// The same, computed.
GPARRAY_API any_array reduce(reduction r, const argument& source, dtype element, const dims* axes,
                             const reduction_options& options);

/// The two results of a reduction that has two, and the number of elements behind each.
struct result_pair {
  any_array first, second;
  std::int64_t count;
};

GPARRAY_API result_pair reduce_pair(reduction r, const argument& source, dtype element, const dims* axes,
                                    bool keepdims, double ddof);

GPARRAY_API any_array cumulate(reduction op, const argument& source, dtype type, slice_end axis,
                               bool include_initial = false);
/// The scans of maximum, minimum, fmax, fmin, logical and bitwise functions; the result has the dtype.
GPARRAY_API any_array accumulate(ufunc op, const argument& source, dtype type, slice_end axis);

}  // namespace detail
GPARRAY_END_NAMESPACE
