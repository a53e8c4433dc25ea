// The dtypes of numpy.linalg.
#pragma once
#include <array>

#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// What a matrix is factorised in: integers and bool in float64.
constexpr dtype factor_dtype(dtype d) { return is_inexact(d) ? d : dtype::float64; }

/// float16 and bfloat16 are in no LAPACK; NumPy raises TypeError.
template<class A>
concept factorable =
    array_like<A> && !(is_floating(dtype_of<element_t<A>>) && itemsize(dtype_of<element_t<A>>) == 2);

template<factorable... A>
using factor_t = result_type_t<dtype_t<factor_dtype(dtype_of<element_t<A>>)>...>;
template<class V>
using real_t = dtype_t<real_dtype(dtype_of<V>)>;
template<class V>
using complex_t = dtype_t<complex_dtype(dtype_of<V>)>;

template<factorable A>
argument factor_argument(A&& a) {
  return make_argument<element_t<A>>(std::forward<A>(a));
}

}  // namespace detail

namespace linalg {

/// One matrix of few rows and columns that is on a GPU is factored by LAPACK on the host in solve, eigh, eig,
/// svd and what is made of them, which takes less time; the calling thread waits. host_limit() is 128, and
/// rows and columns are few up to
///
///   routine   | real matrices        | complex matrices
///   ----------|----------------------|-------------------
///   solve     | 1.5 * host_limit()   | host_limit()
///   eigh      | 0.875 * host_limit() | 0.5 * host_limit()
///   eig, svd  | host_limit()         | host_limit()
///
/// Batches stay on the GPU; all matrices with a limit of 0.
[[nodiscard]] GPARRAY_API std::int64_t host_limit() noexcept;
/// Throws value_error for a negative size.
GPARRAY_API void set_host_limit(std::int64_t size);

}  // namespace linalg

GPARRAY_END_NAMESPACE
