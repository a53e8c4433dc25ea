// csr_matrix: a sparse matrix of which each rank has some rows, and its products with sharded arrays.
//
// A matrix is cut as vectors of its rows are by its layout. Of a factor of a product each rank needs the
// elements in whose columns it has entries: which these are ranks tell each other once, when the matrix is
// made, and each product fetches those that are elsewhere in one exchange. A row's terms are added in the
// order of its entries, so that on the CPU products have the bits of one process.
#pragma once
#include <iosfwd>
#include <string>

#include <gparray/distributed/sharded.hpp>
#include <gparray/sparse.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed {

namespace detail {

using gparray::detail::sparse_parts;

/// Rows of a sparse matrix, and who needs which elements of a factor.
struct csr_state;
using csr_ptr = std::shared_ptr<const csr_state>;

// Parts are csr. Throw value_error for layouts that do not cut the first axis alone, and, on all ranks, for
// parts that do not fit each other.
GPARRAY_API csr_ptr csr_sharded(const sparse_parts& whole, const distributed::layout& where);
GPARRAY_API csr_ptr csr_from_local(const sparse_parts& part, const distributed::layout& where);
GPARRAY_API csr_ptr csr_scattered(const sparse_parts& whole, int root, const distributed::layout& where);
GPARRAY_API sparse_parts csr_local(const csr_ptr& a);
/// On every rank, or on the root alone; the others get a matrix of no rows.
GPARRAY_API sparse_parts csr_gathered(const csr_ptr& a, int root);
/// The values of this rank's entries.
GPARRAY_API any_array csr_data(const csr_ptr& a);
GPARRAY_API csr_ptr csr_with_data(const csr_ptr& a, const any_array& data);
GPARRAY_API node_ptr csr_diagonal(const csr_ptr& a);
/// x has one axis or two, and so has the product.
GPARRAY_API node_ptr csr_times(const csr_ptr& a, const node_ptr& x, dtype type);
GPARRAY_API std::string csr_text(const csr_ptr& a);

}  // namespace detail

/// Sparse matrices of which each rank has some rows: gp::sparse for many ranks.
namespace sparse {

/// A sparse matrix of whatever element type of which each rank has some rows.
class GPARRAY_API any_csr_matrix {
 public:
  /// The numbers of rows and columns of the whole matrix.
  [[nodiscard]] dims shape() const;
  /// The number of rows (axis 0) or columns (axis 1) of the whole matrix. Throws axis_error.
  [[nodiscard]] std::int64_t shape(int axis) const;
  /// 2.
  [[nodiscard]] int ndim() const noexcept { return 2; }
  /// The dtype of the elements.
  [[nodiscard]] gparray::dtype dtype() const noexcept;
  /// The number of entries of all ranks.
  [[nodiscard]] std::int64_t nnz() const noexcept;
  /// How its rows are cut, and so the vectors that products give.
  [[nodiscard]] distributed::layout layout() const;
  /// How vectors are cut that it is multiplied with: as its rows if it is square, else as evenly as layouts
  /// do it without other boundaries.
  [[nodiscard]] distributed::layout column_layout() const;
  /// The ranks that share it.
  [[nodiscard]] const communicator& world() const;
  /// The number of this rank's first row.
  [[nodiscard]] std::int64_t local_offset() const;

  /// For the library: the private state.
  [[nodiscard]] const detail::csr_ptr& state() const noexcept { return state_; }

 protected:
  explicit any_csr_matrix(detail::csr_ptr state) noexcept : state_(std::move(state)) {}

  detail::csr_ptr state_;
};

/// A sparse matrix of which each rank has some rows. It is made by shard, from_local and scatter. Copying
/// shares the entries. All ranks must call its functions, but for those of the local part.
template<gparray::sparse::storable V>
class csr_matrix : public any_csr_matrix {
 public:
  using value_type = V;

  /// This rank's rows, with all columns: new arrays of indices, and the values of the entries shared.
  [[nodiscard]] gparray::sparse::csr_matrix<V> local() const {
    return {detail::csr_local(state_), gparray::detail::adopt_t{}};
  }
  /// The values of this rank's entries, row by row. Writing to the elements writes to this matrix and those
  /// that share them.
  [[nodiscard]] ndarray<V> data() const { return gparray::detail::typed<V>(detail::csr_data(state_)); }
  /// The same entries with other values, of which each rank gives its own. Throws value_error unless they
  /// have the shape of data().
  template<array_like E>
  [[nodiscard]] csr_matrix<gparray::detail::element_t<E>> with_data(const E& values) const {
    using W = gparray::detail::element_t<E>;
    return csr_matrix<W>(detail::csr_with_data(state_, ndarray<W>(values)));
  }
  /// The whole matrix on every rank: copies all entries to all ranks.
  [[nodiscard]] gparray::sparse::csr_matrix<V> gather() const {
    return {detail::csr_gathered(state_, -1), gparray::detail::adopt_t{}};
  }
  /// The whole matrix on one rank; the others get one of no rows and columns.
  [[nodiscard]] gparray::sparse::csr_matrix<V> gather_to(int root) const {
    return {detail::csr_gathered(state_, root), gparray::detail::adopt_t{}};
  }
  /// The elements (i, i), cut as the rows are: nothing is sent.
  [[nodiscard]] sharded<V> diagonal() const { return sharded<V>(detail::csr_diagonal(state_)); }
  /// The entries converted.
  template<gparray::sparse::storable W>
  [[nodiscard]] csr_matrix<W> astype() const {
    return with_data(data().template astype<W>());
  }
  /// The product with a sharded vector or with the columns of a sharded matrix; gp::matmul.
  template<detail::sharded_like X>
  [[nodiscard]] auto dot(const X& x) const;

  /// For the library.
  explicit csr_matrix(detail::csr_ptr state) noexcept : any_csr_matrix(std::move(state)) {}
};

/// SciPy's newer name.
template<gparray::sparse::storable V>
using csr_array = csr_matrix<V>;

// Products with numbers, entry by entry: nothing is sent.
template<gparray::sparse::storable V, scalar_like S>
auto operator*(const csr_matrix<V>& a, S factor) {
  return a.with_data(a.data() * factor);
}
template<gparray::sparse::storable V, scalar_like S>
auto operator*(S factor, const csr_matrix<V>& a) {
  return a.with_data(factor * a.data());
}
template<gparray::sparse::storable V, scalar_like S>
auto operator/(const csr_matrix<V>& a, S divisor) {
  return a.with_data(a.data() / divisor);
}
template<gparray::sparse::storable V>
auto operator-(const csr_matrix<V>& a) {
  return a.with_data(-a.data());
}

/// Every rank must call it: gathers the matrix, and prints it as a sparse matrix.
inline std::ostream& operator<<(std::ostream& to, const any_csr_matrix& a) {
  return to << detail::csr_text(a.state());
}
/// The text of the matrix, as a sparse matrix prints; every rank must call it.
[[nodiscard]] inline std::string to_string(const any_csr_matrix& a) { return detail::csr_text(a.state()); }

}  // namespace sparse

namespace detail {

template<gparray::sparse::storable V>
std::true_type is_csr_test(const distributed::sparse::csr_matrix<V>*);
std::false_type is_csr_test(...);
template<class A>
concept csr_like = decltype(is_csr_test(static_cast<std::remove_cvref_t<A>*>(nullptr)))::value;

}  // namespace detail

/// This rank's rows of a sparse matrix that every rank has, of any format. Throws value_error unless the
/// layout cuts the first axis alone, as layout::rows does.
template<sparse_like A>
[[nodiscard]] auto shard(const A& a, const layout& where) {
  return sparse::csr_matrix<typename A::value_type>(detail::csr_sharded(a.tocsr().parts(), where));
}
/// The matrix of which a is this rank's rows: as many columns on every rank, any number of rows. Throws
/// value_error, on all ranks, for parts that do not fit.
template<sparse_like A>
[[nodiscard]] auto from_local(const A& a, const layout& where) {
  return sparse::csr_matrix<typename A::value_type>(detail::csr_from_local(a.tocsr().parts(), where));
}
/// The rows of the root's sparse matrix; those that other ranks give are not looked at.
template<sparse_like A>
[[nodiscard]] auto scatter(const A& a, int root, const layout& where) {
  return sparse::csr_matrix<typename A::value_type>(detail::csr_scattered(a.tocsr().parts(), root, where));
}

}  // namespace distributed

/// The product of a sparse matrix with a sharded vector, or with each column of a sharded matrix whose
/// columns are whole; it is cut as the matrix' rows are. The factor has column_layout(): another is a
/// value_error that names reshard. Exchanges what ranks need of each other's elements, once.
template<distributed::detail::csr_like A, distributed::detail::sharded_like X>
[[nodiscard]] auto matmul(const A& a, const X& x) {
  using V = result_type_t<typename A::value_type, typename X::value_type>;
  return distributed::sharded<V>(distributed::detail::csr_times(a.state(), x.state(), dtype_of<V>));
}
/// The product of a sparse matrix and a sharded array, as matmul computes it.
template<distributed::detail::csr_like A, distributed::detail::sharded_like X>
[[nodiscard]] auto dot(const A& a, const X& x) {
  return gparray::matmul(a, x);
}

template<gparray::sparse::storable V>
template<distributed::detail::sharded_like X>
auto distributed::sparse::csr_matrix<V>::dot(const X& x) const {
  return gparray::matmul(*this, x);
}

GPARRAY_END_NAMESPACE
