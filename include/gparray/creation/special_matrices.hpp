// SciPy's scipy.linalg matrices of a known form, and what goes with them.
#pragma once
#include <string>

#include <gparray/indexing.hpp>
#include <gparray/manipulation/joining.hpp>
#include <gparray/numeric.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

[[noreturn]] GPARRAY_API void throw_matrix(std::string_view why);
// They throw value_error with SciPy's text.
GPARRAY_API void check_leslie(const any_array& f, const any_array& s);
GPARRAY_API void check_khatri_rao(const any_array& a, const any_array& b);
/// The first and the last number of a sum that a convolution with n elements keeps.
GPARRAY_API std::pair<std::int64_t, std::int64_t> convolution_rows(const any_array& a, std::int64_t n,
                                                                   std::string_view mode);

// Functions that are no templates stand in the library, where they cost no program time to compile.

/// The numbers of rows as a column, of columns as a row.
GPARRAY_API ndarray<std::int64_t> row_numbers(std::int64_t n, device on_device);
GPARRAY_API ndarray<std::int64_t> column_numbers(std::int64_t n, device on_device);
/// 1 or -1.
GPARRAY_API any_array hadamard(std::int64_t n, const array_options& options);

/// values[i + j] or values[i - j + columns - 1] in row i, column j: constant along antidiagonals and
/// diagonals.
template<element V>
ndarray<V> along_antidiagonals(const ndarray<V>& values, std::int64_t rows, std::int64_t columns) {
  const std::int64_t step = sizeof(V);
  return as_strided(ascontiguousarray(values), {rows, columns}, {step, step}).copy(order::C);
}
template<element V>
ndarray<V> along_diagonals(const ndarray<V>& values, std::int64_t rows, std::int64_t columns) {
  if (rows == 0 || columns == 0) return zeros<V>({rows, columns}, {.device = values.device()});
  // From behind, so that rows are read forwards.
  const ndarray<V> from_behind = flip(values(slice(none, rows + columns - 1))).copy();
  const std::int64_t step = sizeof(V);
  return as_strided(from_behind(slice(rows - 1, none)), {rows, columns}, {-step, step}).copy(order::C);
}

}  // namespace detail

namespace linalg {

// Vectors are flattened arrays; matrices lie on their device, those made from numbers on the default device
// or the one given.

/// The Toeplitz matrix, which is constant along its diagonals, with `c` as its first column and `across` as
/// its first row; across(0) is not looked at.
template<array_like C, array_like R>
[[nodiscard]] auto toeplitz(const C& c, const R& across) {
  using V = result_type_t<detail::element_t<C>, detail::element_t<R>>;
  const ndarray<V> column = detail::as_elements<V>(c.ravel()), row = detail::as_elements<V>(across.ravel());
  const ndarray<V> all = concatenate(flip(row(slice(1, none))), column);
  return detail::along_diagonals(all, column.size(), row.size());
}
/// The Hermitian (for real numbers symmetric) Toeplitz matrix with `c` as its first column and conj(c) as its
/// first row.
template<array_like C>
[[nodiscard]] auto toeplitz(const C& c) {
  return toeplitz(c, ndarray<detail::element_t<C>>(conjugate(c)));
}
/// The circulant matrix with `c` as its first column; each column is the one before it, shifted down
/// cyclically by one.
template<array_like C>
[[nodiscard]] auto circulant(const C& c) {
  using V = detail::element_t<C>;
  const ndarray<V> column = c.ravel();
  const std::int64_t n = column.size();
  return n == 0 ? zeros<V>({0, 0}, {.device = c.device()})
                : detail::along_diagonals(concatenate(column(slice(1, none)), column), n, n);
}
/// The Hankel matrix, which is constant along its antidiagonals, with `c` as its first column and `across` as
/// its last row; across(0) is not looked at.
template<array_like C, array_like R>
[[nodiscard]] auto hankel(const C& c, const R& across) {
  using V = result_type_t<detail::element_t<C>, detail::element_t<R>>;
  const ndarray<V> column = detail::as_elements<V>(c.ravel()), row = detail::as_elements<V>(across.ravel());
  return detail::along_antidiagonals<V>(concatenate(column, row(slice(1, none))), column.size(), row.size());
}
/// The Hankel matrix with `c` as its first column and zeros below the antidiagonal.
template<array_like C>
[[nodiscard]] auto hankel(const C& c) {
  return hankel(c, zeros_like(c));
}
/// The Hadamard matrix of n rows by Sylvester's construction: -1 to the power of the number of bits that row
/// and column number have in common. Throws value_error unless `n` is a power of 2.
template<element V = std::int64_t>
[[nodiscard]] ndarray<V> hadamard(std::int64_t n, const array_options& options = {}) {
  return detail::as_elements<V>(detail::typed<std::int64_t>(detail::hadamard(n, options)));
}
/// The Helmert matrix, which is orthogonal: its first row is constant, and row i compares element i with
/// those before it. The first row is left out unless `full`. Throws value_error for n < 1.
[[nodiscard]] GPARRAY_API ndarray<double> helmert(std::int64_t n, bool full = false,
                                                  const array_options& options = {});
/// The Hilbert matrix of n rows, whose elements are 1 / (i + j + 1).
[[nodiscard]] GPARRAY_API ndarray<double> hilbert(std::int64_t n, const array_options& options = {});
/// The Fiedler matrix of a vector, whose elements are |a[i] - a[j]|.
template<array_like A>
[[nodiscard]] auto fiedler(const A& a) {
  const ndarray<detail::element_t<A>> v = a.ravel();
  return ndarray<detail::element_t<decltype(absolute(v))>>(absolute(v(all_t{}, newaxis) - v));
}
/// The Leslie matrix of a population model, with the fecundities `f` in its first row and the survival rates
/// `s` below the diagonal. Throws value_error unless both are vectors and `f` has one element more.
template<array_like F, array_like S>
[[nodiscard]] auto leslie(const F& f, const S& s) {
  using V = result_type_t<detail::element_t<F>, detail::element_t<S>>;
  detail::check_leslie(f, s);
  const ndarray<V> matrix = diag(detail::as_elements<V>(s), -1);
  matrix(0) = detail::as_elements<V>(f);
  return matrix;
}
/// The companion matrix of a polynomial, whose eigenvalues are the roots. Throws value_error unless `a` is a
/// vector of two or more coefficients of which the first is not zero.
template<array_like A>
[[nodiscard]] auto companion(const A& a) {
  using V = detail::inexact_t<A>;
  if (a.ndim() != 1) detail::throw_matrix("Incorrect shape for `a`. `a` must be one-dimensional.");
  if (a.size() < 2) detail::throw_matrix("The length of `a` along the last axis must be at least 2.");
  const ndarray<V> p = detail::as_elements<V>(a);
  if (p.item(0) == V(0))
    detail::throw_matrix("The first coefficient(s) of `a` (i.e. elements of `a[..., 0]`) must not be zero.");
  const std::int64_t n = p.size() - 1;
  const ndarray<V> matrix = eye<V>(n, none, -1, {.device = p.device()});
  matrix(0) = -p(slice(1, none)) / p(0);
  return matrix;
}
/// Fiedler's companion matrix of a polynomial, which has five diagonals and the roots as its eigenvalues.
/// Throws value_error unless `a` is a vector whose first coefficient is not zero.
template<array_like A>
[[nodiscard]] auto fiedler_companion(const A& a) {
  using V = detail::inexact_t<A>;
  if (a.ndim() != 1) detail::throw_matrix("Input `a` must be 1-dimensional.");
  const array_options there{.device = a.device()};
  if (a.size() < 2) return ndarray<V>(zeros<V>(0, there));
  const ndarray<V> given = detail::as_elements<V>(a);
  if (given.item(0) == V(0)) detail::throw_matrix("Leading coefficient is zero.");
  const ndarray<V> p = given / given(0);
  const std::int64_t n = p.size() - 1;
  const ndarray<V> c = zeros<V>({n, n}, there);
  if (n == 1) return ndarray<V>(-p(slice(1, none)).reshape({1, 1}));
  // Ones and coefficients take turns below the main diagonal, and above it: in every second row.
  const ndarray<V> elements = c.reshape(n * n);
  const auto in_rows = [&](std::int64_t first, std::int64_t end) { return slice(first, end, 2 * (n + 1)); };
  elements(in_rows(2 * n + 1, n * n)) = -p(slice(3, none, 2));
  elements(in_rows(3 * n + 1, n * n)) = 1;
  elements(in_rows(1, (n - 1) * n)) = -p(slice(2, none, 2));
  elements(in_rows(2, (n - 2) * n)) = 1;
  c(0, 0) = -p(1);
  c(1, 0) = 1;
  return c;
}
/// The matrix whose product with a vector v of n elements is convolve(a, v, mode). Throws value_error for n <
/// 1, an empty `a` and another mode.
template<array_like A>
[[nodiscard]] auto convolution_matrix(const A& a, std::int64_t n, std::string_view mode = "full") {
  using V = detail::element_t<A>;
  const auto [first, last] = detail::convolution_rows(a, n, mode);
  const array_options there{.device = a.device()};
  const ndarray<V> padded = concatenate(zeros<V>(n - 1, there), ndarray<V>(a), zeros<V>(n - 1, there));
  return detail::along_diagonals<V>(padded(slice(first, none)), last - first, n);
}
/// The matrix of the discrete Fourier transform, whose elements are exp(-2 pi i j k / n). Throws value_error
/// for an unknown scale.
[[nodiscard]] GPARRAY_API ndarray<std::complex<double>> dft(std::int64_t n, std::string_view scale = "",
                                                            const array_options& options = {});
/// The Khatri-Rao product: the Kronecker product of each column of `a` with the same column of `b`. Throws
/// value_error unless both have two dimensions or more and as many columns.
template<array_like A, array_like B>
[[nodiscard]] auto khatri_rao(const A& a, const B& b) {
  using V = result_type_t<detail::element_t<A>, detail::element_t<B>>;
  detail::check_khatri_rao(a, b);
  const ndarray<V> product = a(ellipsis, all_t{}, newaxis, all_t{}) * b(ellipsis, newaxis, all_t{}, all_t{});
  dims shape = product.shape();
  shape.resize(shape.size() - 2);
  shape[shape.size() - 1] = a.shape(-2) * b.shape(-2);
  shape.push_back(a.shape(-1));
  return product.reshape(shape);
}
/// The block-diagonal matrix of matrices, with zeros elsewhere; vectors are rows. Throws value_error for more
/// than two dimensions.
template<array_like... A>
[[nodiscard]] auto block_diag(const A&... blocks) {
  using V = result_type_t<detail::element_t<A>...>;
  const std::vector<ndarray<V>> list{detail::as_elements<V>(atleast_2d(blocks))...};
  std::int64_t rows = 0, columns = 0;
  for (const ndarray<V>& b : list) {
    if (b.ndim() != 2)
      detail::throw_matrix("arguments in the following positions have dimension greater than 2");
    rows += b.shape(0);
    columns += b.shape(1);
  }
  const ndarray<V> result = zeros<V>({rows, columns}, {.device = list[0].device()});
  std::int64_t row = 0, column = 0;
  for (const ndarray<V>& b : list) {
    result(slice(row, row + b.shape(0)), slice(column, column + b.shape(1))) = b;
    row += b.shape(0);
    column += b.shape(1);
  }
  return result;
}

/// What bandwidth returns.
struct bandwidth_result {
  /// The number of diagonals below the main one.
  std::int64_t lower;
  /// The number of diagonals above the main one.
  std::int64_t upper;
};
/// How many diagonals below and above the main one a matrix has up to the last one that is not all zeros.
/// Throws value_error unless `a` is a matrix.
template<array_like A>
[[nodiscard]] bandwidth_result bandwidth(const A& a) {
  if (a.ndim() != 2) detail::throw_matrix("Input array must be a 2D array.");
  if (a.size() == 0) return {0, 0};
  // A look at two corners costs a CPU nothing, and tells all of most matrices.
  const detail::element_t<A> zero(0);
  if (a.device().is_cpu() && a.item(a.shape(0) - 1, 0) != zero && a.item(0, a.shape(1) - 1) != zero)
    return {a.shape(0) - 1, a.shape(1) - 1};
  const auto below =
      detail::row_numbers(a.shape(0), a.device()) - detail::column_numbers(a.shape(1), a.device());
  const ndarray<std::int64_t> distance = where(a != zero, below, 0);
  return {std::max<std::int64_t>(0, max(distance).item()), std::max<std::int64_t>(0, -min(distance).item())};
}

}  // namespace linalg

GPARRAY_END_NAMESPACE
