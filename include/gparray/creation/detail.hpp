// The way from creation.hpp into the library.
#pragma once
#include <span>
#include <vector>

#include <gparray/creation/options.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

GPARRAY_API any_array create(const dims& shape, dtype type, const array_options& options);
GPARRAY_API any_array create_zeros(const dims& shape, dtype type, const array_options& options);
GPARRAY_API any_array create_full(const dims& shape, dtype type, const array_options& options,
                                  const argument& value);
GPARRAY_API any_array create_like(const any_array& a, dtype type, const like_options& options);
GPARRAY_API any_array create_like(const any_array& a, dtype type, const like_options& options,
                                  const argument& value);
GPARRAY_API any_array create_copy(const any_array& a, dtype type, const array_options& options);
GPARRAY_API any_array create_from_host(const void* from, const dims& shape, dtype type,
                                       const array_options& options);
GPARRAY_API any_array create_borrowed(void* data, const dims& shape, dtype type, buffer_options options);
/// ceil((stop - start) / step), at least 0. Throws value_error for a step of 0 or a length that is no number.
GPARRAY_API std::int64_t arange_length(std::int64_t start, std::int64_t stop, std::int64_t step);
GPARRAY_API std::int64_t arange_length(double start, double stop, double step);
/// first + i * delta, computed in their dtype and converted.
GPARRAY_API any_array arange(std::int64_t length, dtype type, const argument& first, const argument& delta,
                             const array_options& options);
/// `compute` is the inexact dtype of the arithmetic. With a base, base to the power of the samples.
GPARRAY_API any_array linspace(const argument& start, const argument& stop, std::int64_t num, dtype compute,
                               dtype type, const linspace_options& options, const double* base = nullptr);
GPARRAY_API any_array geomspace(const argument& start, const argument& stop, std::int64_t num, dtype compute,
                                dtype type, const linspace_options& options);
/// (stop - start) / intervals, NaN if there are none.
GPARRAY_API any_array linspace_step(const argument& start, const argument& stop, std::int64_t num,
                                    dtype compute, bool endpoint);
GPARRAY_API any_array eye(std::int64_t rows, const slice_end& columns, std::int64_t k, dtype type,
                          const array_options& options);
GPARRAY_API any_array tri(std::int64_t rows, const slice_end& columns, std::int64_t k, dtype type,
                          const array_options& options);
GPARRAY_API any_array triangle(const any_array& a, std::int64_t k, bool lower);
GPARRAY_API any_array diag(const any_array& v, std::int64_t k);
GPARRAY_API any_array diagflat(const any_array& v, std::int64_t k);
GPARRAY_API std::vector<any_array> meshgrid(std::span<const any_array> axes, const meshgrid_options& options);
GPARRAY_API any_array indices(const dims& shape, dtype type, const array_options& options);
GPARRAY_API any_array vander(const any_array& x, const slice_end& columns, bool increasing, dtype type);
/// x**0, x**1, ... x**degree along a new first axis, each the product of the one before and x.
GPARRAY_API any_array power_rows(const any_array& x, int degree);

}  // namespace detail
GPARRAY_END_NAMESPACE
