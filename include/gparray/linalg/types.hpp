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

/// Returns up to how many rows and columns one matrix on a GPU is copied to the host and factored by LAPACK
/// there, which takes less time for small matrices: 128 unless set_host_limit() says otherwise. The limit
/// holds for svd, eig and what is made of them; for solve it is 1.5 times (complex matrices: once), for eigh
/// 0.875 times (complex matrices: 0.5 times) as many.
[[nodiscard]] GPARRAY_API std::int64_t host_limit() noexcept;
/// Sets host_limit() for all threads; with 0 every matrix stays on the GPU. Throws value_error for a negative
/// size.
GPARRAY_API void set_host_limit(std::int64_t size);

}  // namespace linalg

GPARRAY_END_NAMESPACE
