// Products of sparse matrices, and arithmetic element by element.
#pragma once
#include <gparray/sparse/matrix.hpp>

GPARRAY_BEGIN_NAMESPACE

// Operands promote as arrays do, and must be on one device (device_error). Shapes that do not fit throw
// value_error with SciPy's texts.

namespace detail {

template<class A>
using sparse_element_t = typename std::remove_cvref_t<A>::value_type;
template<class A, class B>
using sparse_product_t = result_type_t<sparse_element_t<A>, sparse_element_t<B>>;
/// The format of what operations on compressed rows or columns give.
template<class A, class V>
using compressed_like = sparse::matrix<V, sparse::compressed(std::remove_cvref_t<A>::format_of)>;

}  // namespace detail

/// The product of a sparse matrix with a vector or a dense matrix: a new array in C order. Products with csr
/// are fastest, on the GPU by cuSPARSE; matrices of other formats but dia are converted for each product.
template<sparse_like A, array_like X>
[[nodiscard]] auto matmul(const A& a, const X& x) {
  using V = detail::sparse_product_t<A, X>;
  return detail::typed<V>(detail::sparse_times_dense(a.parts(), detail::make_argument<V>(x), dtype_of<V>));
}
/// The product of a sparse matrix with a vector or a dense matrix, written to out, which must have the
/// product's shape and dtype, be in C order and not overlap x.
template<sparse_like A, array_like X, array_like O>
  requires std::same_as<detail::sparse_product_t<A, X>, detail::element_t<O>>
O&& matmul(const A& a, const X& x, O&& out) {
  using V = detail::sparse_product_t<A, X>;
  detail::sparse_times_dense(a.parts(), detail::make_argument<V>(x), dtype_of<V>, out);
  return std::forward<O>(out);
}
/// The product of a vector or a dense matrix with a sparse matrix: a new dense array.
template<array_like X, sparse_like A>
[[nodiscard]] auto matmul(const X& x, const A& a) {
  using V = detail::sparse_product_t<X, A>;
  return detail::typed<V>(detail::dense_times_sparse(detail::make_argument<V>(x), a.parts(), dtype_of<V>));
}
/// The product of two sparse matrices: csc if a is, else csr, with sorted indices.
template<sparse_like A, sparse_like B>
[[nodiscard]] detail::compressed_like<A, detail::sparse_product_t<A, B>> matmul(const A& a, const B& b) {
  using V = detail::sparse_product_t<A, B>;
  return {detail::sparse_times_sparse(a.parts(), b.parts(), dtype_of<V>), detail::adopt_t{}};
}
/// The product of two matrices or vectors of which at least one is sparse, as matmul computes it.
template<class A, class B>
  requires(sparse_like<A> || sparse_like<B>)
[[nodiscard]] auto dot(const A& a, const B& b) {
  return matmul(a, b);
}

namespace sparse {

// Sums, differences and so on of two matrices are csc if the first is, else csr, in canonical format and
// without entries that are 0.
#define GPARRAY_SPARSE_COMBINE(name, function)                                                              \
  template<sparse_like A, sparse_like B>                                                                    \
  [[nodiscard]] detail::compressed_like<A, detail::sparse_product_t<A, B>> name(const A& a, const B& b) {   \
    using V = detail::sparse_product_t<A, B>;                                                               \
    return {detail::sparse_combine(ufunc::function, a.parts(), b.parts(), dtype_of<V>), detail::adopt_t{}}; \
  }
GPARRAY_SPARSE_COMBINE(operator+, add)
GPARRAY_SPARSE_COMBINE(operator-, subtract)
#undef GPARRAY_SPARSE_COMBINE

/// The larger of the elements of two matrices at each position.
template<sparse_like A, sparse_like B>
[[nodiscard]] detail::compressed_like<A, detail::sparse_product_t<A, B>> maximum(const A& a, const B& b) {
  using V = detail::sparse_product_t<A, B>;
  return {detail::sparse_combine(ufunc::maximum, a.parts(), b.parts(), dtype_of<V>), detail::adopt_t{}};
}
/// The smaller of the elements of two matrices at each position.
template<sparse_like A, sparse_like B>
[[nodiscard]] detail::compressed_like<A, detail::sparse_product_t<A, B>> minimum(const A& a, const B& b) {
  using V = detail::sparse_product_t<A, B>;
  return {detail::sparse_combine(ufunc::minimum, a.parts(), b.parts(), dtype_of<V>), detail::adopt_t{}};
}
/// The products of the elements of two matrices at each position; matmul is the product of matrices.
template<sparse_like A, sparse_like B>
[[nodiscard]] detail::compressed_like<A, detail::sparse_product_t<A, B>> multiply(const A& a, const B& b) {
  using V = detail::sparse_product_t<A, B>;
  return {detail::sparse_combine(ufunc::multiply, a.parts(), b.parts(), dtype_of<V>), detail::adopt_t{}};
}

/// The products of the elements of a matrix and of an array that broadcasts to its shape.
template<sparse_like A, array_like X>
[[nodiscard]] auto multiply(const A& a, const X& x) {
  using V = detail::sparse_product_t<A, X>;
  constexpr format f = detail::with_entries(A::format_of);
  return matrix<V, f>(detail::sparse_scale(a.parts(), detail::make_argument<V>(x), dtype_of<V>),
                      detail::adopt_t{});
}
/// The products of the elements of an array that broadcasts and of a matrix.
template<array_like X, sparse_like A>
[[nodiscard]] auto multiply(const X& x, const A& a) {
  return multiply(a, x);
}

template<sparse_like A, scalar_like S>
auto operator*(const A& a, S factor) {
  return a.with_data(a.data() * factor);
}
template<sparse_like A, scalar_like S>
auto operator*(S factor, const A& a) {
  return a.with_data(factor * a.data());
}
template<sparse_like A, scalar_like S>
auto operator/(const A& a, S divisor) {
  return a.with_data(a.data() / divisor);
}
template<sparse_like A>
auto operator-(const A& a) {
  return a.with_data(-a.data());
}
/// The products of the elements of a matrix and a number.
template<sparse_like A, scalar_like S>
[[nodiscard]] auto multiply(const A& a, S factor) {
  return a * factor;
}

/// Dense.
template<sparse_like A, array_like X>
auto operator+(const A& a, const X& x) {
  using V = detail::sparse_product_t<A, X>;
  return detail::typed<V>(detail::sparse_plus_dense(a.parts(), detail::make_argument<V>(x), dtype_of<V>));
}
template<array_like X, sparse_like A>
auto operator+(const X& x, const A& a) {
  return a + x;
}
template<sparse_like A, array_like X>
auto operator-(const A& a, const X& x) {
  // Negated in the dtype of the difference: in a narrower one -x may not fit.
  return a + (-detail::as_elements<detail::sparse_product_t<A, X>>(x));
}
template<array_like X, sparse_like A>
auto operator-(const X& x, const A& a) {
  return a.with_data(-detail::as_elements<detail::sparse_product_t<X, A>>(a.data())) + x;
}

/// The magnitudes of the elements; entries at one position are added up before.
template<sparse_like A>
[[nodiscard]] auto abs(const A& a) {
  return a.abs();
}

template<storable V, format F>
template<class X>
auto matrix<V, F>::dot(const X& x) const {
  return matmul(*this, x);
}
template<storable V, format F>
template<class X>
auto matrix<V, F>::multiply(const X& x) const {
  return sparse::multiply(*this, x);
}

}  // namespace sparse

GPARRAY_END_NAMESPACE
