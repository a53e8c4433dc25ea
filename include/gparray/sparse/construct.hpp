// Making sparse matrices: identities, diagonals, blocks, Kronecker products, random ones.
#pragma once
#include <cmath>
#include <limits>
#include <span>

#include <gparray/random.hpp>
#include <gparray/sparse/arithmetic.hpp>
#include <gparray/transfer.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

struct sparse_block {
  sparse_parts matrix;
  std::int64_t row, column;  // of its first element
};
/// A matrix made of others, all of one dtype and on one device, that do not overlap.
GPARRAY_API sparse_parts sparse_join(std::span<const sparse_block> blocks, const dims& shape,
                                     sparse::format to, dtype type);
/// A matrix in blocks, by rows; those without a matrix are zeros. Throws value_error with SciPy's texts if
/// sizes do not fit.
GPARRAY_API sparse_parts sparse_grid(std::span<const std::optional<sparse_parts>> blocks, std::int64_t rows,
                                     sparse::format to, dtype type);

/// A diagonal for diags: an array with one axis, or a number that is repeated.
struct sparse_diagonal_values {
  any_array values;
  std::int64_t offset;
};
GPARRAY_API sparse_parts sparse_from_diagonal_list(std::span<const sparse_diagonal_values> diagonals,
                                                   const sparse_shape& shape, sparse::format to, dtype type);
/// `count` different numbers below `total`, each choice as likely as any other.
GPARRAY_API any_array sparse_sample(random::Generator& rng, std::int64_t total, std::int64_t count,
                                    device where);
[[noreturn]] GPARRAY_API void throw_density(double density);
[[noreturn]] GPARRAY_API void throw_diagonal_count();
[[noreturn]] GPARRAY_API void throw_ragged_blocks();
/// Throws value_error, naming the matrix.
GPARRAY_API void check_square(const sparse_parts& a, const char* name);
GPARRAY_API void check_power(const sparse_parts& a, std::int64_t n);

template<class M>
using sparse_value_t = typename std::remove_cvref_t<M>::value_type;

/// A list of matrices of one type.
template<class R>
concept sparse_range = std::ranges::input_range<R> && sparse_like<std::ranges::range_value_t<R>>;

}  // namespace detail

namespace sparse {

/// A diagonal for diags: an array with one axis, or a number that is repeated.
template<storable V>
struct diagonal_values {
  /// The elements of an array with one axis.
  template<array_like A>
    requires std::same_as<detail::element_t<A>, V>
  diagonal_values(const A& a) : values(a) {}
  /// A number that is repeated along the diagonal.
  diagonal_values(V repeated) : number(repeated) {}

  any_array values;  ///< The elements; none for a number.
  V number{};        ///< The number that is repeated.
};

/// One block of bmat: a matrix, or none for zeros.
template<storable V>
struct block {
  /// A block of zeros.
  block(none_t) {}
  /// A matrix of any format.
  template<format F>
  block(const matrix<V, F>& a) : parts(a.parts()) {}

  std::optional<detail::sparse_parts> parts;  ///< The matrix; nothing for zeros.
};

// The format of a new matrix is a template argument, compressed rows by default: eye<float, format::dia>(3).

/// A matrix with ones at (i, i + k), of n columns, or as many as rows. Throws value_error for a diagonal
/// outside the matrix.
template<storable V = double, format F = format::csr>
[[nodiscard]] matrix<V, F> eye(std::int64_t m, detail::slice_end n = none, std::int64_t k = 0,
                               device where = default_device()) {
  const std::int64_t columns = n.given ? n.value : m;
  const detail::sparse_diagonal_values ones[] = {{full<V>({1}, V(1), {.device = where}), k}};
  return {detail::sparse_from_diagonal_list(ones, dims{m, columns}, F, dtype_of<V>), detail::adopt_t{}};
}
/// The identity: a square matrix with ones on the diagonal.
template<storable V = double, format F = format::csr>
[[nodiscard]] matrix<V, F> identity(std::int64_t n, device where = default_device()) {
  return eye<V, F>(n, n, 0, where);
}

/// A matrix of diagonals: `diags<double>({-1., 2., -1.}, {-1, 0, 1}, {n, n});`, or of arrays, whose lengths
/// must fit the shape; without one the first gives it. Throws value_error with SciPy's texts.
template<storable V, format F = format::csr>
[[nodiscard]] matrix<V, F> diags(const std::vector<diagonal_values<V>>& diagonals,
                                 const std::vector<std::int64_t>& offsets,
                                 const detail::sparse_shape& shape = {}) {
  if (diagonals.size() != offsets.size()) detail::throw_diagonal_count();
  // Numbers go where the arrays are.
  device where = default_device();
  for (const auto& d : diagonals)
    if (d.values.rep()) where = d.values.device();
  std::vector<detail::sparse_diagonal_values> list;
  for (std::size_t i = 0; i < offsets.size(); ++i)
    list.push_back({diagonals[i].values.rep()
                        ? diagonals[i].values
                        : any_array(full<V>({1}, diagonals[i].number, {.device = where})),
                    offsets[i]});
  return {detail::sparse_from_diagonal_list(list, shape, F, dtype_of<V>), detail::adopt_t{}};
}
/// A matrix of one diagonal, an array with one axis.
template<format F = format::csr, array_like A>
[[nodiscard]] auto diags(const A& diagonal, std::int64_t offset = 0, const detail::sparse_shape& shape = {}) {
  using V = detail::element_t<A>;
  return diags<V, F>(std::vector<diagonal_values<V>>{diagonal}, {offset}, shape);
}
/// A matrix of diagonals in the rows of an array: data[k, j] is the element at (j - offsets[k], j).
template<format F = format::dia, array_like A>
[[nodiscard]] auto spdiags(const A& data, const any_array& offsets, std::int64_t m, std::int64_t n) {
  using V = detail::element_t<A>;
  return matrix<V, F>(detail::sparse_from_diagonals(F, detail::make_argument<V>(data), offsets, {m, n}),
                      detail::adopt_t{});
}

/// The Kronecker product of two matrices: blocks a[i, j] * b.
template<format F = format::csr, sparse_like A, sparse_like B>
[[nodiscard]] auto kron(const A& a, const B& b) {
  using V = detail::sparse_product_t<A, B>;
  return matrix<V, F>(detail::sparse_kron(a.parts(), b.parts(), F, dtype_of<V>), detail::adopt_t{});
}
/// The Kronecker sum kron(eye(n), a) + kron(b, eye(m)) of square matrices: the Laplacian of a grid from those
/// of its sides.
template<format F = format::csr, sparse_like A, sparse_like B>
[[nodiscard]] auto kronsum(const A& a, const B& b) {
  using V = detail::sparse_product_t<A, B>;
  detail::check_square(a.parts(), "A");
  detail::check_square(b.parts(), "B");
  const auto left = kron(identity<V>(b.shape(0), a.device()), a);
  const auto right = kron(b, identity<V>(a.shape(0), a.device()));
  return (left + right).template to<F>();
}

/// The matrices on the diagonal of a larger one.
template<format F = format::csr, detail::sparse_range R>
[[nodiscard]] auto block_diag(const R& matrices) {
  using V = detail::sparse_value_t<std::ranges::range_value_t<R>>;
  std::vector<detail::sparse_block> blocks;
  dims shape{0, 0};
  for (const auto& m : matrices) {
    blocks.push_back({m.parts(), shape[0], shape[1]});
    for (int d = 0; d < 2; ++d) {
      std::int64_t& size = shape[static_cast<std::size_t>(d)];
      if (m.shape(d) > std::numeric_limits<std::int64_t>::max() - size)
        throw overflow_error("block_diag: the matrix has more than 2^63 rows or columns");
      size += m.shape(d);
    }
  }
  return matrix<V, F>(detail::sparse_join(blocks, shape, F, dtype_of<V>), detail::adopt_t{});
}
/// The matrices in braces on the diagonal of a larger one.
template<format F = format::csr, storable V, format G>
[[nodiscard]] auto block_diag(std::initializer_list<matrix<V, G>> matrices) {
  return block_diag<F>(std::span<const matrix<V, G>>(matrices.begin(), matrices.size()));
}
/// A matrix of blocks: `bmat<double>({{a, b}, {none, c}});`
template<storable V, format F = format::csr>
[[nodiscard]] matrix<V, F> bmat(const std::vector<std::vector<block<V>>>& blocks) {
  std::vector<std::optional<detail::sparse_parts>> list;
  for (const auto& row : blocks) {
    if (row.size() != blocks[0].size()) detail::throw_ragged_blocks();
    for (const block<V>& b : row) list.push_back(b.parts);
  }
  return {detail::sparse_grid(list, static_cast<std::int64_t>(blocks.size()), F, dtype_of<V>),
          detail::adopt_t{}};
}

/// Matrices one above the other.
template<format F = format::csr, detail::sparse_range R>
[[nodiscard]] auto vstack(const R& matrices) {
  using V = detail::sparse_value_t<std::ranges::range_value_t<R>>;
  std::vector<std::optional<detail::sparse_parts>> list;
  for (const auto& m : matrices) list.push_back(m.parts());
  return matrix<V, F>(detail::sparse_grid(list, static_cast<std::int64_t>(list.size()), F, dtype_of<V>),
                      detail::adopt_t{});
}
/// Matrices one above the other.
template<format F = format::csr, storable V, format G>
[[nodiscard]] auto vstack(std::initializer_list<matrix<V, G>> matrices) {
  return vstack<F>(std::span<const matrix<V, G>>(matrices.begin(), matrices.size()));
}
/// Matrices side by side.
template<format F = format::csr, detail::sparse_range R>
[[nodiscard]] auto hstack(const R& matrices) {
  using V = detail::sparse_value_t<std::ranges::range_value_t<R>>;
  std::vector<std::optional<detail::sparse_parts>> list;
  for (const auto& m : matrices) list.push_back(m.parts());
  return matrix<V, F>(detail::sparse_grid(list, 1, F, dtype_of<V>), detail::adopt_t{});
}
/// Matrices side by side.
template<format F = format::csr, storable V, format G>
[[nodiscard]] auto hstack(std::initializer_list<matrix<V, G>> matrices) {
  return hstack<F>(std::span<const matrix<V, G>>(matrices.begin(), matrices.size()));
}

/// A matrix of round(density * m * n) entries at random positions without replacement, uniform in [0, 1).
/// Throws value_error for a density outside [0, 1].
template<storable V = double, format F = format::csr>
  requires(is_floating(dtype_of<V>))
matrix<V, F> random(std::int64_t m, std::int64_t n, double density, gparray::random::Generator& rng,
                    device where = default_device()) {
  if (!(density >= 0 && density <= 1)) detail::throw_density(density);
  if (m < 0 || n < 0) throw value_error("'shape' elements cannot be negative");
  if (n > 0 && m > std::numeric_limits<std::int64_t>::max() / n)
    throw overflow_error("random: the product of the matrix's dimensions does not fit into 64 bits");
  const std::int64_t total = m * n;
  const double wanted = std::nearbyint(density * static_cast<double>(total));
  const std::int64_t count = wanted < static_cast<double>(total) ? static_cast<std::int64_t>(wanted) : total;
  const ndarray<std::int64_t> at(detail::sparse_sample(rng, total, count, where));
  const ndarray<V> values = to_device(ndarray<V>(rng.random<V>({count})), where);
  const std::int64_t width = std::max<std::int64_t>(n, 1);
  const ndarray<std::int64_t> row = floor_divide(at, width), column = remainder(at, width);
  return {detail::sparse_from_coordinates(F, detail::make_argument<V>(values), row, column, dims{m, n}),
          detail::adopt_t{}};
}
/// A random matrix, with a generator that the operating system seeds.
template<storable V = double, format F = format::csr>
[[nodiscard]] matrix<V, F> random(std::int64_t m, std::int64_t n, double density = 0.01) {
  gparray::random::Generator rng = gparray::random::default_rng();
  return random<V, F>(m, n, density, rng);
}

/// The elements on and below the k-th diagonal; dia becomes csr.
template<sparse_like A>
[[nodiscard]] auto tril(const A& a, std::int64_t k = 0) {
  constexpr format f = detail::with_entries(A::format_of);
  return matrix<detail::sparse_value_t<A>, f>(detail::sparse_triangle(a.parts(), k, true), detail::adopt_t{});
}
/// The elements on and above the k-th diagonal; dia becomes csr.
template<sparse_like A>
[[nodiscard]] auto triu(const A& a, std::int64_t k = 0) {
  constexpr format f = detail::with_entries(A::format_of);
  return matrix<detail::sparse_value_t<A>, f>(detail::sparse_triangle(a.parts(), k, false),
                                              detail::adopt_t{});
}

/// The result of find: where elements are and what they are.
template<storable V>
struct find_result {
  ndarray<std::int64_t> row;  ///< The rows of the elements.
  ndarray<std::int64_t> col;  ///< Their columns.
  ndarray<V> data;            ///< The elements.
};
/// Places and values of the elements that are not 0, by row and column.
template<sparse_like A>
[[nodiscard]] find_result<detail::sparse_value_t<A>> find(const A& a) {
  using V = detail::sparse_value_t<A>;
  csr_matrix<V> rows = a.tocsr();
  rows.sum_duplicates();
  rows.eliminate_zeros();
  const coo_matrix<V> entries = rows.tocoo();
  const detail::sparse_parts& p = entries.parts();
  return {detail::typed<std::int64_t>(detail::sparse_astype_index(p.major)),
          detail::typed<std::int64_t>(detail::sparse_astype_index(p.minor)), entries.data()};
}

// The functions of the array API, and SciPy's newer names of the constructors.
/// The transpose, which shares the components: csc for csr.
template<sparse_like A>
[[nodiscard]] auto matrix_transpose(const A& a) {
  return a.T();
}
/// A matrix with ones on a diagonal: SciPy's newer name of eye, with its arguments.
template<storable V = double, format F = format::csr, class... X>
[[nodiscard]] auto eye_array(const X&... arguments) {
  return eye<V, F>(arguments...);
}
/// A matrix of diagonals: SciPy's newer name of diags.
template<storable V, format F = format::csr>
[[nodiscard]] auto diags_array(const std::vector<diagonal_values<V>>& diagonals,
                               const std::vector<std::int64_t>& offsets,
                               const detail::sparse_shape& shape = {}) {
  return diags<V, F>(diagonals, offsets, shape);
}
/// A matrix of blocks: SciPy's newer name of bmat.
template<storable V, format F = format::csr>
[[nodiscard]] matrix<V, F> block_array(const std::vector<std::vector<block<V>>>& blocks) {
  return bmat<V, F>(blocks);
}
/// A random matrix of a shape {m, n}.
template<storable V = double, format F = format::csr>
[[nodiscard]] matrix<V, F> random_array(const std::int64_t (&shape)[2], double density,
                                        gparray::random::Generator& rng) {
  return random<V, F>(shape[0], shape[1], density, rng);
}
namespace linalg {

/// The n-th power of a square matrix. Throws type_error for a matrix that is not square, value_error for n
/// below 0.
template<sparse_like A>
[[nodiscard]] auto matrix_power(const A& a, std::int64_t n) {
  using V = detail::sparse_value_t<A>;
  using result = matrix<V, compressed(A::format_of)>;
  detail::check_power(a.parts(), n);
  result power = identity<V, compressed(A::format_of)>(a.shape(0), a.device());
  result square = a.template to<compressed(A::format_of)>();
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) power = matmul(power, square);
    if (n > 1) square = matmul(square, square);
  }
  return power;
}

}  // namespace linalg

/// The text that SciPy's str() gives.
template<sparse_like A>
[[nodiscard]] std::string str(const A& a) {
  return detail::sparse_text(a.parts());
}
template<sparse_like A>
std::ostream& operator<<(std::ostream& out, const A& a) {
  detail::sparse_print(out, a.parts());
  return out;
}

}  // namespace sparse

GPARRAY_END_NAMESPACE
