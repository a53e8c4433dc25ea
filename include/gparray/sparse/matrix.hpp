// csr_matrix, csc_matrix, coo_matrix and dia_matrix: SciPy's sparse matrices, on CPU and GPU.
#pragma once
#include <limits>
#include <vector>

#include <gparray/creation.hpp>
#include <gparray/numeric.hpp>
#include <gparray/products.hpp>
#include <gparray/sparse/parts.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace sparse {

/// What a sparse matrix can hold: every dtype but the halves, as in SciPy.
template<class V>
concept storable = element<V> && !(is_floating(dtype_of<V>) && itemsize(dtype_of<V>) == 2);

template<storable V, format F>
class matrix;

// csr_matrix, csc_matrix, coo_matrix and dia_matrix: sparse_formats.def says how each keeps its entries.
// Those called _array are SciPy's newer names; its arrays differ from its matrices in what * and ** mean,
// which there is none of here.
#define GPARRAY_SPARSE_FORMAT(name, layout, axis, compressed, transposed, major, minor, title, doc) \
  template<storable V>                                                                              \
  using name##_matrix = matrix<V, format::name>;                                                    \
  template<storable V>                                                                              \
  using name##_array = name##_matrix<V>;
#include <gparray/tables/sparse_formats.def>

/// Row and column numbers of entries.
struct coordinates {
  any_array row;  ///< The row of each entry.
  any_array col;  ///< The column of each entry.
};

}  // namespace sparse

namespace detail {

template<class V, sparse::format F>
std::true_type is_sparse_test(const sparse::matrix<V, F>*);
std::false_type is_sparse_test(...);

template<class V>
using sparse_sum_t = dtype_t<result_dtype(reduction::sum, dtype_of<V>)>;
template<class V>
using sparse_mean_t = dtype_t<promote_weak(dtype_of<V>, 'f')>;
/// The element type of a product of two arrays or of a matrix with a number.
template<class V, class X>
using sparse_scaled_t = dtype_t<common_dtype<ndarray<V>, X>()>;

}  // namespace detail

/// A sparse matrix of any element type and format.
template<class A>
concept sparse_like = decltype(detail::is_sparse_test(static_cast<std::remove_cvref_t<A>*>(nullptr)))::value;

namespace sparse {

/// A matrix of which only some elements, its entries, are stored; the others are 0. Entries may be 0 too, and
/// several at one position add up. Copying shares the components, as copying an ndarray does; what changes
/// the entries in place, such as sort_indices(), gives this matrix new components and leaves others as they
/// are. Components are arrays on one device, of indices of 32 bits, or 64 where the sizes need it.
template<storable V, format F>
class matrix {
 public:
  using value_type = V;
  /// The format, as a value.
  static constexpr sparse::format format_of = F;

  /// A matrix of size 0 x 0.
  matrix() : matrix(dims{0, 0}) {}
  /// A matrix of zeros.
  explicit matrix(const dims& shape, device where = default_device())
      : parts_(detail::sparse_empty(F, shape, dtype_of<V>, where)) {}
  /// The elements of an array that are not 0; one with one axis is a row. Throws value_error for more than 2.
  template<array_like A>
    requires std::same_as<detail::element_t<A>, V>
  explicit matrix(const A& a) : parts_(detail::sparse_from_dense(F, detail::make_argument<V>(a))) {}
  /// csr and csc: data, indices and indptr, which are shared where they are contiguous and of the right
  /// dtype. Without a shape the columns (of csc rows) end with the largest index. Throws value_error with
  /// SciPy's texts for indices out of range and sizes that do not fit, type_error for indices that are not
  /// integers.
  template<array_like D>
    requires(is_compressed(F) && std::same_as<detail::element_t<D>, V>)
  matrix(const D& data, const any_array& indices, const any_array& indptr,
         const detail::sparse_shape& shape = {})
      : parts_(detail::sparse_from_compressed(F, detail::make_argument<V>(data), indices, indptr, shape)) {}
  /// Entries at (row, col): csr_matrix<double>(data, {row, col}, {3, 4}). Duplicates are added up, but by
  /// coo.
  template<array_like D>
    requires(detail::has_entries(F) && std::same_as<detail::element_t<D>, V>)
  matrix(const D& data, const coordinates& at, const detail::sparse_shape& shape = {})
      : parts_(detail::sparse_from_coordinates(F, detail::make_argument<V>(data), at.row, at.col, shape)) {}
  /// dia: data[k, j] is the element at (j - offsets[k], j).
  template<array_like D>
    requires(F == format::dia && std::same_as<detail::element_t<D>, V>)
  matrix(const D& data, const any_array& offsets, const dims& shape)
      : parts_(detail::sparse_from_diagonals(F, detail::make_argument<V>(data), offsets, shape)) {}
  /// Another format.
  template<format G>
    requires(G != F)
  explicit matrix(const matrix<V, G>& a) : parts_(detail::sparse_convert(a.parts(), F)) {}
  /// Takes over components; for the library.
  matrix(detail::sparse_parts&& parts, detail::adopt_t) : parts_(std::move(parts)) {}

  /// The numbers of rows and columns.
  [[nodiscard]] dims shape() const { return {parts_.rows, parts_.columns}; }
  /// The number of rows (axis 0) or columns (axis 1).
  [[nodiscard]] std::int64_t shape(int axis) const { return detail::sparse_size(parts_, axis); }
  /// 2.
  [[nodiscard]] int ndim() const noexcept { return 2; }
  /// The dtype of the elements.
  [[nodiscard]] gparray::dtype dtype() const noexcept { return dtype_of<V>; }
  /// int32 or int64.
  [[nodiscard]] gparray::dtype index_dtype() const noexcept { return parts_.index_dtype(); }
  /// Where the components are.
  [[nodiscard]] gparray::device device() const noexcept { return parts_.device(); }
  /// The number of entries; of dia, of positions on the stored diagonals.
  [[nodiscard]] std::int64_t nnz() const { return detail::sparse_nnz(parts_); }

  /// The values of the entries. Writing to the elements of a component writes to this matrix and those that
  /// share them. Index arrays are of int32 unless the template argument says otherwise:
  /// indices<std::int64_t>(). Throws type_error if index_dtype() is another.
  ndarray<V> data() const { return ndarray<V>(parts_.data); }
  /// The column of each entry of csr, the row of each of csc.
  template<std::signed_integral I = std::int32_t>
    requires(is_compressed(F))
  [[nodiscard]] ndarray<I> indices() const {
    return ndarray<I>(parts_.minor);
  }
  /// Where the entries of each row of csr, or column of csc, begin, and the end of the last.
  template<std::signed_integral I = std::int32_t>
    requires(is_compressed(F))
  [[nodiscard]] ndarray<I> indptr() const {
    return ndarray<I>(parts_.major);
  }
  /// The row of each entry of coo.
  template<std::signed_integral I = std::int32_t>
    requires(F == format::coo)
  [[nodiscard]] ndarray<I> row() const {
    return ndarray<I>(parts_.major);
  }
  /// The column of each entry of coo.
  template<std::signed_integral I = std::int32_t>
    requires(F == format::coo)
  [[nodiscard]] ndarray<I> col() const {
    return ndarray<I>(parts_.minor);
  }
  /// The numbers of the stored diagonals of dia.
  template<std::signed_integral I = std::int32_t>
    requires(F == format::dia)
  [[nodiscard]] ndarray<I> offsets() const {
    return ndarray<I>(parts_.major);
  }

  /// tocsr(), tocsc(), tocoo(), todia(): other formats; the matrix itself if it has the format already. Rows
  /// of csr and columns of csc that come from coo are in canonical format, those that come from each other
  /// have sorted indices.
#define GPARRAY_SPARSE_FORMAT(name, layout, axis, compressed, transposed, major, minor, title, doc) \
  [[nodiscard]] matrix<V, format::name> to##name() const { return to<format::name>(); }
#include <gparray/tables/sparse_formats.def>
  /// The matrix in the format of the template argument.
  template<format G>
  [[nodiscard]] matrix<V, G> to() const {
    return {detail::sparse_convert(parts_, G), detail::adopt_t{}};
  }
  /// All elements in a new array; entries at one position are added up.
  [[nodiscard]] ndarray<V> toarray(order layout = order::C) const {
    return detail::typed<V>(detail::sparse_to_dense(parts_, layout));
  }
  /// All elements in a new array, as toarray() makes it.
  [[nodiscard]] ndarray<V> todense(order layout = order::C) const { return toarray(layout); }
  /// A matrix with components of its own.
  [[nodiscard]] matrix copy() const { return {detail::sparse_copy(parts_), detail::adopt_t{}}; }
  /// The entries converted. What has the dtype already is copied, or, unless `copy`, shares the components.
  template<storable W>
  [[nodiscard]] matrix<W, F> astype(bool copy = true) const {
    if constexpr (std::same_as<V, W>) return copy ? this->copy() : *this;
    return {detail::sparse_astype(parts_, dtype_of<W>), detail::adopt_t{}};
  }
  /// With indices of std::int32_t or std::int64_t. Throws overflow_error if they do not fit.
  template<std::signed_integral I>
  [[nodiscard]] matrix with_index() const {
    return {detail::sparse_with_index(parts_, dtype_of<I>), detail::adopt_t{}};
  }

  /// The transpose, which shares the components: csr becomes csc.
  [[nodiscard]] matrix<V, transposed(F)> transpose() const {
    return {detail::sparse_transpose(parts_), detail::adopt_t{}};
  }
  /// The transpose, which shares the components.
  [[nodiscard]] matrix<V, transposed(F)> T() const { return transpose(); }
  /// The conjugate transpose.
  [[nodiscard]] matrix<V, transposed(F)> H() const { return conj().transpose(); }
  /// The complex conjugate.
  [[nodiscard]] matrix conj() const {
    if constexpr (is_complex(dtype_of<V>)) return with_data(gparray::conj(data()));
    else return *this;
  }
  /// The complex conjugate.
  [[nodiscard]] matrix conjugate() const { return conj(); }

  /// The same entries with other values. Throws value_error unless they have the shape of data().
  template<array_like E>
  [[nodiscard]] matrix<detail::element_t<E>, F> with_data(E&& values) const {
    const ndarray<detail::element_t<E>> data(std::forward<E>(values));
    return {detail::sparse_with_values(parts_, data), detail::adopt_t{}};
  }

  // Order of the entries: of each row (csr), of each column (csc), of all by row and column (coo). Asking
  // waits for the device, once.

  /// Whether the indices ascend.
  [[nodiscard]] bool has_sorted_indices() const
    requires(is_compressed(F))
  {
    return detail::sparse_is_sorted(parts_);
  }
  /// Whether the indices ascend and none occurs twice.
  [[nodiscard]] bool has_canonical_format() const
    requires(detail::has_entries(F))
  {
    return detail::sparse_is_canonical(parts_);
  }
  /// Puts the indices of each row (csr) or column (csc) in ascending order.
  void sort_indices()
    requires(is_compressed(F))
  {
    parts_ = detail::sparse_sorted(parts_);
  }
  /// A matrix whose indices ascend.
  [[nodiscard]] matrix sorted_indices() const
    requires(is_compressed(F))
  {
    return {detail::sparse_sorted(parts_), detail::adopt_t{}};
  }
  /// Adds up the entries at one position, and sorts.
  void sum_duplicates()
    requires(detail::has_entries(F))
  {
    parts_ = detail::sparse_canonical(parts_);
  }
  /// Forgets entries that are 0.
  void eliminate_zeros()
    requires(detail::has_entries(F))
  {
    parts_ = detail::sparse_without_zeros(parts_);
  }

  /// The product with a vector, a dense matrix or a sparse one; gp::matmul.
  template<class X>
  [[nodiscard]] auto dot(const X& x) const;
  /// Element by element, with an array that broadcasts, a sparse matrix or a number.
  template<class X>
  [[nodiscard]] auto multiply(const X& x) const;

  /// Sums of all elements, of each column (axis 0) or of each row (axis 1); integers add up in 64 bits.
  [[nodiscard]] auto sum(detail::slice_end axis = none) const {
    using S = detail::sparse_sum_t<V>;
    return detail::as_number<S>(detail::sparse_sum(parts_, dtype_of<S>, axis));
  }
  /// The mean of all elements, of each column (axis 0) or of each row (axis 1), zeros included.
  [[nodiscard]] auto mean(detail::slice_end axis = none) const {
    using S = detail::sparse_mean_t<V>;
    const std::int64_t n = !axis.given ? parts_.rows * parts_.columns : shape(static_cast<int>(axis.value));
    return detail::as_number(ndarray<S>(detail::typed<S>(detail::sparse_sum(parts_, dtype_of<S>, axis)) /
                                        detail::scalar_cast<S>(static_cast<double>(n))));
  }
  /// The largest element, 0 where not all are stored. Throws value_error for no elements.
  [[nodiscard]] scalar_array<V> max(detail::slice_end axis = none) const {
    return detail::as_number<V>(detail::sparse_extremum(reduction::max, parts_, axis));
  }
  /// The smallest element, 0 where not all are stored. Throws value_error for no elements.
  [[nodiscard]] scalar_array<V> min(detail::slice_end axis = none) const {
    return detail::as_number<V>(detail::sparse_extremum(reduction::min, parts_, axis));
  }
  /// The number of entries of the matrix, of each column (axis 0) or of each row.
  [[nodiscard]] scalar_array<std::int64_t> getnnz(detail::slice_end axis = none) const {
    return detail::as_number<std::int64_t>(detail::sparse_count(parts_, false, axis));
  }
  /// The number of elements that are not 0, of the matrix, of each column (axis 0) or of each row.
  [[nodiscard]] scalar_array<std::int64_t> count_nonzero(detail::slice_end axis = none) const {
    return detail::as_number<std::int64_t>(detail::sparse_count(parts_, true, axis));
  }
  /// The elements (i, i + k); none of a diagonal outside the matrix.
  [[nodiscard]] ndarray<V> diagonal(std::int64_t k = 0) const {
    return detail::typed<V>(detail::sparse_diagonal(parts_, k));
  }
  /// The sum of a diagonal.
  [[nodiscard]] auto trace(std::int64_t k = 0) const { return gparray::sum(diagonal(k)); }

  /// The element at a position; waits for it. Throws index_error.
  V item(std::int64_t row, std::int64_t column) const {
    V value;
    detail::sparse_item(parts_, row, column, &value);
    return value;
  }
  /// Rows and columns by slices or numbers, of which each is a row or a column of the result: a(slice(1, 4),
  /// all), a(2, all); by text: a("1:4, ::2"). Throws index_error.
  matrix<V, compressed(F)> operator()(const detail::index_item& rows,
                                      const detail::index_item& columns) const {
    return {detail::sparse_slice(parts_, rows, columns), detail::adopt_t{}};
  }
  /// Rows and columns by the text of slices: a("1:4, ::2"). Throws index_error.
  matrix<V, compressed(F)> operator()(std::string_view text) const {
    return {detail::sparse_slice(parts_, text), detail::adopt_t{}};
  }
  /// A row as a matrix of one row.
  [[nodiscard]] matrix<V, compressed(F)> getrow(std::int64_t i) const { return (*this)(i, slice()); }
  /// A column as a matrix of one column.
  [[nodiscard]] matrix<V, compressed(F)> getcol(std::int64_t j) const { return (*this)(slice(), j); }
  /// The rows (axis 0) or columns of these numbers, in this order. Throws index_error.
  template<array_like I>
    requires std::integral<detail::element_t<I>>
  [[nodiscard]] matrix<V, compressed(F)> take(const I& indices, int axis) const {
    return {detail::sparse_take(parts_, indices, axis), detail::adopt_t{}};
  }

  // Functions of each entry, for which f(0) = 0; entries at one position are added up before.
#define GPARRAY_SPARSE_MAP(name)                          \
  [[nodiscard]] auto name() const                         \
    requires requires(ndarray<V> a) { gparray::name(a); } \
  {                                                       \
    const matrix a = canonical();                         \
    return a.with_data(gparray::name(a.data()));          \
  }
  GPARRAY_SPARSE_MAP(abs)
  GPARRAY_SPARSE_MAP(sqrt)
  GPARRAY_SPARSE_MAP(sign)
  GPARRAY_SPARSE_MAP(sin)
  GPARRAY_SPARSE_MAP(tan)
  GPARRAY_SPARSE_MAP(arcsin)
  GPARRAY_SPARSE_MAP(arctan)
  GPARRAY_SPARSE_MAP(sinh)
  GPARRAY_SPARSE_MAP(tanh)
  GPARRAY_SPARSE_MAP(arcsinh)
  GPARRAY_SPARSE_MAP(arctanh)
  GPARRAY_SPARSE_MAP(expm1)
  GPARRAY_SPARSE_MAP(log1p)
  GPARRAY_SPARSE_MAP(rint)
  GPARRAY_SPARSE_MAP(floor)
  GPARRAY_SPARSE_MAP(ceil)
  GPARRAY_SPARSE_MAP(trunc)
  GPARRAY_SPARSE_MAP(deg2rad)
  GPARRAY_SPARSE_MAP(rad2deg)
#undef GPARRAY_SPARSE_MAP
  /// The real parts.
  auto real() const { return with_data(ndarray(gparray::real(data()))); }
  /// The imaginary parts.
  [[nodiscard]] auto imag() const { return with_data(ndarray(gparray::imag(data()))); }
  /// Each element to the power n. Throws value_error for 0, to which power all elements are 1.
  template<scalar_like N>
  [[nodiscard]] auto power(N n) const {
    if (n == N(0)) detail::throw_zero_power();
    const matrix a = canonical();
    return a.with_data(gparray::power(a.data(), n));
  }

  /// The type-erased state.
  const detail::sparse_parts& parts() const noexcept { return parts_; }

 private:
  [[nodiscard]] matrix canonical() const {
    if constexpr (!detail::has_entries(F)) return *this;
    else return {detail::sparse_canonical(parts_), detail::adopt_t{}};
  }

  detail::sparse_parts parts_;
};

// What a value is, known from its type alone.
/// Whether a value is a sparse matrix, which its type says.
template<class A>
[[nodiscard]] constexpr bool issparse(const A&) {
  return sparse_like<A>;
}
/// Whether a value is a sparse matrix, which its type says.
template<class A>
[[nodiscard]] constexpr bool isspmatrix(const A&) {
  return sparse_like<A>;
}
/// isspmatrix_csr and the like.
#define GPARRAY_SPARSE_FORMAT(name, layout, axis, compressed, transposed, major, minor, title, doc) \
  template<class A>                                                                                 \
  [[nodiscard]] constexpr bool isspmatrix_##name(const A&) {                                        \
    if constexpr (sparse_like<A>) return A::format_of == format::name;                              \
    else return false;                                                                              \
  }
#include <gparray/tables/sparse_formats.def>

/// The dtype that indices need: int32, or int64 if a number or the indices given ask for it.
[[nodiscard]] inline dtype get_index_dtype(std::int64_t maxval = 0,
                                           const std::vector<any_array>& arrays = {}) {
  bool needs_64_bits = maxval > std::numeric_limits<std::int32_t>::max();
  for (const any_array& a : arrays)
    needs_64_bits = needs_64_bits || itemsize(a.dtype()) > 4 || a.dtype() == dtype::uint32;
  return needs_64_bits ? dtype::int64 : dtype::int32;
}

}  // namespace sparse

/// A sparse matrix on a device: itself if it is there.
template<sparse_like A>
[[nodiscard]] std::remove_cvref_t<A> to_device(const A& a, device where) {
  return {detail::sparse_to_device(a.parts(), where), detail::adopt_t{}};
}
/// A sparse matrix in host memory: itself if it is there.
template<sparse_like A>
[[nodiscard]] std::remove_cvref_t<A> asnumpy(const A& a) {
  return to_device(a, device::cpu());
}

GPARRAY_END_NAMESPACE
