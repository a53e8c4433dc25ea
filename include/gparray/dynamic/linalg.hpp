// Products, linear algebra and Fourier transforms of arrays whose dtypes are known at run time.
#pragma once
#include <array>

#include <gparray/dynamic/operand.hpp>
#include <gparray/fft/detail.hpp>
#include <gparray/linalg.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace dynamic {

// The dtype of a product is what the operands promote to.

/// The matrix product of the last two axes; the axes before them broadcast.
[[nodiscard]] GPARRAY_API any_array matmul(const any_array& a, const any_array& b);
/// The dot products sum(conj(a) * b) of vectors along one axis; the other axes broadcast.
[[nodiscard]] GPARRAY_API any_array vecdot(const any_array& a, const any_array& b, int axis = -1);
/// The sums of products over the last `axes` axes of a and as many first axes of b.
[[nodiscard]] GPARRAY_API any_array tensordot(const any_array& a, const any_array& b, int axes = 2);
/// The sums of products over pairs of axes.
[[nodiscard]] GPARRAY_API any_array tensordot(const any_array& a, const any_array& b, const dims& axes_a,
                                              const dims& axes_b);
/// The products result[i, j] = a[i] * b[j] of two flattened arrays.
[[nodiscard]] GPARRAY_API any_array outer(const any_array& a, const any_array& b);
/// A read-only view of the diagonals of two axes, as the last axis of the result.
[[nodiscard]] inline any_array diagonal(const any_array& a, std::int64_t offset = 0, int axis1 = 0,
                                        int axis2 = 1) {
  return detail::diagonal(a, offset, axis1, axis2);
}

/// Of arrays whose dtypes are known at run time: matrices are the last two axes, those before are batches.
/// Integers and bool become float64; float16 and bfloat16 are a type_error.
namespace linalg {

/// The cross products of vectors of three elements along an axis. Throws value_error for other sizes,
/// type_error for bool.
[[nodiscard]] GPARRAY_API any_array cross(const any_array& a, const any_array& b, int axis = -1);
/// The Cholesky factor of positive definite matrices. Throws linalg_error for others.
[[nodiscard]] GPARRAY_API any_array cholesky(const any_array& a, bool upper = false);
/// The determinants of square matrices.
[[nodiscard]] GPARRAY_API any_array det(const any_array& a);
/// The signs of determinants, and the logarithms of their magnitudes.
[[nodiscard]] GPARRAY_API std::array<any_array, 2> slogdet(const any_array& a);
/// The eigenvalues, ascending, and the eigenvectors of Hermitian matrices.
[[nodiscard]] GPARRAY_API std::array<any_array, 2> eigh(const any_array& a, char uplo = 'L');
/// The eigenvalues of Hermitian matrices, ascending.
[[nodiscard]] GPARRAY_API any_array eigvalsh(const any_array& a, char uplo = 'L');
/// The eigenvalues and eigenvectors of square matrices, always complex.
[[nodiscard]] GPARRAY_API std::array<any_array, 2> eig(const any_array& a);
/// The eigenvalues of square matrices, always complex.
[[nodiscard]] GPARRAY_API any_array eigvals(const any_array& a);
/// The inverses of square matrices. Throws linalg_error for singular ones.
[[nodiscard]] GPARRAY_API any_array inv(const any_array& a);
/// The solution x of a x = b. b is a vector if it has one dimension. Throws linalg_error for singular
/// matrices.
[[nodiscard]] GPARRAY_API any_array solve(const any_array& a, const any_array& b);
/// Square matrices to the integer power n.
[[nodiscard]] GPARRAY_API any_array matrix_power(const any_array& a, std::int64_t n);
/// Orthogonal and triangular factors; mode "reduced" or "complete".
[[nodiscard]] GPARRAY_API std::array<any_array, 2> qr(const any_array& a, std::string_view mode = "reduced");
/// The singular value decomposition u, s, vh.
[[nodiscard]] GPARRAY_API std::array<any_array, 3> svd(const any_array& a, bool full_matrices = true);
/// The singular values, descending.
[[nodiscard]] GPARRAY_API any_array svdvals(const any_array& a);
/// The pseudoinverses; singular values up to rtol times the largest count as zero, by default max(M, N) *
/// eps. rtol is a number, or an array of one for each matrix.
[[nodiscard]] GPARRAY_API any_array pinv(const any_array& a, const std::optional<operand>& rtol = {});
/// The numbers of singular values above rtol times the largest, by default max(M, N) * eps.
[[nodiscard]] GPARRAY_API any_array matrix_rank(const any_array& a, const std::optional<operand>& rtol = {});
/// The norms of matrices of an order: a number, "fro" or "nuc".
[[nodiscard]] GPARRAY_API any_array matrix_norm(const any_array& a, const detail::norm_order& ord = "fro",
                                                bool keepdims = false);
/// The norms of vectors of an order along axes, of all elements without axes.
[[nodiscard]] GPARRAY_API any_array vector_norm(const any_array& a, double ord = 2,
                                                const dims* axes = nullptr, bool keepdims = false);

}  // namespace linalg

/// Of arrays whose dtypes are known at run time: see gparray::fft.
namespace fft {

/// The transforms: fft, ifft, rfft, irfft, hfft, ihfft.
using function = detail::fft_function;

/// A transform along one axis. Throws type_error for complex elements where real ones are transformed.
[[nodiscard]] GPARRAY_API any_array transform(function f, const any_array& a,
                                              const gparray::fft::options& options = {});
/// A transform along several axes, of rfft and irfft real ones along the last of them.
[[nodiscard]] GPARRAY_API any_array transform_nd(function f, const any_array& a,
                                                 const gparray::fft::options_nd& options = {});
/// The frequencies (float64) that belong to the elements of fft of n samples at distances d, or, where `half`
/// is true, to those of rfft. Throws value_error for n below 1.
[[nodiscard]] inline any_array frequencies(std::int64_t n, double d, bool half,
                                           device where = default_device()) {
  return detail::fft_frequencies(n, d, half, where);
}
/// A copy with the element of frequency 0 in the middle of axes; the inverse moves it back.
[[nodiscard]] inline any_array shift(const any_array& a, const detail::optional_dims& axes = none,
                                     bool inverse = false) {
  return detail::fft_shift(a, axes, inverse);
}

}  // namespace fft

}  // namespace dynamic

GPARRAY_END_NAMESPACE
